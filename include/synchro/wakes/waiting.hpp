// How a sleeper of a wake primitive waits, and how many of them are released together.
//
// Who waits for a lock waits for a section to end; who waits to be woken usually waits for long, and while it looks it
// keeps a processor from those who were woken with it. So the primitives here do not look again before they sleep:
//
//   policy       looks                       then
//   brief_park   once                        sleeps
//   spin_park    for about as long as going to sleep and waking costs (waiting.hpp), then sleeps
//   spin, spin_yield                         as waiting.hpp says
//
// A policy's pair of wait(word) and hand_over(word) is for one waiter. Where several threads wait on one word, all for the
// same value to go away, release_all takes hand_over's place: it wakes all, by one call.

#ifndef SYNCHRO_WAKES_WAITING_HPP
#define SYNCHRO_WAKES_WAITING_HPP

#include <cstdint>
#include <limits>
#include <optional>

#include "synchro/waiting.hpp"

namespace synchro {

namespace detail {

/// The same machine, with less patience.
template <class Machine, std::uint32_t Looks>
struct impatient : Machine {
  static constexpr looks spin_looks() noexcept { return looks{Looks}; }
};

}  // namespace detail

/// Looks once, then sleeps.
struct brief_park : spin_park {
  static constexpr const char* name = "brief";
  static constexpr std::uint32_t most_looks = 0;  // besides the first

  template <class Machine>
  static std::uint32_t wait(detail::word_of<Machine>& word, std::uint32_t awaited) {
    return spin_park::wait<detail::impatient<Machine, most_looks>>(word, awaited);
  }
  template <class Machine>
  static std::optional<std::uint32_t> wait_until(detail::word_of<Machine>& word, std::uint32_t awaited,
                                                 typename Machine::deadline until) {
    return spin_park::wait_until<detail::impatient<Machine, most_looks>>(word, awaited, until);
  }
};

namespace detail {

/// How often a waiter that is to sleep looks before it does.
template <class Machine, class Waiting>
constexpr std::uint32_t looks_before_sleep() {
  if constexpr (requires { Waiting::most_looks; })
    return Waiting::most_looks;
  else
    return Machine::spin_looks().count;
}

/// Writes the value, by release, and wakes all who sleep on the word.
template <class Machine, class Waiting>
void release_all(word_of<Machine>& word, std::uint32_t value) {
  if constexpr (Waiting::parks) {
    if ((word.exchange(value, memory_order::release) & Waiting::asleep) != 0)
      Machine::unpark(&word, std::numeric_limits<std::uint32_t>::max());
  } else {
    word.store(value, memory_order::release);
  }
}

}  // namespace detail

}  // namespace synchro

#endif
