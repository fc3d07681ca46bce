// How a sleeper of a wake primitive waits, and how many of them are released together.
//
// Waiting for a lock ends with a section; waiting to be woken usually takes long, and a thread that looks meanwhile
// keeps a processor from those who were woken with it. So the primitives here look a few times only, and give the
// processor away in between:
//
//   policy       looks                       then
//   brief_park   five times, giving way      sleeps
//   spin_park    for about as long as going to sleep and waking costs (waiting.hpp), then sleeps
//   spin, spin_yield                         as waiting.hpp says
//
// To give way costs about a microsecond, of a waiter that would sleep anyway. Where threads are more than processors,
// those that lie down at once are woken in an order in which the waker has to stop for them: with four sleepers on two
// processors a trigger took 7 % longer, and the mean sleeper woke 6 % later (bench/wakes). libstdc++ gives way four
// times, too.
//
// A policy's pair of wait(word) and hand_over(word) is for one waiter. Where several threads wait on one word, all for the
// same value to go away, who changes it takes the mark away, and wakes all if it was there (team.hpp).

#ifndef SYNCHRO_WAKES_WAITING_HPP
#define SYNCHRO_WAKES_WAITING_HPP

#include <cstdint>
#include <optional>

#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// The same machine, whose waiters look no more.
template <class Machine>
struct impatient : Machine {
  static constexpr looks spin_looks() noexcept { return looks{0}; }
};

}  // namespace detail

/// Looks a few times, giving the processor away in between, then sleeps.
struct brief_park : spin_park {
  static constexpr const char* name = "brief";
  static constexpr std::uint32_t most_looks = 4;  // besides the first
  static constexpr look rest = look::after_yield();

  template <class Machine>
  static std::uint32_t wait(detail::word_of<Machine>& word, std::uint32_t awaited) {
    return *wait_until<Machine>(word, awaited, Machine::never);
  }
  template <class Machine>
  static std::optional<std::uint32_t> wait_until(detail::word_of<Machine>& word, std::uint32_t awaited,
                                                 typename Machine::deadline until) {
    const auto give_way = [=](std::uint32_t v) { return (v & ~asleep) != awaited ? look::content() : rest; };
    if (const auto v = Machine::await_until(word, memory_order::acquire, give_way, looks{most_looks})) return v;
    return spin_park::wait_until<detail::impatient<Machine>>(word, awaited, until);
  }
};

namespace detail {

/// How often a waiter that is to sleep looks before it does.
template <class Machine, class Waiting>
constexpr looks looks_before_sleep() {
  if constexpr (requires { Waiting::most_looks; })
    return looks{Waiting::most_looks};
  else
    return Machine::spin_looks();
}

/// How such a waiter rests between its looks.
template <class Waiting>
constexpr look rest_before_sleep() {
  if constexpr (requires { Waiting::rest; })
    return Waiting::rest;
  else
    return look::again();
}

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
