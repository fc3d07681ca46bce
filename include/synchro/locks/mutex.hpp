// Mutex: one word, four states; looks for a while, then sleeps in the kernel.
//
// Problem. A program does not know how many threads will run it on how many processors. Its lock must cost next to
// nothing alone, hand over without the kernel when the holder is about to finish, and put threads to sleep when it is
// not. The kernel is asked to wake somebody only if somebody may sleep, and the lock says so in the word that it
// sleeps on.
//
// Picture.   0 free   --lock-->   1 held   --somebody is about to sleep-->   3 held, sleepers
//                     --lock, having slept-->      2 held, perhaps sleepers
//
//   lock     compare-and-swap 0 to 1. Failing that, look for a while (detail/patience.hpp); as soon as the word is 0,
//            swap it to 1. If the time is up, exchange 3 into the word: if 0 came out, the lock is mine; otherwise
//            sleep while it is 3. A woken thread does all this again, but takes the lock as 2.
//   unlock   exchange 0 into the word; if 2 or 3 came out, wake one.
//
// A thread that has slept takes the lock as 2, for it does not know whether others still sleep; that costs one idle
// wake-up in the end and never loses one. A waiter whose deadline has come exchanges once more before it gives up: the
// wake-up it may have consumed is either used, or left to the next release by the 3 it has just written.
//
// The word says nothing of those who sleep while one whom a release has woken still looks. Whoever takes the lock in
// the meantime takes it as 1, and its release wakes nobody: one at a time is on the way from sleep, and the kernel is
// entered once for each who sleeps and not once for each release.
//
// Where others are known to sleep a newcomer looks only briefly: the lock is hard to get, and a processor spent on
// looking is one that the holder may be waiting for. Not looking at all would be worse, because the lock is about to be free for a
// moment. A newcomer that finds 2 looks as long as usual, for 2 does not say that others sleep: of two threads that have slept once,
// each would find the other's 2 and go to sleep again at every meeting.
//
// A waiter looks `hardware::spin_looks()` times before it sleeps; a program that has measured its machine sets that
// with `hardware::calibrate`. After the first three looks, which are spaced further and further apart, it yields its
// processor between looks; a yield counts as 128 looks (synchro/detail/patience.hpp).
//
// `synchro::mutex` is constant-initialised and takes 4 bytes. std::condition_variable_any works with it, as does the
// library's own condition variable (docs/sync/condition_variable.md). It always sleeps in the end, so it has no
// variants; `tas` and `ttas` are locks of one word that do not sleep.
//
// Choose it when in doubt: any number of threads, sections of any length. Do not choose it where waiters must be served
// in order, or where a thread must never enter the kernel.
//
// Memory orders.
//   access                                       order     pairs with
//   lock: compare-and-swap, exchange of 3        acquire   unlock's exchange: the last critical section happens before
//                                                          this one; relaxed when the compare-and-swap fails
//   lock: load between tries                     relaxed   nothing: only decides whether to try
//   unlock: exchange of 0                        release   the read-modify-write that reads it. A waiter's exchange of
//                                                          3 and this one are in one modification order: either it
//                                                          sees the 0, or this one sees the 3 and wakes it, or the
//                                                          kernel sees that the word is not 3 and does not let it sleep
//
// Source: `traits.citation` ("mutex3"); that one at a time is woken, and looks before it sleeps again: Pizlo: Locking
// in WebKit, 2016.

#ifndef SYNCHRO_LOCKS_MUTEX_HPP
#define SYNCHRO_LOCKS_MUTEX_HPP

#include <cstdint>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/patience.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin_park>
class basic_mutex_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "when in doubt; not where waiters must be served in order or must never enter the kernel",
      .citation = "Drepper: Futexes Are Tricky, 2011, section 6"};

  static_assert(Waiting::parks, "this lock is a way to sleep; tas and ttas are the same without");
  static constexpr bool parks = true;

  constexpr basic_mutex_lock() = default;
  basic_mutex_lock(const basic_mutex_lock&) = delete;
  basic_mutex_lock& operator=(const basic_mutex_lock&) = delete;

  void lock() noexcept {
    if (!try_lock()) [[unlikely]]
      lock_slowly(Machine::never);
  }

  [[nodiscard]] bool try_lock() noexcept {
    std::uint32_t seen = free;
    return state_.compare_exchange_strong(seen, held, memory_order::acquire, memory_order::relaxed);
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return try_lock() || lock_slowly(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return try_lock() || lock_slowly(deadline_of<Machine>(moment));
  }

  void unlock() noexcept {
    if (state_.exchange(free, memory_order::release) > held) [[unlikely]]
      Machine::unpark(&state_, 1);
  }

  /// 0 while nobody has the lock, and then unlock() changes nothing. For a caller that only reads it.
  [[nodiscard]] const auto& word() const noexcept { return state_; }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;
  static constexpr std::uint32_t held_by_sleeper = 2;  // by one who has slept: others may sleep still
  static constexpr std::uint32_t held_with_sleepers = 3;

  /// About the time of one short critical section and its hand-off.
  static constexpr std::uint32_t rounds_beside_sleepers = detail::patience::short_rounds;

  /// Takes the lock as soon as it is free; declines when it is time to sleep.
  static auto take_or_sleep(std::uint32_t taken, std::uint32_t rounds) {
    using answer = attempt<std::uint32_t>;
    return [=](std::uint32_t state, std::uint32_t round) {
      if (state == free) return answer::write(taken);
      const std::uint32_t most =
          state == held_with_sleepers && rounds > rounds_beside_sleepers ? rounds_beside_sleepers : rounds;
      return round < most ? answer::retry(detail::patience::rest(round)) : answer::decline();
    };
  }

  /// Apart from lock, which needs no stack.
  [[gnu::noinline]] bool lock_slowly(typename Machine::deadline until) {
    const std::uint32_t rounds = detail::patience::rounds_of(Machine::spin_looks());
    std::uint32_t taken = held;
    for (bool too_late = false;; taken = held_by_sleeper) {
      const auto outcome = Machine::update_until(state_, take_or_sleep(taken, rounds), memory_order::acquire,
                                                 memory_order::relaxed, until);
      if (outcome.has_value() && outcome->written) return true;
      if (state_.exchange(held_with_sleepers, memory_order::acquire) == free) return true;
      if (too_late) return false;
      too_late = Machine::park(state_, held_with_sleepers, until);
    }
  }

  typename Machine::template atomic<std::uint32_t> state_{free};
};

using mutex = offered<basic_mutex_lock<>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
