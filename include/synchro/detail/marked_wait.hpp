// To sleep on a word on which several wait, and not all for the same.
//
// A waiting policy is for one waiter and one value to go away (waiting.hpp). Where a word holds a state and threads wait for
// different things of it, each looks for a while, then sets a mark in the word and sleeps while the word is as it was. A thread that
// changes the state to something that others may wait for takes the mark away by the same read-modify-write, and if
// there was one wakes all: those who still wait set it again. The mark and the change are in one modification order, so
// one of the two sees the other.
//
//   access                          order     pairs with
//   look, load that finds it so     acquire   the release of the thread that made it so
//   update that sets the mark       relaxed   nothing: it publishes nothing, and what it finds is read again

#ifndef SYNCHRO_DETAIL_MARKED_WAIT_HPP
#define SYNCHRO_DETAIL_MARKED_WAIT_HPP

#include <cstdint>
#include <limits>

#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace detail {

inline constexpr std::uint32_t everybody = std::numeric_limits<std::uint32_t>::max();

/// Waits until `wanted(value)`, and looks first as the policy does. False if the deadline came first. `wanted` is a pure
/// predicate, and does not look at `mark`.
template <class Machine, class Waiting, class Wanted>
[[gnu::noinline]] bool wait_marked(typename Machine::template atomic<std::uint32_t>& word, std::uint32_t mark,
                                   Wanted wanted, typename Machine::deadline until) {
  const auto look_for = [&]<class Rest>(Rest /*rest*/, looks many) {
    const auto step = [=](std::uint32_t v) { return wanted(v) ? look::done() : Rest{}(); };
    return Machine::await_until(word, memory_order::acquire, step, many).has_value();
  };
  if (Waiting::template look_first<Machine>(&word, look_for)) return true;
  const auto set_mark = [=](std::uint32_t v) {
    using answer = attempt<std::uint32_t>;
    return wanted(v) ? answer::decline() : answer::write(v | mark);
  };
  for (bool too_late = false;;) {
    const auto marked = Machine::update(word, set_mark, memory_order::relaxed, memory_order::relaxed);
    if (!marked.written) {
      if (wanted(word.load(memory_order::acquire))) return true;
    } else if (too_late) {
      return false;
    } else {
      too_late = Machine::park(word, marked.seen | mark, until);
    }
  }
}

/// The same by any policy: one that never sleeps sets no mark.
template <class Machine, class Waiting, class Wanted>
bool wait_for_value(typename Machine::template atomic<std::uint32_t>& word, std::uint32_t mark, Wanted wanted,
                    typename Machine::deadline until) {
  if constexpr (Waiting::parks) {
    return wait_marked<Machine, Waiting>(word, mark, wanted, until);
  } else {
    const auto step = [=](std::uint32_t v, std::uint32_t round) {
      return wanted(v) ? look::done() : Waiting::retry(round);
    };
    return Machine::await_until(word, memory_order::acquire, step, until).has_value();
  }
}

}  // namespace detail
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
