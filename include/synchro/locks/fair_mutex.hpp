// Fair mutex: a mutex that anybody may take when it is free, until those who wait have been passed often enough.
//
// Problem. A mutex that goes to whoever comes first after a release is fast: the thread that runs takes it again while a
// sleeper is still waking up. But nothing bounds how often a sleeper is passed. A queue lock bounds it by zero, and pays for
// it by a wake-up at every hand-off once threads are more than processors. In between: whoever finds the lock free may
// take it; a thread that has waited for a while stands in line; each who takes the lock past the line is counted; and when the
// count is up, nobody passes until all have been served who stood in line at that moment.
//
// Picture.   state   [ asleep | closed | waiters: 28 bits | held: 2 bits ]
//            line    an MCS queue of the waiters; the holder of its lock is the front
//            count   the holder's: passes; or, of a closed line, how many are to be served before it may be passed again
//
//   lock     compare-and-swap 0 to held. Failing that, look for a while and take it as soon as it is free, counting a
//            pass of an open line; otherwise count as a waiter and stand in line. The front takes the lock when it
//            is free, or adds itself as a sleeper, which holds the lock a second time, and sleeps on the state. Having taken it, it
//            lets the next one be the front.
//   unlock   subtract held. If the front is asleep, the lock is still held by its sign: take held and asleep away, and
//            wake the front.
//   pass     the thread that makes the last pass that is allowed closes the line, and counts the waiters: they are due. Each of the line
//            that is served counts that down; at 0 the line is open, and passes are counted anew. It is open, too, when nobody
//            waits.
//
// Bound. A thread in the line when that is closed is among those that are due, for all who stand there have been counted, and
// the line is served in order. A thread that comes later meets no passes until those have been served, and then at most as many as
// are allowed before it is closed again. So all others together pass a waiter that stands in line at most `Bypasses` times;
// less often if waiters have given up since the count began. A thread that still looks does not stand there yet; it looks a
// bounded number of times.
//
// `Bypasses` is 100,000. It is large, for a closed line is expensive: each of those in it is served by a sleep and a
// wake-up. The bound is proved with `Bypasses` of 1 and 2 (`synchroscope verify fair_mutex/bound`), within the limits
// of docs/verification.md#how-far.
//
// Only the front sleeps on the state, so one wake-up finds whom it is for. Nobody is the front for longer than it takes
// to get the lock, and a front that gives up lets the next one look for itself: a wake-up that came too late is not lost.
//
// Costs. `synchro::fair_mutex` is constant-initialised and takes 32 bytes. While nobody stands in line, lock() and
// unlock() execute no more instructions than those of `mutex`. lock(), try_lock() and unlock() throw nothing and take
// no memory: the place of a waiter in the line is on its stack. A waiter with a deadline takes a node from a pool once
// it stands in line, and may throw std::bad_alloc; so a library that uses the timed functions stays loaded until the
// process ends, as with the queue locks. try_lock() passes the line like any other, and fails beside a closed line even
// if the lock is free for a moment. A waiter looks `hardware::spin_looks()` times before it stands in line, and at most
// 2^28 - 1 threads may wait. The lock always sleeps in the end, so it has no variants.
//
//   synchro::fair_mutex lock;
//   synchro::basic_fair_mutex_lock<synchro::hardware, synchro::spin_park, 10> fairer;  // ten may pass
//
// Choose it where `mutex` would do but no thread may starve. Do not choose it where waiters must be served in order
// (`mcs/park`).
//
// Memory orders.
//   access                                      order     pairs with
//   lock: compare-and-swap, updates             acquire   unlock's fetch_sub: the last section happens before this one
//   unlock: fetch_sub                           release   those of lock
//   unlock: fetch_and                           relaxed   those of lock, too: it continues the release sequence of the
//                                                         fetch_sub before it
//   wait: fetch_add of the waiter               relaxed   nothing: the line is joined after it, and whoever serves the last
//                                                         due one is behind all passes in the state's own order
//   give up: update                             relaxed   nothing: it publishes nothing
//   close, open: fetch_or, fetch_and            relaxed   nothing: by the holder, whose unlock releases
//   the line: see mcs.hpp
//
// Source: `traits.citation`. In both, waiters may be passed for a while and then not, and the front of the line
// competes with those who come. Both end the passing by time; here it ends by number, which is a bound.

