// Auto-reset event: each set releases exactly one waiter; set with nobody waiting, it lets the next one through.
//
// Problem. A manual-reset event lets all through. To release one thread, the flag must fall again as one passes, and two
// sets in a row must release two waiters even if the first has not run yet. A flag alone forgets the second set. So the
// word counts the threads that wait and those released.
//
// Picture.   bits 31 ... 26   25       24    23 ........... 12    11 ... 0
//            interruptions    asleep   set   released, not gone   waiting
//
//   wait    set, and nobody waits: take the flag. Otherwise count myself as waiting; look for a while, then set the mark
//           `asleep` and sleep, until somebody is released; take that release, and count myself out. The last one takes the
//           mark away.
//   set     more wait than are released: release one more, and if there is a mark wake one. Otherwise raise the flag; raised,
//           it stays so.
//   interrupt   one more interruption; if there is a mark, wake all. A waiter that finds no release and no reason of its own to go
//           sleeps on.
//
// A release belongs to nobody in particular: a thread that has just come may take it, and the one that was woken for it
// sleeps on. The releases never outnumber those who wait, so none is left over and none is lost.
//
//   synchro::auto_event work;
//
//   void worker() {
//     for (;;) {
//       work.wait();
//       serve();
//     }
//   }
//   void client() { work.set(); }
//
// It takes 4 bytes. A set releases no waiter that has given up (wait_for). `synchro::wait(e, token)` of
// synchro/wakes/stop_token.hpp is false if a std::stop_token is asked to stop first.
//
// Choose it to wake one worker at a time. Do not choose it for a state (`event`) or to count units (a semaphore): sets
// with nobody waiting count as one.
//
// Memory orders.
//   access                                     order     pairs with
//   wait: update that takes flag or release    acquire   set's update (release), interrupt's; relaxed when counting oneself in
//   wait: update that sets the mark            acquire   interrupt's: stopped() is asked next
//   interrupt: update                          release   the updates of those who wait: what made the caller interrupt is
//                                                        seen by the thread that asks for it
//   set: update                                release   the update that takes it. All writes are read-modify-writes, so
//                                                        what lies between does not break the release sequence
//
// Up to 4095 threads may wait; one that is between its look and its sleep for exactly 2^6 interruptions sleeps on.
//
// Source: `traits.citation`.

#ifndef SYNCHRO_WAKES_AUTO_EVENT_HPP
#define SYNCHRO_WAKES_AUTO_EVENT_HPP

#include <cstdint>
#include <limits>

#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = yield_then_park>
class basic_auto_event : public detail::timed_waits<basic_auto_event<Machine, Waiting>, Machine> {
 public:
  using machine = Machine;
  static constexpr wake_traits traits{.judgement = "each set wakes one waiter; not for a state, not to count units",
                                      .one_call = false,
                                      .splittable = false,
                                      .citation = "Windows, CreateEvent (auto reset)"};
  static constexpr bool parks = Waiting::parks;
  /// Each set releases one.
  static constexpr bool releases_one = true;

  constexpr basic_auto_event() = default;
  basic_auto_event(const basic_auto_event&) = delete;
  basic_auto_event& operator=(const basic_auto_event&) = delete;

  /// Releases one waiter; if none waits, the next to come.
  void set() noexcept {
    const auto release_one = [](std::uint32_t v) {
      return answer::write(released(v) < waiting(v) ? v + one_release : v | set_bit);
    };
    const std::uint32_t old = Machine::update(word_, release_one, memory_order::release, memory_order::relaxed).seen;
    if constexpr (Waiting::parks) {
      if ((old & asleep) != 0 && released(old) < waiting(old)) Machine::unpark(&word_, 1);
    }
  }

  /// Takes the flag back, if it is raised. Waiters already released go on.
  void reset() noexcept {
    const auto take_back = [](std::uint32_t v) {
      return (v & set_bit) != 0 ? answer::write(v & ~set_bit) : answer::decline();
    };
    Machine::update(word_, take_back, memory_order::relaxed, memory_order::relaxed);
  }

  [[nodiscard]] bool try_wait() noexcept {
    return Machine::update(word_, take_flag, memory_order::acquire, memory_order::relaxed).written;
  }

  void wait() noexcept { wait_by(Machine::never); }

