// Priority of a thread, what the scheduler did to it, and the energy it took.

#ifndef SYNCHRO_PLATFORM_SCHEDULING_HPP
#define SYNCHRO_PLATFORM_SCHEDULING_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform {

/// What raising the priority came to.
struct priority_outcome {
  std::string granted;                 ///< "fifo:99", "nice:-20", "default", ...
  std::optional<std::string> warning;  ///< One sentence if less was granted than asked.
};
/// Raises the calling thread as high as permitted: SCHED_FIFO, else nice, else nothing. Never throws.
[[nodiscard]] priority_outcome raise_priority();
void restore_priority();

/// The scheduler's record of the calling thread or of the machine, cumulative; nothing where the system does not tell.
struct scheduler_counters {
  std::optional<std::uint64_t> involuntary_switches;
  std::optional<std::uint64_t> voluntary_switches;
  std::optional<std::uint64_t> run_delay_ns;  ///< Time spent runnable but not running (schedstat).
  std::optional<std::uint64_t> cpu_time_ns;
};
[[nodiscard]] scheduler_counters thread_counters();
/// Steal time of the given processors since boot, ns.
[[nodiscard]] std::optional<std::uint64_t> steal_ns(const std::vector<unsigned>& cpus);
[[nodiscard]] unsigned running_on();

/// Package energy counters (RAPL through powercap). Reading costs microseconds: outside measured intervals only.
class energy_meter {
 public:
  energy_meter();
  [[nodiscard]] bool available() const noexcept { return !zones_.empty(); }
  [[nodiscard]] const std::string& why_not() const noexcept { return why_not_; }
  /// Joules since an arbitrary moment, summed over packages, wrap-around handled between calls less than a wrap apart.
  [[nodiscard]] std::optional<double> joules();

 private:
  struct zone {
    std::string path;
    std::uint64_t range;
    std::uint64_t last;
    double joules;
  };
  std::vector<zone> zones_;
  std::string why_not_;
};

}  // namespace synchro::platform

#endif