#ifndef SYNCHRO_LOCKS_FAIR_MUTEX_HPP
#define SYNCHRO_LOCKS_FAIR_MUTEX_HPP

#include <cstdint>
#include <optional>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/patience.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Bypasses`: how often a waiter in line may be passed, by all others together; at least once.
template <class Machine = hardware, class Waiting = spin_park, std::uint32_t Bypasses = 100'000>
class basic_fair_mutex_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "as mutex, where no thread may starve; not where waiters must be served in order",
      .fair = fairness::bounded,
      .bypass = Bypasses,
      .citation = "Pizlo: Locking in WebKit, 2016 (eventual fairness); Go, sync.Mutex, 2017"};

  static_assert(Waiting::parks, "this lock is a way to sleep; ticket is fair without");
  static_assert(Bypasses >= 1, "mcs/park is never passed");
  static constexpr bool parks = true;

  constexpr basic_fair_mutex_lock() = default;
  basic_fair_mutex_lock(const basic_fair_mutex_lock&) = delete;
  basic_fair_mutex_lock& operator=(const basic_fair_mutex_lock&) = delete;

  void lock() noexcept {
    if (!take_at_once()) [[unlikely]]
      lock_slowly();
  }

  [[nodiscard]] bool try_lock() noexcept { return take_at_once() || take_within(0); }

  /// Errors: the timed forms may throw std::bad_alloc, for they take a node once they stand in line; nothing has changed
  /// then.
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return try_lock() || lock_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return try_lock() || lock_until(deadline_of<Machine>(moment));
  }

  void unlock() noexcept {
    if (is_asleep(state_.fetch_sub(held, memory_order::release) - held)) [[unlikely]]
      unlock_slowly();
  }

 private:
  using line_lock = basic_mcs_lock<Machine, detail::at_once>;
  using answer = attempt<std::uint32_t>;

  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;  // once by the holder, and once more while the front is asleep
  static constexpr std::uint32_t any_held = 3;
  static constexpr std::uint32_t waiter = 4;
  static constexpr std::uint32_t closed = 1U << 30;
  static constexpr std::uint32_t asleep = 1U << 31;  // the front; the sign, so that unlock looks at nothing but flags

  /// Rounds beside a line and of its front: about the time of one short critical section and its hand-off.
  static constexpr std::uint32_t rounds_beside_line = detail::patience::short_rounds;

  static constexpr bool is_free(std::uint32_t v) { return (v & any_held) == 0; }
  static constexpr bool is_asleep(std::uint32_t v) { return static_cast<std::int32_t>(v) < 0; }
  static constexpr bool is_closed(std::uint32_t v) { return (v & closed) != 0; }
  static constexpr std::uint32_t waiters(std::uint32_t v) { return v % closed / waiter; }
  /// One waiter less; a line of nobody is open.
  static constexpr std::uint32_t one_less(std::uint32_t v) { return (waiters(v) > 1 ? v : v & ~closed) - waiter; }
  static constexpr std::uint32_t with_sleeper(std::uint32_t v) { return is_asleep(v) ? v : v + asleep + held; }

  bool take_at_once() noexcept {
    std::uint32_t seen = free;
    return state_.compare_exchange_strong(seen, held, memory_order::acquire, memory_order::relaxed);
  }

  /// Takes the lock, past the line if that may be passed once more; declines after so many rounds.
  bool take_within(std::uint32_t rounds) noexcept {
    const auto take = [rounds](std::uint32_t v, std::uint32_t round) {
      const bool line = waiters(v) != 0;
      if (is_closed(v)) return answer::decline();
      if (is_free(v)) return answer::write(v + held);
      const std::uint32_t most = line && rounds > rounds_beside_line ? rounds_beside_line : rounds;
      return round < most ? answer::retry(detail::patience::rest(round)) : answer::decline();
    };
    const auto taken = Machine::update(state_, take, memory_order::acquire, memory_order::relaxed);
    if (taken.written && waiters(taken.seen) != 0) count_pass();
    return taken.written;
  }

  void count_pass() noexcept {
    const std::uint32_t passes = count_ + 1;
    count_ = passes;
    if (passes >= Bypasses) close();
  }

  void close() noexcept {
    const std::uint32_t due = waiters(state_.fetch_or(closed, memory_order::relaxed));
    count_ = due;
    if (due == 0) open();  // the last one has given up just now
  }

  void open() noexcept { state_.fetch_and(~closed, memory_order::relaxed); }

  /// Apart from lock, which needs no stack.
  [[gnu::noinline]] void lock_slowly() noexcept {
    if (looked_in_vain()) {
      typename line_lock::node mine;
      state_.fetch_add(waiter, memory_order::relaxed);
      line_.lock(mine);
      take_as_front(Machine::never);
      line_.unlock(mine);
    }
  }

  [[gnu::noinline]] bool lock_until(typename Machine::deadline until) {
    if (!looked_in_vain()) return true;
    state_.fetch_add(waiter, memory_order::relaxed);
    if (!stand_in_line(until)) return false;
    const bool taken = take_as_front(until);
    line_.unlock();
    return taken;
  }

  bool looked_in_vain() noexcept {
    const std::uint32_t rounds = detail::patience::rounds_of(Machine::spin_looks());
    return rounds == 0 || !take_within(rounds);
  }

  /// A waiter until the line is its own; not if the deadline comes first, nor if the pool has no node and it throws.
  bool stand_in_line(typename Machine::deadline until) {
    struct waiter_until {
      basic_fair_mutex_lock* lock;
      ~waiter_until() {
        if (lock != nullptr) lock->give_up();
      }
    } mine{this};
    if (!line_.try_lock_until(until)) return false;
    mine.lock = nullptr;
    return true;
  }

  bool give_up() noexcept {
    const auto leave = [](std::uint32_t v) { return answer::write(one_less(v)); };
    Machine::update(state_, leave, memory_order::relaxed, memory_order::relaxed);
    return false;
  }

  /// False if the deadline came first.
  bool take_as_front(typename Machine::deadline until) noexcept {
    const auto take_or_sign = [](std::uint32_t v, std::uint32_t round) {
      if (is_free(v)) return answer::write(one_less(v) + held);
      return round < rounds_beside_line ? answer::retry(detail::patience::rest(round)) : answer::write(with_sleeper(v));
    };
    for (bool too_late = false;;) {
      const std::uint32_t seen =
          Machine::update(state_, take_or_sign, memory_order::acquire, memory_order::relaxed).seen;
      if (is_free(seen)) {
        count_served(seen);
        return true;
      }
      if (too_late) return give_up();
      too_late = Machine::park(state_, with_sleeper(seen), until);
    }
  }

  /// `seen`: the state before the front took the lock.
  void count_served(std::uint32_t seen) noexcept {
    if (waiters(seen) == 1) {
      count_ = 0;
    } else if (is_closed(seen)) {
      const std::uint32_t left = count_ - 1;
      count_ = left;
      if (left == 0) open();
    }
  }

  [[gnu::noinline]] void unlock_slowly() noexcept {
    state_.fetch_and(~(any_held | asleep), memory_order::relaxed);
    Machine::unpark(&state_, 1);
  }

  typename Machine::template atomic<std::uint32_t> state_{free};
  typename Machine::template plain<std::uint32_t> count_{0};  // the holder's
  line_lock line_;
};

using fair_mutex = offered<basic_fair_mutex_lock<>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
