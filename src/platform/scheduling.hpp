// Priority of a thread, what the scheduler did to it, and the energy it took.

#ifndef SYNCHRO_PLATFORM_SCHEDULING_HPP
#define SYNCHRO_PLATFORM_SCHEDULING_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform {

/// How urgent a thread is to the scheduler.
enum class urgency : std::uint8_t {
  usual,    ///< As it is.
  raised,   ///< A little more: it gets a larger share of a processor, but nobody is kept from running.
  highest,  ///< As high as a thread may be without raising any other.
};

/// What raising the priority came to.
struct priority_outcome {
  std::string granted = "default";          ///< "fifo:99", "nice:-20", "normal:time_critical", ...
  std::optional<std::string> warning = {};  ///< One sentence if less was granted than asked.
};

/// The calling thread is raised while this lives: by SCHED_FIFO, else nice; on Windows within the class of its process.
/// What other threads have stays as it is. Threads that this thread makes inherit it on Linux, and on Windows do not.
class raised_priority {
 public:
  /// Never throws because of a refusal.
  explicit raised_priority(urgency how);
  /// Gives that thread back what it had, whoever calls this; unless it keeps it, the thread must not have ended.
  ~raised_priority();
  raised_priority(const raised_priority&) = delete;
  raised_priority& operator=(const raised_priority&) = delete;

  [[nodiscard]] const priority_outcome& outcome() const noexcept { return outcome_; }
  /// The thread ends raised.
  void keep() noexcept { before_.reset(); }

 private:
  /// In the system's own numbers.
  struct standing {
    long thread;
    int policy, priority, nice;
  };
  std::optional<standing> before_;
  priority_outcome outcome_;
};

/// What a thread can have at most, in a process of its own if it takes one: tried, and given back.
[[nodiscard]] priority_outcome highest_priority_allowed();

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
/// The steps in which cpu_time_ns grows where they are coarse, in ns: of less than many of them it tells nothing. 0: exact.
[[nodiscard]] double cpu_time_step_ns();
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
