// Four sleepers on one word, with nothing of this project in it: a trigger exchanges the next round into the word, where ours
// must leave alone what others may write at the same time (synchro/wakes/team.hpp), and so compares and swaps.

#ifndef SYNCHRO_BENCH_BARE_TEAM_HPP
#define SYNCHRO_BENCH_BARE_TEAM_HPP

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace bare {

class team {
 public:
  void trigger() {
    ++round_;
    if ((word_.exchange(round_ & ~mark, std::memory_order_release) & mark) != 0)
      syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  /// Sleeper i, which has seen this round last; returns the one that has come. Looks five times, then sleeps.
  std::uint32_t wait(std::uint32_t seen) {
    for (int looks = 0;; ++looks) {
      std::uint32_t now = word_.load(std::memory_order_acquire);
      if ((now & ~mark) != seen) return now & ~mark;
      if (looks < 4) {
        sched_yield();
        continue;
      }
      if (now == seen && !word_.compare_exchange_strong(now, seen | mark, std::memory_order_relaxed)) continue;
      syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, seen | mark, nullptr, nullptr, 0);
    }
  }

 private:
  static constexpr std::uint32_t mark = 0x8000'0000;

  alignas(128) std::atomic<std::uint32_t> word_{0};
  alignas(128) std::uint32_t round_ = 0;
};

}  // namespace bare

#endif
