// Modes: a hypervisor moves virtual processors between physical cores in mid-run, and a hand-off costs 50 ns in one
// second and 250 ns in the next. The distance of the processors in use is probed before, between and after repetitions;
// every sample is tagged with what its two neighbouring probes say, and modes are reported apart.

#ifndef SYNCHRO_MEASURE_MODE_HPP
#define SYNCHRO_MEASURE_MODE_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace synchro::measure {

/// One-way hand-off time between two processors, ns: the median of short rounds of a ping-pong on one line (about
/// `budget_us` in all). Nothing if either thread could not be pinned or was never scheduled beside the other.
[[nodiscard]] std::optional<double> probe_pair(unsigned a, unsigned b, double budget_us = 500);

/// Sorts probe values into modes: clusters on the logarithmic scale, at least a factor of results::modes_apart apart. A lone value
/// between or beyond the clusters is no mode: the processors moved while it was probed, or something else ran there.
class mode_map {
 public:
  explicit mode_map(std::span<const double> probes);
  /// Modes near to far; each with its median probe. At least one if there was a probe.
  struct mode {
    std::string name;  ///< "near", "far", "far2", ...: for reading; what is compared is the distance.
    double probe_ns;
    std::size_t probes;  ///< How many probes fell into it.
  };
  [[nodiscard]] const std::vector<mode>& modes() const { return modes_; }
  /// The mode of one probe; nothing if it belongs to none.
  [[nodiscard]] std::optional<std::size_t> of(double probe) const;
  /// The mode of a sample between two probes; nothing if they disagree (it flipped in between).
  [[nodiscard]] std::optional<std::size_t> of(double before, double after) const;

 private:
  struct range {
    double low, high;
  };
  std::vector<mode> modes_;
  std::vector<range> ranges_;  // of the probes that made the mode, without the margin around it
};

}  // namespace synchro::measure

#endif
