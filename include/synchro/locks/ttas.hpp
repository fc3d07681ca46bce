// TTAS: test, then test-and-set, with exponential back-off.
//
// Problem. A test-and-set lock writes at every look, and so do all its waiters: the line never rests and the holder
// waits for it, too. Reading costs nothing while the line is shared; writing is worth a try only when the lock was seen
// free. And when a release lets n waiters see that at once, n - 1 of them write in vain: so they look less and less
// often, each at times of its own.
//
// Picture.   state:  0 free   1 held
//
//   lock     look; free: exchange 1 for 0. Otherwise, or if a 1 came out, rest, twice as long each time up to a cap,
//            look again, and swap 0 to 1.
//   unlock   store 0.
//   try_lock only reads, unless the lock looks free.
//
// The rest is a function of the round and of the thread's slot, half of it fixed and half of it scattered: no state, no
// random numbers, the same on every run, and still different from thread to thread.
//
// Choose it for short sections under moderate contention where threads need not be served in order; its word is the
// smallest and its uncontended path the shortest. Do not choose it where waits must be bounded (nothing stops a thread
// from losing every race), nor for a lock that is always contended: back-off leaves it idle while everybody rests.
//
// Memory orders.
//   access                                order     pairs with
//   try_lock: load                        relaxed   nothing: only decides whether to try
//   try_lock: exchange; lock: compare-    acquire   unlock's store: the last critical section happens before this one;
//   and-swap                                        relaxed when it fails, for nothing is read then
//   lock: load between tries              relaxed   nothing: only decides whether to try
//   unlock: store of 0                    release   the exchange or compare-and-swap that reads it
//
// Source: `traits.citation`; the test before the test-and-set from Rudolph, Segall: Dynamic Decentralized Cache Schemes
// for MIMD Parallel Processors, ISCA 1984.

#ifndef SYNCHRO_LOCKS_TTAS_HPP
#define SYNCHRO_LOCKS_TTAS_HPP

#include <algorithm>
#include <cstdint>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin>
class basic_ttas_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "short sections, moderate contention, order does not matter; not where waits must be bounded",
      .citation =
          "Anderson: The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors, "
          "IEEE TPDS 1(1), 1990, III"};

  static_assert(!Waiting::parks, "this lock cannot sleep: its waiters share a word; mutex is one that sleeps");

  basic_ttas_lock() = default;
  basic_ttas_lock(const basic_ttas_lock&) = delete;
  basic_ttas_lock& operator=(const basic_ttas_lock&) = delete;

  void lock() noexcept {
    if (!try_lock()) [[unlikely]]
      lock_slowly();
  }

  [[nodiscard]] bool try_lock() noexcept {
    if (state_.load(memory_order::relaxed) != free) [[unlikely]]
      return false;
    return state_.exchange(held, memory_order::acquire) == free;
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return lock_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return lock_until(deadline_of<Machine>(moment));
  }

  void unlock() noexcept { state_.store(free, memory_order::release); }

  /// 0 while nobody has the lock, and then unlock() changes nothing. For a caller that only reads it.
  [[nodiscard]] const auto& word() const noexcept { return state_; }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;

  struct take_if_free {
    unsigned slot;

    attempt<std::uint32_t> operator()(std::uint32_t state, std::uint32_t round) const {
      if (state == free) return attempt<std::uint32_t>::write(held);
      return attempt<std::uint32_t>::retry(Waiting::retry(round, pauses(round)));
    }

    /// 1, 2, 4 ... up to the longest rest, each between a half and the whole of that, scattered by slot and round.
    [[nodiscard]] std::uint32_t pauses(std::uint32_t round) const {
      const std::uint32_t whole = 1U << std::min(round, longest_as_power);
      const std::uint32_t half = whole / 2;
      const std::uint32_t scattered = (slot * 0x9e37'79b9U) ^ (round * 0x85eb'ca6bU);
      return whole - (scattered >> 16) % (half + 1);
    }

    /// 128 pauses are some microseconds: longer than a hand-off between sockets, shorter than anybody notices.
    static constexpr std::uint32_t longest_as_power = 7;
  };

  /// Apart from lock, which needs no stack.
  [[gnu::noinline]] void lock_slowly() {
    Machine::update(state_, take_if_free{Machine::slot()}, memory_order::acquire, memory_order::relaxed);
  }

  bool lock_until(typename Machine::deadline until) {
    const auto outcome = Machine::update_until(state_, take_if_free{Machine::slot()}, memory_order::acquire,
                                               memory_order::relaxed, until);
    return outcome.has_value() && outcome->written;
  }

  typename Machine::template atomic<std::uint32_t> state_{free};
};

using ttas_lock = offered<basic_ttas_lock<>>;
using ttas_yield_lock = offered<basic_ttas_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
