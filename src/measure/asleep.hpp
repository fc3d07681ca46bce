// When threads are asleep, by the scheduler's own record: before a wake-up is measured, somebody must sleep.
//
// A record says that a thread waits at this moment, which it also does for a page, or for a lock on its way to the wait
// that is meant. Where a thread takes nothing on its way, one look is enough (until_asleep, until_all_asleep); where any
// primitive may be measured, all are looked at twice, and none may have been given a processor in between (all_sleep_on).

#ifndef SYNCHRO_MEASURE_ASLEEP_HPP
#define SYNCHRO_MEASURE_ASLEEP_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "platform/thread_watch.hpp"

namespace synchro::measure {

/// Where the system keeps no record, nobody is seen asleep: then threads are given this long to fall asleep.
inline void give_time_to_fall_asleep() { std::this_thread::sleep_for(std::chrono::milliseconds{1}); }

/// Gives way until the other sleeps.
inline void until_asleep(const platform::thread_watch& other) {
  if (!platform::tells_who_sleeps()) return give_time_to_fall_asleep();
  for (auto seen = other.look(); seen && !seen->asleep; seen = other.look()) std::this_thread::yield();
}

/// Threads that one other thread watches.
class watched_threads {
 public:
  explicit watched_threads(std::size_t threads) : numbers_(threads) {}

  /// By thread i itself.
  void enter(std::size_t i) { numbers_[i].store(platform::this_thread_number(), std::memory_order_release); }

  // By the one who watches; each waits until all have entered.

  void until_all_asleep() {
    if (!platform::tells_who_sleeps()) return give_time_to_fall_asleep();
    for (const platform::thread_watch& t : records()) until_asleep(t);
  }
  [[nodiscard]] bool all_sleep_on() {
    if (!platform::tells_who_sleeps()) {
      give_time_to_fall_asleep();
      return true;
    }
    before_.clear();
    for (const platform::thread_watch& t : records()) {
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
  /// How many sleep in which system call.
  [[nodiscard]] std::map<std::string, unsigned> sleep_in() {
    std::map<std::string, unsigned> calls;
    for (const platform::thread_watch& t : records())
      if (const auto call = t.sleeps_in()) ++calls[*call];
    return calls;
  }

  /// Those that are lost must not keep others from their processors. By anybody, at any time.
  void put_aside() const {
    for (const auto& number : numbers_)
      if (const long thread = number.load(std::memory_order_acquire); thread != 0)
        platform::thread_watch::put_aside(thread);
  }

 private:
  const std::vector<platform::thread_watch>& records() {
    if (records_.empty())
      for (const std::atomic<long>& number : numbers_) {
        while (number.load(std::memory_order_acquire) == 0) std::this_thread::yield();
        records_.emplace_back(number.load(std::memory_order_acquire));
      }
    return records_;
  }

  std::vector<std::atomic<long>> numbers_;
  std::vector<platform::thread_watch> records_;
  std::vector<std::optional<std::uint64_t>> before_;
};

}  // namespace synchro::measure

#endif