  /// As wait, unless `stopped()` is true, before or after an interrupt(), or the deadline comes: then false. A set that
  /// has come is true first. `stopped` is asked by the waiting thread and must not block.
  template <class Stopped>
  bool wait_unless(Stopped stopped, typename Machine::deadline until = Machine::never) {
    return join_and_wait(stopped, until);
  }
  /// All who wait unless something has happened ask whether it has. By any thread.
  void interrupt() noexcept {
    const auto one_more = [](std::uint32_t v) { return answer::write(v + one_interruption); };
    [[maybe_unused]] const auto old =
        Machine::update(word_, one_more, memory_order::release, memory_order::relaxed).seen;
    if constexpr (Waiting::parks) {
      if ((old & asleep) != 0) Machine::unpark(&word_, std::numeric_limits<std::uint32_t>::max());
    }
  }

 private:
  friend detail::timed_waits<basic_auto_event, Machine>;

  using answer = attempt<std::uint32_t>;

  static constexpr std::uint32_t one_waiter = 1;
  static constexpr std::uint32_t one_release = 1U << 12;
  static constexpr std::uint32_t many = one_release - 1;
  static constexpr std::uint32_t set_bit = 1U << 24;
  static constexpr std::uint32_t asleep = 1U << 25;  // somebody sleeps, or did; nobody if nobody waits
  static constexpr std::uint32_t one_interruption = 1U << 26;

  static constexpr std::uint32_t waiting(std::uint32_t v) { return v & many; }
  static constexpr std::uint32_t released(std::uint32_t v) { return v / one_release & many; }

  /// The state with one fewer waiting.
  static constexpr std::uint32_t gone(std::uint32_t v) {
    return waiting(v) == 1 ? (v - one_waiter) & ~asleep : v - one_waiter;
  }

  static constexpr answer take_flag(std::uint32_t v) {
    return (v & set_bit) != 0 ? answer::write(v & ~set_bit) : answer::decline();
  }
  static constexpr answer take_flag_or_join(std::uint32_t v) {
    return answer::write((v & set_bit) != 0 ? v & ~set_bit : v + one_waiter);
  }
  /// Takes a release; until there is one, or an interruption, looks and rests as `rest` says.
  template <class Rest>
  static constexpr auto take_release(std::uint32_t seen, Rest /*rest*/) {
    return [seen](std::uint32_t v, std::uint32_t round) {
      if (released(v) != 0) return answer::write(gone(v - one_release));
      return (v ^ seen) >= one_interruption ? answer::decline() : answer::retry(Rest{}(round));
    };
  }
  static constexpr answer take_release_or_mark(std::uint32_t v) {
    return answer::write(released(v) != 0 ? gone(v - one_release) : v | asleep);
  }
  static constexpr answer take_release_or_leave(std::uint32_t v) {
    return answer::write(gone(released(v) != 0 ? v - one_release : v));
  }

  bool wait_by(typename Machine::deadline until) {
    return join_and_wait([] { return false; }, until);
  }

  template <class Stopped>
  bool join_and_wait(Stopped stopped, typename Machine::deadline until) {
    const std::uint32_t seen =
        Machine::update(word_, take_flag_or_join, memory_order::acquire, memory_order::relaxed).seen;
    if ((seen & set_bit) != 0) return true;
    if constexpr (Waiting::parks)
      return look_and_sleep(seen, stopped, until);
    else
      return keep_looking(seen, stopped, until);
  }

  template <class Stopped>
  bool keep_looking(std::uint32_t seen, Stopped stopped, typename Machine::deadline until) {
    const auto rest = [](std::uint32_t round) { return Waiting::retry(round); };
    while (!stopped()) {
      const auto looked =
          Machine::update_until(word_, take_release(seen, rest), memory_order::acquire, memory_order::acquire, until);
      if (!looked) break;
      if (looked->written) return true;
      seen = looked->seen;
    }
    return leave();
  }

  template <class Stopped>
  bool look_and_sleep(std::uint32_t seen, Stopped stopped, typename Machine::deadline until) {
    const auto look_for = [&](auto rest, looks times) {
      return Machine::update_until(word_, take_release(seen, rest), memory_order::acquire, memory_order::relaxed,
                                   times);
    };
    const auto found = Waiting::template look_first<Machine>(&word_, look_for);
    if (found && found->written) return true;
    for (;;) {
      const std::uint32_t last =
          Machine::update(word_, take_release_or_mark, memory_order::acquire, memory_order::relaxed).seen;
      if (released(last) != 0) return true;
      if (stopped() || Machine::park(word_, last | asleep, until)) return leave();
    }
  }

  /// The deadline has come, or it is stopped. True if a release came first after all.
  bool leave() {
    const auto last = Machine::update(word_, take_release_or_leave, memory_order::acquire, memory_order::relaxed);
    return released(last.seen) != 0;
  }

  typename Machine::template atomic<std::uint32_t> word_{0};
};

using auto_event = basic_auto_event<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
