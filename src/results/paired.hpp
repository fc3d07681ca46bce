// Cells of one run compared repetition by repetition: what ran beside each other met the same machine.

#ifndef SYNCHRO_RESULTS_PAIRED_HPP
#define SYNCHRO_RESULTS_PAIRED_HPP

#include <cstddef>
#include <optional>

#include "results/cell.hpp"
#include "statistics/statistics.hpp"

namespace synchro::results {

/// a/b over the repetitions that both have, with its interval at this confidence; nothing if there are none, or none with two positive values.
[[nodiscard]] std::optional<ratio> paired_ratio(const cell& a, const cell& b, double confidence = 0.95);

/// The same of two of `k` cells that were chosen by looking at all of them: the interval pays for the look.
[[nodiscard]] std::optional<ratio> paired_ratio_among(const cell& a, const cell& b, std::size_t k);

/// Whether that resolves a difference between the two.
[[nodiscard]] bool differ_among(const cell& a, const cell& b, std::size_t k);

}  // namespace synchro::results

#endif
