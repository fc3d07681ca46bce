// Rendezvous: n sleepers are woken early and start together, at a moment on the clock.
//
// Problem. Systems wake threads one after another, so the last of them starts a long way behind the first, and none
// offers a start at the same time. But all processors have the same clock: wake everybody in good time, tell them when
// to start, and let each watch the clock for the rest.
//
// Picture.   trigger     start = now + lead
//               |----------- lead ----------|
//               | wakes 0  wakes 1  wakes 2 |
//            0  .........|~~~~~~~~~~~~~~~~~~>  start       ~ watches the clock
//            1  ..................|~~~~~~~~~>  start       . asleep
//            2  ...........................|>  start
//
//   wait(i)     sleeps; woken, watches the clock until the start. True for a trigger, as with every wake; whether the
//               sleeper was there in time it tells besides
//   wait_for    gives up at its deadline if no trigger has come; else as wait: the start is waited for beyond it
//   trigger()   says when to start, and wakes all by one call
//
// In use:
//
//   synchro::rendezvous start{2, std::chrono::microseconds{100}};
//
//   void runner(unsigned i) {
//     while (const synchro::arrival mine = start.wait(i)) run(i, mine.in_time);
//   }
//   void starter() { start.trigger(); }
//
// Choose it where the threads must begin at the same time: measurements, phases that meet at once, real-time work. Do not
// choose it where they should begin as early as possible: everybody waits for `lead`, with a processor each.
//
// The lead must be longer than it takes to wake the last one. `synchroscope run wake` measures that, and how far apart
// the starts are (`spread`). A thread that comes too late starts at once, and its `in_time` is false. With fewer
// processors than sleepers those who watch the clock keep others from coming. What every team offers: `team`.
//
// Memory orders: those of event_group with one word; the start is a plain field that trigger() writes before it
// releases, and nobody reads after having returned. The word that is looked at until the start is never written
// (relaxed).
//
// Source: `traits.citation`.

#ifndef SYNCHRO_WAKES_RENDEZVOUS_HPP
#define SYNCHRO_WAKES_RENDEZVOUS_HPP

#include <cstdint>
#include <span>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// What a sleeper of a rendezvous comes back with: true for a trigger (synchro/wakes/traits.hpp).
struct arrival {
  bool triggered = false;
  bool in_time = false;  ///< It was there for the start; else it starts later than the others.

  constexpr operator bool() const noexcept { return triggered; }  // NOLINT(google-explicit-constructor)
};

template <class Machine = hardware, class Waiting = yield_then_park>
class basic_rendezvous : public detail::timed_team<basic_rendezvous<Machine, Waiting>, Machine> {
 public:
  using machine = Machine;
  static constexpr wake_traits traits{
      .judgement = "threads that must begin at the same time; not where they should begin as early as possible",
      .splittable = false,
      .citation = "the synchronous start that no system offers: \"Multi-Threading for Experts\""};
  static constexpr bool parks = Waiting::parks;
  static constexpr std::chrono::nanoseconds usual_lead = std::chrono::microseconds{200};

  /// For `sleepers` threads, which start `lead` after the trigger. Throws std::bad_alloc.
  explicit basic_rendezvous(unsigned sleepers, std::chrono::nanoseconds lead = usual_lead)
      : lead_{lead}, all_{sleepers, sleepers} {}

  /// Sleeper i waits for the next trigger that it has not seen, and for the start. False if it is stopped, and no trigger
  /// has come before.
  arrival wait(unsigned i) noexcept { return start_if(all_.wait(i)); }
  /// Whether a trigger has come that sleeper i has not seen; then as wait(i), which does wait for the start.
  [[nodiscard]] arrival try_wait(unsigned i) noexcept { return start_if(all_.try_wait(i)); }

  void trigger() noexcept { trigger_first(all_.size()); }
  /// Sleepers 0 to k - 1; k is at most the number of all.
  void trigger_first(unsigned k) noexcept {
    start_ = deadline_of<Machine>(lead_);
    all_.trigger_first(k);
  }
  /// Sleeper i alone; nor again before it has returned.
  void trigger(unsigned i) noexcept {
    start_ = deadline_of<Machine>(lead_);
    all_.trigger(i);
  }
  /// These sleepers alone, each of them once; see synchro/wakes/team.hpp.
  void trigger_some(std::span<const unsigned> which) noexcept {
    start_ = deadline_of<Machine>(lead_);
    all_.trigger_some(which);
  }

  // See synchro/wakes/team.hpp.

  void resize(unsigned n) noexcept { all_.resize(n); }
  [[nodiscard]] unsigned size() const noexcept { return all_.size(); }
  [[nodiscard]] unsigned most() const noexcept { return all_.most(); }
  void stop() noexcept { all_.stop(); }
  void stop(unsigned i) noexcept { all_.stop(i); }
  void resume(unsigned i) noexcept { all_.resume(i); }
  [[nodiscard]] bool stopped(unsigned i) const noexcept { return all_.stopped(i); }

 private:
  friend detail::timed_team<basic_rendezvous, Machine>;

  arrival wait_by(unsigned i, typename Machine::deadline until) noexcept { return start_if(all_.wait_until(i, until)); }

  arrival start_if(bool triggered) noexcept {
    if (!triggered) return {};
    const typename Machine::deadline start = start_;
    if (Machine::expired(start)) return {.triggered = true, .in_time = false};
    Machine::await_until(
        never_written_, memory_order::relaxed, [](std::uint32_t) { return false; }, start);
    return {.triggered = true, .in_time = true};
  }

  std::chrono::nanoseconds lead_;
  typename Machine::template plain<typename Machine::deadline> start_{};
  basic_event_group<Machine, Waiting> all_;
  /// To look at until a deadline: the machine then knows what the thread waits for.
  typename Machine::template atomic<std::uint32_t> never_written_{0};
};

using rendezvous = offered_team<basic_rendezvous<>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
