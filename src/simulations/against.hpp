// A prediction held against what was measured: the model made of a host's own coherence cells, and its own lock and
// atomics cells beside what is simulated for them.

#ifndef SYNCHRO_SIMULATIONS_AGAINST_HPP
#define SYNCHRO_SIMULATIONS_AGAINST_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/cell.hpp"
#include "results/document.hpp"

namespace synchro::simulations {

/// Throughput of one cell.
struct forecast {
  std::string experiment;
  results::coordinates at;
  double measured;
  std::vector<double> predicted;  ///< By seed.

  [[nodiscard]] double median() const;
  /// 0.2 and -0.2: a fifth too fast, a fifth too slow.
  [[nodiscard]] double error() const { return median() / measured - 1; }
};

/// All rates of atomic operations and locks without a pause, with two threads or more, each on a processor of its own,
/// and with a primitive of this library. Throws std::runtime_error with one sentence if the results yield no model.
[[nodiscard]] std::vector<forecast> held_against(const results::document& d, std::uint64_t seed);

/// The median size of the error over those of an experiment.
[[nodiscard]] double median_error(const std::vector<forecast>& all, const std::string& experiment);

/// Nine of ten predictions of an experiment are off by at most so many times, up or down. Nothing of fewer than twenty.
[[nodiscard]] std::optional<double> error_of_most(const std::vector<forecast>& all, const std::string& experiment);

/// Predictions within this of what was measured, in the median, count as borne out.
inline constexpr double allowed_error = 0.30;

}  // namespace synchro::simulations

#endif
