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
/// Raises the calling thread as high as permitted: SCHED_FIFO, else nice, else nothing. Threads that it starts inherit
/// it. Never throws.
[[nodiscard]] priority_outcome raise_priority();
/// Raises the calling thread by a little: two steps of nice, as a thread of the highest priority within its class has on
/// systems with such steps. It gets a larger share of a processor, but nobody is kept from running. Never throws.
[[nodiscard]] priority_outcome raise_priority_slightly();
/// Gives the calling thread back what it had before it was raised; nothing happens if it was not.
void restore_priority();

/// The scheduler's record of the calling thread or of the machine, cumulative; nothing where the system does not tell.
struct scheduler_counters {
  std::optional<std::uint64_t> involuntary_switches;
  std::optional<std::uint64_t> voluntary_switches;
  std::optional<std::uint64_t> run_delay_ns;  ///< Time spent runnable but not running (schedstat).
  std::optional<std::uint64_t> cpu_time_ns;
};
[[nodiscard]] scheduler_counters thread_counters();
/// The same without run_delay_ns, which takes reading a file: two calls to the system.
[[nodiscard]] scheduler_counters own_usage();
/// Steal time of the given processors since boot, ns; in steps of the kernel's tick, often 10 ms. `root` is where the
/// system's files are looked for.
[[nodiscard]] std::optional<std::uint64_t> steal_ns(const std::vector<unsigned>& cpus, const std::string& root = "/");
/// The processor that the calling thread runs on just now.
[[nodiscard]] unsigned running_on();

/// Package energy counters (RAPL through powercap). Reading costs microseconds: outside measured intervals only.
class energy_meter {
 public:
  /// `zones` is the folder with the counters.
  explicit energy_meter(const std::string& zones = "/sys/class/powercap");
  [[nodiscard]] bool available() const noexcept { return !zones_.empty(); }
  /// One clause if it is not available, else empty.
  [[nodiscard]] const std::string& why_not() const noexcept { return why_not_; }
  /// Joules since the meter was made, summed over packages, wrap-around handled between calls less than a wrap apart.
  /// Nothing if a counter cannot be read.
  [[nodiscard]] std::optional<double> joules();

 private:
  struct zone {
    std::string path;
    std::uint64_t range;  // microjoules at which the counter starts again at 0
    std::uint64_t last;   // microjoules at the last reading
    double joules;
  };
  std::vector<zone> zones_;
  std::string why_not_;
};

}  // namespace synchro::platform

#endif
