// What this machine tells about the threads of a wake experiment.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_HOST_WATCH_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_HOST_WATCH_HPP

#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "experiments/wakes/tasks.hpp"
#include "platform/scheduling.hpp"
#include "platform/thread_watch.hpp"
#include "synchro/hardware.hpp"

namespace synchro::experiments::wakes {

/// The contract is in wake_team.hpp.
class host_watch {
 public:
  explicit host_watch(unsigned sleepers) : numbers_(sleepers) {}

  void begin_waker(const wake_task& task) { raise_if(task, &warning_); }
  void begin_sleeper(unsigned i, const wake_task& task) {
    raise_if(task, nullptr);
    numbers_[i].store(platform::this_thread_number(), std::memory_order_release);
  }
  /// What raising the priority came to, if it was less than asked.
  [[nodiscard]] const std::optional<std::string>& warning() const noexcept { return warning_; }

  struct usage {
    double cpu_ns, voluntary, switches;
  };
  [[nodiscard]] static usage used() {
    const platform::scheduler_counters c = platform::own_usage();
    const auto voluntary = static_cast<double>(c.voluntary_switches.value_or(0));
    return {static_cast<double>(c.cpu_time_ns.value_or(0)), voluntary,
            voluntary + static_cast<double>(c.involuntary_switches.value_or(0))};
  }

  [[nodiscard]] bool all_asleep() {
    open_records();
    before_.clear();
    for (const platform::thread_watch& t : records_) {
      const auto seen = t.look();
      if (!seen || !seen->asleep) return false;
      before_.push_back(seen->slices);
    }
    for (std::size_t i = 0; i != records_.size(); ++i) {
      const auto seen = records_[i].look();
      if (!seen || !seen->asleep || seen->slices != before_[i]) return false;
    }
    return true;
  }

  static void rest(std::uint32_t round) {
    if (round < 64)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds{50});
  }

  /// Returns when `left()` says that no time is left.
  template <class Left>
  static void idle(Left left) {
    constexpr double awake_ns = 100e3;  // sleeping is not exact: the last of the time is watched
    for (double ns = left(); ns > 0; ns = left())
      if (ns > 2 * awake_ns)
        std::this_thread::sleep_for(std::chrono::nanoseconds{static_cast<std::int64_t>(ns - awake_ns)});
      else
        hardware::pause(1);
  }

  [[nodiscard]] std::map<std::string, unsigned> sleeps_in() {
    open_records();
    std::map<std::string, unsigned> calls;
    for (const platform::thread_watch& t : records_)
      if (const auto call = t.sleeps_in()) ++calls[*call];
    return calls;
  }

  /// Sleepers that are lost must not keep others from their processors.
  void put_sleepers_aside() const {
    for (const auto& number : numbers_)
      if (const long thread = number.load(std::memory_order_acquire); thread != 0)
        platform::thread_watch::put_aside(thread);
  }

 private:
  static void raise_if(const wake_task& task, std::optional<std::string>* warning) {
    if (task.priority == urgency::usual) return;
    platform::priority_outcome outcome =
        task.priority == urgency::raised ? platform::raise_priority_slightly() : platform::raise_priority();
    if (warning != nullptr) *warning = std::move(outcome.warning);
  }

  /// Called once all sleepers have begun.
  void open_records() {
    if (records_.empty())
      for (const auto& number : numbers_) records_.emplace_back(number.load(std::memory_order_acquire));
  }

  std::vector<std::atomic<long>> numbers_;
  std::vector<platform::thread_watch> records_;
  std::vector<std::optional<std::uint64_t>> before_;
  std::optional<std::string> warning_;
};

}  // namespace synchro::experiments::wakes

#endif
