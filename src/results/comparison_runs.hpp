// Several runs of one program on one machine, taken together for a comparison.

#ifndef SYNCHRO_RESULTS_COMPARISON_RUNS_HPP
#define SYNCHRO_RESULTS_COMPARISON_RUNS_HPP

#include <span>
#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::results {

/// Nothing is said of fewer runs on each side.
inline constexpr std::size_t fewest_runs = 3;

/// Why two documents are no runs of one program on one machine: "model_name (X; Y)". Empty if they are.
[[nodiscard]] std::vector<std::string> why_not_of_one_side(const document& a, const document& b);

/// One document whose cells have one sample for each run: its value. Runs that met another distance of the processors, or
/// other conditions, stand in cells of their own, as those of one document do. Values of fewer than 6 repetitions are
/// left out. Facts are those of the first run. Throws std::invalid_argument if there are no runs.
[[nodiscard]] document joined_runs(std::span<const document> runs);

}  // namespace synchro::results

#endif
