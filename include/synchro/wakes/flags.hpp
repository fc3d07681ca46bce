// Flags: up to 31 events in one word of 4 bytes, to wait for any of several, or for all.
//
// Problem. A thread waits for work, for a timer's tick or for the end, whichever comes first. It can sleep in one place only,
// so the wakes that it waits for have to meet there.
//
// Picture.   [ asleep | flag 30 ... flag 1 | flag 0 ]
//
//   set        sets flags; takes the mark away, and wakes all if it was there
//   reset      takes flags away
//   wait_any   until one of its flags is set; tells which of them are. wait_all: until all are
//   take       wait_any, and takes away what it tells, so that each set flag is told to one thread
//
// wait_any and wait_all leave the flags as they are; test and try_take do not wait; with _for and _until each wait has a limit.
// set makes no system call if no thread sleeps.
//
//   constexpr synchro::flags::mask work = 1, tick = 2, end = 4;
//   synchro::flags woken;
//
//   void loop() {
//     for (;;) {
//       const auto why = woken.take(work | tick | end);  // tells which, and takes them away
//       if ((why & end) != 0) return;
//       if ((why & tick) != 0) look_at_the_clock();
//       if ((why & work) != 0) do_work();  // all there is: flags do not count
//     }
//   }
//   void producer() {
//     queue.push(job{});
//     woken.set(work);
//   }
//
// Choose it where a thread waits for several things: work, a tick, the end. Do not choose it for one state (`event`),
// to wake numbered sleepers (`team`), nor where many threads wait for different flags: each set wakes all, and those
// who are not meant sleep on (a thundering herd).
//
// Memory orders.
//   access                              order     pairs with
//   set: update                         release   wait_any, wait_all, take: what was done before the flags were set
//   wait: see marked_wait.hpp, test     acquire   those
//   try_take: update                    acquire   those
//   reset: fetch_and                    relaxed   nothing: it says nothing about the past, and as a read-modify-write it
//                                                 leaves the release sequences unbroken
//
// Source: the event flags of real-time systems: ITRON (set_flg, clr_flg, wai_flg); Windows, WaitForMultipleObjects.

#ifndef SYNCHRO_WAKES_FLAGS_HPP
#define SYNCHRO_WAKES_FLAGS_HPP

#include <cstdint>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/marked_wait.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = yield_then_park>
class basic_flags {
 public:
  using mask = std::uint32_t;  ///< One bit for each flag; the highest is none.
  static constexpr bool parks = true;
  static_assert(Waiting::parks, "these flags are a way to sleep");
  static constexpr unsigned most = 31;

  constexpr basic_flags() = default;
  basic_flags(const basic_flags&) = delete;
  basic_flags& operator=(const basic_flags&) = delete;

  void set(mask flags) noexcept {
    const auto more = [flags](std::uint32_t v) { return attempt<std::uint32_t>::write((v | flags) & ~asleep); };
    const std::uint32_t old = Machine::update(word_, more, memory_order::release, memory_order::relaxed).seen;
    if ((old & asleep) != 0) Machine::unpark(&word_, detail::everybody);
  }
  void reset(mask flags) noexcept { word_.fetch_and(~(flags & ~asleep), memory_order::relaxed); }

  /// The flags of `flags` that are set; none if none is.
  [[nodiscard]] mask test(mask flags) const noexcept { return word_.load(memory_order::acquire) & flags & ~asleep; }
  /// The same, and takes them away.
  [[nodiscard]] mask try_take(mask flags) noexcept {
    const auto without = [flags = flags & ~asleep](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return (v & flags) != 0 ? answer::write(v & ~flags) : answer::decline();
    };
    const auto taken = Machine::update(word_, without, memory_order::acquire, memory_order::relaxed);
    return taken.written ? taken.seen & flags & ~asleep : 0;
  }

  // In each of these `flags` are not none. Waits with a limit return none if the time was up.

  /// Until one is set; returns those that are, or none if they have been reset at once.
  mask wait_any(mask flags) noexcept { return any_by(flags, Machine::never); }
  template <class Rep, class Period>
  mask wait_any_for(mask flags, const std::chrono::duration<Rep, Period>& patience) {
    return any_by(flags, deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  mask wait_any_until(mask flags, const std::chrono::time_point<Clock, Duration>& moment) {
    return any_by(flags, deadline_of<Machine>(moment));
  }

  /// Until one is set; returns those that are, and takes them away.
  mask take(mask flags) noexcept { return take_by(flags, Machine::never); }
  template <class Rep, class Period>
  mask take_for(mask flags, const std::chrono::duration<Rep, Period>& patience) {
    return take_by(flags, deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  mask take_until(mask flags, const std::chrono::time_point<Clock, Duration>& moment) {
    return take_by(flags, deadline_of<Machine>(moment));
  }

  /// Until all are set. Whether they were in time.
  bool wait_all(mask flags) noexcept { return all_by(flags, Machine::never); }
  template <class Rep, class Period>
  bool wait_all_for(mask flags, const std::chrono::duration<Rep, Period>& patience) {
    return all_by(flags, deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  bool wait_all_until(mask flags, const std::chrono::time_point<Clock, Duration>& moment) {
    return all_by(flags, deadline_of<Machine>(moment));
  }

 private:
  static constexpr std::uint32_t asleep = 0x8000'0000;

  template <class Wanted>
  bool wait_by(Wanted wanted, typename Machine::deadline until) noexcept {
    return detail::wait_marked<Machine, Waiting>(word_, asleep, wanted, until);
  }
  static auto one_of(mask flags) {
    return [flags = flags & ~asleep](std::uint32_t v) { return (v & flags) != 0; };
  }

  mask any_by(mask flags, typename Machine::deadline until) noexcept {
    return wait_by(one_of(flags), until) ? test(flags) : 0;
  }
  bool all_by(mask flags, typename Machine::deadline until) noexcept {
    return wait_by([flags = flags & ~asleep](std::uint32_t v) { return (v & flags) == flags; }, until);
  }
  mask take_by(mask flags, typename Machine::deadline until) noexcept {
    for (;;) {
      if (const mask taken = try_take(flags); taken != 0) return taken;
      if (!wait_by(one_of(flags), until)) return 0;
    }
  }

  typename Machine::template atomic<std::uint32_t> word_{0};
};

using flags = basic_flags<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
