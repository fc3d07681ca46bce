// Counting semaphore: a number of units in one word; a thread that finds none sleeps.
//
// Problem. A number of equal things (places, buffers, jobs) is taken one by one by many threads. Whoever gives some back
// must wake those who sleep, and make no call if nobody does; and after it has given, the semaphore may be gone.
//
// Picture.   [ asleep |  how many are left: 31 bits ]
//
//   acquire   if there is one, take it. Otherwise look for a while, then set the mark `asleep` and sleep while there is none.
//   release   adds n and takes the mark away, by one step; if it was there, wakes n.
//
// The mark says that somebody may sleep, not how many. So a thread that has slept sets it again when it takes one, for others may
// sleep still; and if it leaves some behind it wakes one more, for a release that found no mark has woken nobody. A
// waiter whose deadline has come tries once more before it gives up, and leaves the mark: what it was woken for is either
// used or left to the next release.
//
// `synchro::counting_semaphore places{4};` has the interface of std::counting_semaphore. The thread that acquires may
// destroy it, even before release(n) has returned. Waiters have no order. max() is 2^31 - 1, also for
// `synchro::binary_semaphore`, which is the same type.
//
// Choose it to limit how many do something at once, or to count what is there. Do not choose it as a lock (mutex: no
// thread can wait for a semaphore that it should have released itself), nor for a condition that is more than a number.
//
// Memory orders.
//   access                           order     pairs with
//   acquire, take: update            acquire   release: what was done before it. relaxed when there is none
//   acquire, set the mark: the same  acquire   the same update decides
//   release: update                  release   those
//
// Source: Dijkstra: Over de sequentialiteit van procesbeschrijvingen, EWD 35, 1962 (P and V); the mark is that of Drepper:
// Futexes Are Tricky, 2011, section 6, for more than one.

#ifndef SYNCHRO_SYNC_COUNTING_SEMAPHORE_HPP
#define SYNCHRO_SYNC_COUNTING_SEMAPHORE_HPP

#include <cstddef>
#include <cstdint>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = yield_then_park>
class basic_counting_semaphore {
 public:
  static constexpr bool parks = true;
  static_assert(Waiting::parks, "this semaphore is a way to sleep");

  /// `count` is at most max().
  constexpr explicit basic_counting_semaphore(std::ptrdiff_t count) : word_{static_cast<std::uint32_t>(count)} {}
  basic_counting_semaphore(const basic_counting_semaphore&) = delete;
  basic_counting_semaphore& operator=(const basic_counting_semaphore&) = delete;

  static constexpr std::ptrdiff_t max() noexcept { return left; }

  /// More than max() altogether is not allowed.
  void release(std::ptrdiff_t n = 1) noexcept {
    if (n == 0) return;  // and the mark stays
    const auto more = static_cast<std::uint32_t>(n);
    const auto add = [more](std::uint32_t v) { return attempt<std::uint32_t>::write((v & left) + more); };
    const std::uint32_t old = Machine::update(word_, add, memory_order::release, memory_order::relaxed).seen;
    if ((old & asleep) != 0) [[unlikely]]
      Machine::unpark(&word_, more);
  }

  void acquire() noexcept {
    if (!try_acquire()) [[unlikely]]
      acquire_until(Machine::never);
  }

  [[nodiscard]] bool try_acquire() noexcept {
    const auto take = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return (v & left) != 0 ? answer::write(v - 1) : answer::decline();
    };
    return Machine::update(word_, take, memory_order::acquire, memory_order::relaxed).written;
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_acquire_for(const std::chrono::duration<Rep, Period>& patience) {
    return try_acquire() || acquire_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return try_acquire() || acquire_until(deadline_of<Machine>(moment));
  }

 private:
  static constexpr std::uint32_t asleep = 0x8000'0000;
  static constexpr std::uint32_t left = asleep - 1;

  [[gnu::noinline]] bool acquire_until(typename Machine::deadline until) noexcept {
    using answer = attempt<std::uint32_t>;
    const auto look_for = [this]<class Rest>(Rest /*rest*/, looks many) {
      const auto take_or_rest = [](std::uint32_t v) {
        return (v & left) != 0 ? answer::write(v - 1) : answer::retry(Rest{}());
      };
      return Machine::update_until(word_, take_or_rest, memory_order::acquire, memory_order::relaxed, many).has_value();
    };
    if (Waiting::template look_first<Machine>(&word_, look_for)) return true;
    const auto take_and_mark = [](std::uint32_t v) { return answer::write(((v & left) != 0 ? v - 1 : v) | asleep); };
    for (bool too_late = false;;) {
      const std::uint32_t seen =
          Machine::update(word_, take_and_mark, memory_order::acquire, memory_order::relaxed).seen & left;
      if (seen > 1) Machine::unpark(&word_, 1);
      if (seen != 0) return true;
      if (too_late) return false;
      too_late = Machine::park(word_, asleep, until);
    }
  }

  typename Machine::template atomic<std::uint32_t> word_;
};

using counting_semaphore = basic_counting_semaphore<>;
using binary_semaphore = basic_counting_semaphore<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
