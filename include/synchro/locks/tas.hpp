// TAS: the test-and-set lock. One word; the thread that exchanges a 1 for a 0 has the lock.
//
// Problem. The least a lock can be: one word, one atomic instruction to take it, one store to give it back.
//
// Picture.   state:  0 free   1 held
//
//   lock     exchange 1 into the word until a 0 comes out, with one pause between tries.
//   unlock   store 0.
//
// Every try is a write, so each waiter pulls the line to itself at every look, away from the holder, who needs it to
// release. It is here because the other locks are measured against it.
//
// Choose it for two threads, very short sections and rare contention, where its uncontended cost is all that counts. Do
// not choose it for more waiters (`ttas` looks before it writes), nor where everybody must get a turn: a thread that
// releases and tries again at once wins nearly always, for it has the line.
//
// Memory orders.
//   access                             order     pairs with
//   lock, try_lock: exchange           acquire   unlock's store: the last critical section happens before this one
//   unlock: store of 0                 release   the exchange that reads it
//
// A word, where a byte would do: several processors have no exchange on bytes and build it from a loop on the word. The
// lock is zero-initialised.
//
// Source: `traits.citation`.

#ifndef SYNCHRO_LOCKS_TAS_HPP
#define SYNCHRO_LOCKS_TAS_HPP

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
class basic_tas_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "two threads and tiny sections; not for more waiters, nor where everybody must get a turn",
      .citation =
          "Anderson: The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors, "
          "IEEE TPDS 1(1), 1990, III"};

  static_assert(!Waiting::parks, "this lock cannot sleep: its waiters share a word; mutex is one that sleeps");

  basic_tas_lock() = default;
  basic_tas_lock(const basic_tas_lock&) = delete;
  basic_tas_lock& operator=(const basic_tas_lock&) = delete;

  void lock() noexcept { Machine::exchange_until(state_, held, was_free, memory_order::acquire); }

  [[nodiscard]] bool try_lock() noexcept { return state_.exchange(held, memory_order::acquire) == free; }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return lock_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return lock_until(deadline_of<Machine>(moment));
  }

  void unlock() noexcept { state_.store(free, memory_order::release); }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;

  static look was_free(std::uint32_t old, std::uint32_t round) {
    return old == free ? look::done() : Waiting::retry(round);
  }

  bool lock_until(typename Machine::deadline until) {
    return Machine::exchange_until(state_, held, was_free, memory_order::acquire, until).has_value();
  }

  typename Machine::template atomic<std::uint32_t> state_{free};
};

using tas_lock = offered<basic_tas_lock<>>;
using tas_yield_lock = offered<basic_tas_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
