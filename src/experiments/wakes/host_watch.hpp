// What this machine knows of the threads of a wake experiment.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_HOST_WATCH_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_HOST_WATCH_HPP

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "measure/asleep.hpp"
#include "platform/scheduling.hpp"
#include "platform/timer.hpp"
#include "synchro/hardware.hpp"

namespace synchro::experiments::wakes {

/// The contract is in wake_team.hpp.
class host_watch {
 public:
  explicit host_watch(unsigned sleepers) : sleepers_{sleepers} {}

  void begin_sleeper(unsigned i) { sleepers_.enter(i); }

  /// What the system does not count is not a number.
  struct usage {
    double cpu_ns, voluntary, switches;
  };
  [[nodiscard]] static usage used() {
    const platform::scheduler_counters c = platform::own_usage();
    const double voluntary = counted(c.voluntary_switches);
    return {counted(c.cpu_time_ns), voluntary, voluntary + counted(c.involuntary_switches)};
  }

  [[nodiscard]] bool all_asleep() { return sleepers_.all_sleep_on(); }

  static void rest(std::uint32_t round) {
    if (round < 64)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds{50});
  }

  /// Returns when `left()` says that no time is left.
  template <class Left>
  static void idle(Left left) {
    platform::let_pass(left, platform::oversleep_ns(), platform::sleep_about, [] { hardware::pause(1); });
  }

  [[nodiscard]] std::map<std::string, unsigned> sleeps_in() { return sleepers_.sleep_in(); }

  void put_sleepers_aside() const { sleepers_.put_aside(); }

 private:
  static double counted(const std::optional<std::uint64_t>& count) {
    return count ? static_cast<double>(*count) : std::numeric_limits<double>::quiet_NaN();
  }

  measure::watched_threads sleepers_;
};

}  // namespace synchro::experiments::wakes

#endif
