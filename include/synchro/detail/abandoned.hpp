// How many nodes of a queue have been abandoned, and where waiters wait when those are many.
//
// Problem. A waiter that gives up leaves its node in the queue until a release comes by. Threads that try again and again
// while the lock is held would fill the memory with such nodes. So a waiter with a deadline that finds many of them waits
// outside of the queue until releases have passed some. Several may wait there, on this one word.
//
// Picture.   31 ........... 1   bit 0
//            abandoned nodes    sleeps outside
//
//   outside   look at the word for a while, as the policy says; a policy that sleeps then marks the word and sleeps on
//             it, for as long as the count stays.
//   release   counts each abandoned node that it passes down; from `most` to one less, with the mark, it takes the mark
//             away and wakes all.
//
// A free lock has no abandoned nodes, so a thread that waits for fewer of them also gets to a lock that becomes free.
//
// All accesses are relaxed: they say where to wait and nothing else. The mark, the count and the sleep are on one word:
// either the sleeper sees the smaller count, or the release sees the mark. Nothing orders the waiter that counts its node up
// before the release that counts it down, so the count may be less than 0 for a moment. It has a sign, and the mark is
// below it where nothing is borrowed: less than 0 is few.

#ifndef SYNCHRO_DETAIL_ABANDONED_HPP
#define SYNCHRO_DETAIL_ABANDONED_HPP

#include <cstdint>
#include <limits>

#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace detail {

template <class Machine, class Waiting>
class abandoned_nodes {
 public:
  [[nodiscard]] bool many() const noexcept { return is_many(word_.load(memory_order::relaxed)); }

  /// One more: before its waiter says so in the node.
  void add() noexcept { word_.fetch_add(one, memory_order::relaxed); }

  /// One less. The caller holds the queue, and with it this object.
  void remove() noexcept {
    const std::uint32_t before = word_.fetch_sub(one, memory_order::relaxed);
    if constexpr (Waiting::parks) {
      if (before == (most | asleep)) [[unlikely]]
        wake_outside();
    }
  }

  /// Waits outside until there are not many; false if the deadline comes first.
  bool await_few_until(typename Machine::deadline until) {
    if constexpr (Waiting::parks) {
      const auto look_at = [](std::uint32_t word) { return !is_many(word); };
      if (Machine::await_until(word_, memory_order::relaxed, look_at, Machine::spin_looks())) return true;
      return sleep_until(until);
    } else {
      const auto look_at = [](std::uint32_t word, std::uint32_t round) {
        return is_many(word) ? Waiting::retry(round) : look::done();
      };
      return Machine::await_until(word_, memory_order::relaxed, look_at, until).has_value();
    }
  }

 private:
  static constexpr std::uint32_t asleep = 1;
  static constexpr std::uint32_t one = 2;
  static constexpr std::uint32_t most = 32 * one;

  static constexpr bool is_many(std::uint32_t word) {
    return static_cast<std::int32_t>(word) >= static_cast<std::int32_t>(most);
  }

  bool sleep_until(typename Machine::deadline until) {
    const auto mark_if_many = [](std::uint32_t word) {
      return is_many(word) ? attempt<std::uint32_t>::write(word | asleep) : attempt<std::uint32_t>::decline();
    };
    for (bool too_late = false;;) {
      const auto marked = Machine::update(word_, mark_if_many, memory_order::relaxed, memory_order::relaxed);
      if (!marked.written) return true;
      if (too_late) return false;
      too_late = Machine::park(word_, marked.seen | asleep, until);
    }
  }

  [[gnu::noinline]] void wake_outside() noexcept {
    word_.fetch_and(~asleep, memory_order::relaxed);
    Machine::unpark(&word_, std::numeric_limits<std::uint32_t>::max());
  }

  typename Machine::template atomic<std::uint32_t> word_{0};
};

}  // namespace detail
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
