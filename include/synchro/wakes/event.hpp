// Event: a flag that threads wait for; set by anyone, stays set until it is reset.
//
// Problem. "It has happened" is what threads signal to each other most often. A condition variable needs a mutex and a
// flag beside it, and those whom it wakes must queue for the mutex before they may go on. Here it is one word: a thread
// that finds it set goes on, any other sleeps on the word itself, and set() wakes all by one call, and makes no call at
// all if nobody sleeps.
//
// Picture.   bit 31      30 ..................... 1    0
//            sleepers    how often it was set         set
//
//   wait    set: done. Otherwise look for a while, then mark that somebody sleeps and sleep while the word is as it
//           was. The count tells a set that was reset at once from none: all who waited when set() was called go on, even
//           if reset() follows before the first of them runs.
//   set     if it was not set: one more, and set, and no mark; if there was a mark, wake all.
//   reset   take the set bit away.
//
// Choose it for a state that many may wait for (started, loaded, stopped). Do not choose it to hand out work: all
// waiters go on; auto_event releases one. Two words by turns make a reusable start signal.
//
// The count comes round after 2^30 sets: a thread that sleeps through exactly so many of them would sleep on.
//
// Memory orders.
//   access                              order     pairs with
//   wait: first load, loads while       acquire   set's update (release): what was done before set() was called
//     looking, mark, load after sleep             (Waiting::wait; see synchro/waiting.hpp)
//   set: update                         release   those; relaxed when looking. A set event is written again, so that the
//                                                 caller's past is part of what a waiter sees
//   reset: update                       relaxed   nothing: it says nothing about the past. As a read-modify-write it
//                                                 leaves the release sequence of the set unbroken
//
// Source: the manual-reset event of Windows (CreateEvent), on a word and a futex. Bogner et al., section 4.2, build it
// from a mutex and a condition variable.

#ifndef SYNCHRO_WAKES_EVENT_HPP
#define SYNCHRO_WAKES_EVENT_HPP

#include <cstdint>
#include <limits>

#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = brief_park>
class basic_event : public detail::timed_waits<basic_event<Machine, Waiting>, Machine> {
 public:
  static constexpr wake_traits traits{
      .judgement = "a state that many may wait for; not to hand out work, for all waiters go on",
      .citation = "Windows, CreateEvent (manual reset); Bogner et al., section 4.2"};
  static constexpr bool parks = Waiting::parks;

  constexpr basic_event() = default;
  basic_event(const basic_event&) = delete;
  basic_event& operator=(const basic_event&) = delete;

  /// Releases all who wait, and all who come until the next reset.
  void set() noexcept {
    const auto set_it = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return answer::write(is_set(v) ? v : next_count(v) | set_bit);
    };
    const std::uint32_t old = Machine::update(word_, set_it, memory_order::release, memory_order::relaxed).seen;
    if constexpr (Waiting::parks) {
      if ((old & Waiting::asleep) != 0) Machine::unpark(&word_, std::numeric_limits<std::uint32_t>::max());
    }
  }

  void reset() noexcept {
    const auto reset_it = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return is_set(v) ? answer::write(v & ~set_bit) : answer::decline();
    };
    Machine::update(word_, reset_it, memory_order::relaxed, memory_order::relaxed);
  }

  /// Whether it is set; if so, what was done before the set has happened before this.
  [[nodiscard]] bool try_wait() const noexcept { return is_set(word_.load(memory_order::acquire)); }

  void wait() noexcept {
    const std::uint32_t seen = word_.load(memory_order::acquire);
    if (!is_set(seen)) Waiting::template wait<Machine>(word_, seen & ~mark);
  }

 private:
  friend detail::timed_waits<basic_event, Machine>;

  static constexpr std::uint32_t set_bit = 1;
  static constexpr std::uint32_t mark = 0x8000'0000;  // the waiting policy's

  static constexpr bool is_set(std::uint32_t v) { return (v & set_bit) != 0; }
  static constexpr std::uint32_t next_count(std::uint32_t v) { return ((v & ~mark) + 2) & ~mark; }

  bool wait_by(typename Machine::deadline until) {
    const std::uint32_t seen = word_.load(memory_order::acquire);
    return is_set(seen) || Waiting::template wait_until<Machine>(word_, seen & ~mark, until).has_value();
  }

  typename Machine::template atomic<std::uint32_t> word_{0};
};

using event = basic_event<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
