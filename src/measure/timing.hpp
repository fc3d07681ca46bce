// How a batch is timed: between two ordered stamps, less what two stamps cost that have nothing between them.

#ifndef SYNCHRO_MEASURE_TIMING_HPP
#define SYNCHRO_MEASURE_TIMING_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "measure/laboratory.hpp"
#include "statistics/statistics.hpp"

namespace synchro::measure {

/// Mean time between two adjacent stamps, ns. A single one is shorter than the clock resolves; the mean is not.
template <class L>
[[nodiscard]] double empty_region(std::size_t pairs = 1000) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::uint64_t start = L::now();
    sum += L::now() - start;
  }
  return L::to_ns(sum) / static_cast<double>(pairs);
}

/// The empty region, robust against interruptions.
template <class L>
[[nodiscard]] double usual_empty_region() {
  std::vector<double> means;
  for (int i = 0; i < 11; ++i) means.push_back(empty_region<L>());
  return results::median(means);
}

/// What one repetition's batches came to.
struct batches {
  std::vector<double> each_ns;    ///< Of one operation, the empty region subtracted; one value for each batch.
  std::vector<double> region_ns;  ///< From stamp to stamp, nothing subtracted.
  std::uint64_t unexpected = 0;   ///< Timed accesses that did not find what the preparation had left.
  team_report team = {};

  void add(double ns, double empty_ns, std::size_t operations) {
    region_ns.push_back(ns);
    each_ns.push_back((ns - empty_ns) / static_cast<double>(operations));
  }

  /// True if the usual region is shorter than twenty steps of the clock.
  [[nodiscard]] bool clock_limited(double resolution_ns) const {
    return results::median(region_ns) < 20 * resolution_ns;
  }
};

/// The step in which the clock advances.
[[nodiscard]] double clock_step_ns();

/// True if an interval is shorter than twenty steps of the clock.
[[nodiscard]] bool too_short_for_the_clock(double interval_ns);

/// p50, p90, p99, p99.9 and p99.99, as far as so many samples can show them.
[[nodiscard]] std::map<std::string, double> tail_quantiles(const std::vector<double>& samples);

/// Many intervals of which each was timed by itself.
struct timed_singly {
  double median;                            ///< ns; interpolated within a step of the clock.
  std::map<std::string, double> quantiles;  ///< As of `tail_quantiles`, ns.
  bool too_short;                           ///< The median is less than four steps: it may be off by a fortieth.
};

/// `ns`: at least one, read from a clock that advances in steps of `step_ns` and that no interval keeps time with; 0: exact, as a
/// simulated one is. Of intervals of one length that a step does not divide the median is off by a tenth of a step at most.
[[nodiscard]] timed_singly time_singly(const std::vector<double>& ns, double step_ns);

}  // namespace synchro::measure

#endif
