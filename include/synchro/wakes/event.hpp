// Event: a flag that threads wait for; set by anyone, stays set until it is reset.
//
// Problem. "It has happened" is what threads signal to each other most often. A condition variable needs a mutex and a
// flag beside it, and those whom it wakes must queue for the mutex before they may go on. Here it is one word: a thread
// that finds it set goes on, any other sleeps on the word itself, and set() wakes all by one call, and makes no call at
// all if nobody sleeps.
//
// Picture.   bit 31      30 ........ 23   22 ............. 1    0
//            sleepers    interruptions    how often it was set   set
//
//   wait    set: done. Otherwise look for a while, then mark that somebody sleeps and sleep while the word is as it
//           was. The count tells a set that was reset at once from none: all who waited when set() was called go on, even
//           if reset() follows before the first of them runs.
//   set     if it was not set: one more, and set, and no mark; if there was a mark, wake all.
//   reset   take the set bit away.
//   interrupt   one more interruption, and no mark; if there was a mark, wake all. A waiter that wakes up and finds neither a set
//           nor a reason of its own to go sleeps on.
//
// In use:
//
//   synchro::event loaded;
//
//   void loader() {
//     load();
//     loaded.set();
//   }
//   void user() {
//     loaded.wait();  // what load() did has happened
//     use();
//   }
//
// An event takes 4 bytes. try_wait(), wait_for() and wait_until() say whether it was set in time. `synchro::wait(e,
// token)` of synchro/wakes/stop_token.hpp is false if a std::stop_token is asked to stop first. A waiter looks first,
// then sleeps (docs/wakes/README.md#looking-before-sleeping). `synchro::basic_event<synchro::hardware, W>` has other
// policies:
//
//   event/park    W = spin_park    always looks: for short waits, and a processor for each thread
//   event/spin    W = spin         never sleeps
//   event/yield   W = spin_yield   never sleeps, and yields its processor between looks
//
// Choose it for a state that many may wait for (started, loaded, stopped). Do not choose it to hand out work: all
// waiters go on; `auto_event` releases one. Two events used in turn make a reusable start signal.
//
// The counts come round: a thread that sleeps through exactly 2^22 sets would sleep on, and so would one that is between
// its look and its sleep for exactly 2^8 interruptions.
//
// Memory orders.
//   access                              order     pairs with
//   wait: first load, loads while       acquire   set's update (release): what was done before set() was called
//     looking, mark, load after sleep             (Waiting::wait; see synchro/waiting.hpp)
//   set: update                         release   those; relaxed when looking. A set event is written again, so that the
//                                                 caller's past is part of what a waiter sees
//   interrupt: update                   release   those, too: what made the caller interrupt is seen by the thread that asks for it
//   reset: update                       relaxed   nothing: it says nothing about the past. As a read-modify-write it
//                                                 leaves the release sequence of the set unbroken
//
// Source: `traits.citation`, who build it from a mutex and a condition variable; here it is a word and a futex.

#ifndef SYNCHRO_WAKES_EVENT_HPP
#define SYNCHRO_WAKES_EVENT_HPP

#include <cstdint>
#include <limits>
#include <optional>

#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = yield_then_park>
class basic_event : public detail::timed_waits<basic_event<Machine, Waiting>, Machine> {
 public:
  using machine = Machine;
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
    change(set_it);
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
    const auto wait_on = [](word& w, std::uint32_t seen) {
      return std::optional<std::uint32_t>{Waiting::template wait<Machine>(w, seen)};
    };
    sleep(wait_on, [] { return false; });
  }

  /// As wait, unless `stopped()` is true, before or after an interrupt(), or the deadline comes: then false. A set that
  /// has come is true first. `stopped` is asked by the waiting thread and must not block.
  template <class Stopped>
  bool wait_unless(Stopped stopped, typename Machine::deadline until = Machine::never) {
    return sleep(waits_until(until), stopped);
  }
  /// All who wait unless something has happened ask whether it has. By any thread.
  void interrupt() noexcept {
    change([](std::uint32_t v) {
      return attempt<std::uint32_t>::write((v & (counts | set_bit)) | ((v + one_interruption) & interruptions));
    });
  }

 private:
  friend detail::timed_waits<basic_event, Machine>;

  static constexpr std::uint32_t set_bit = 1;
  static constexpr std::uint32_t one_interruption = 1U << 23;
  static constexpr std::uint32_t counts = one_interruption - 1 - set_bit;
  static constexpr std::uint32_t mark = 0x8000'0000;  // the waiting policy's
  static constexpr std::uint32_t interruptions = mark - one_interruption;

  static constexpr bool is_set(std::uint32_t v) { return (v & set_bit) != 0; }
  static constexpr std::uint32_t next_count(std::uint32_t v) { return (v & interruptions) | ((v + 2) & counts); }

  using word = detail::word_of<Machine>;

  /// Writes what `write` answers, by release; wakes all if the mark was there.
  template <class Write>
  void change(Write write) noexcept {
    [[maybe_unused]] const auto old = Machine::update(word_, write, memory_order::release, memory_order::relaxed).seen;
    if constexpr (Waiting::parks) {
      if ((old & mark) != 0) Machine::unpark(&word_, std::numeric_limits<std::uint32_t>::max());
    }
  }

  static auto waits_until(typename Machine::deadline until) {
    return [until](word& w, std::uint32_t seen) { return Waiting::template wait_until<Machine>(w, seen, until); };
  }
  bool wait_by(typename Machine::deadline until) {
    return sleep(waits_until(until), [] { return false; });
  }

  /// Waits until it was set (true), or stopped, or the wait has given up.
  template <class Wait, class Stopped>
  bool sleep(Wait wait_on, Stopped stopped) {
    const std::uint32_t first = word_.load(memory_order::acquire);
    return is_set(first) || sleep_from(first, wait_on, stopped);
  }

  /// Apart from sleep, which needs no stack.
  template <class Wait, class Stopped>
  [[gnu::noinline]] bool sleep_from(std::uint32_t first, Wait wait_on, Stopped stopped) {
    for (std::uint32_t seen = first; !is_set(seen) && ((seen ^ first) & counts) == 0;) {
      if (stopped()) return false;
      const std::optional<std::uint32_t> v = wait_on(word_, seen & ~mark);
      if (!v) return false;
      seen = *v;
    }
    return true;
  }

  typename Machine::template atomic<std::uint32_t> word_{0};
};

using event = basic_event<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
