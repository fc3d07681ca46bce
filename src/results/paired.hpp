// Cells of one run compared repetition by repetition: what ran beside each other met the same machine.

#ifndef SYNCHRO_RESULTS_PAIRED_HPP
#define SYNCHRO_RESULTS_PAIRED_HPP

#include <optional>

#include "results/cell.hpp"
#include "statistics/statistics.hpp"

namespace synchro::results {

/// a/b over the repetitions that both have, with its interval at this confidence; nothing if there are none, or none with two positive values.
[[nodiscard]] std::optional<ratio> paired_ratio(const cell& a, const cell& b, double confidence = 0.95);

}  // namespace synchro::results

#endif
