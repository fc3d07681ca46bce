// Latch: threads wait until so many things are done; for one use.
//
// Problem. Work is divided, and somebody waits for all of its parts. A counter does it if the last one down wakes all who
// wait, and nobody else makes a call.
//
// Picture.   [ asleep |  how many are to come: 31 bits ]
//
//   count_down   takes n away; whoever takes the last, and finds the mark, wakes all.
//   wait         until nothing is left: looks for a while, then sets the mark and sleeps.
//
// `synchro::latch done{3};` has the interface of std::latch, and waits with deadlines.
//
// Choose it for one use: all parts done, all threads started. Do not choose it for rounds (`barrier`), nor where new
// parts appear meanwhile.
//
// It may be destroyed as soon as all waits have returned, even if a count_down has not.
//
// Memory orders.
//   access                        order     pairs with
//   count_down: fetch_sub         release   wait, try_wait: what all parts have done, through the subtractions since
//   wait: see marked_wait.hpp     acquire   those
//   try_wait: load                acquire   those
//
// Source: C++20, [thread.latch].

#ifndef SYNCHRO_SYNC_LATCH_HPP
#define SYNCHRO_SYNC_LATCH_HPP

#include <cstddef>
#include <cstdint>

#include "synchro/detail/marked_wait.hpp"
#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = yield_then_park>
class basic_latch : public detail::timed_waits<basic_latch<Machine, Waiting>, Machine> {
 public:
  static constexpr bool parks = true;
  static_assert(Waiting::parks, "this latch is a way to sleep");

  /// `count` is at most max().
  constexpr explicit basic_latch(std::ptrdiff_t count) : word_{static_cast<std::uint32_t>(count)} {}
  basic_latch(const basic_latch&) = delete;
  basic_latch& operator=(const basic_latch&) = delete;

  static constexpr std::ptrdiff_t max() noexcept { return to_come; }

  /// Not more than are to come.
  void count_down(std::ptrdiff_t n = 1) noexcept {
    const auto done = static_cast<std::uint32_t>(n);
    if (word_.fetch_sub(done, memory_order::release) == (asleep | done)) Machine::unpark(&word_, detail::everybody);
  }

  [[nodiscard]] bool try_wait() const noexcept { return open(word_.load(memory_order::acquire)); }

  void wait() noexcept { wait_by(Machine::never); }

  void arrive_and_wait(std::ptrdiff_t n = 1) noexcept {
    count_down(n);
    wait();
  }

 private:
  friend detail::timed_waits<basic_latch, Machine>;

  static constexpr std::uint32_t asleep = 0x8000'0000;
  static constexpr std::uint32_t to_come = asleep - 1;

  static constexpr bool open(std::uint32_t v) { return (v & to_come) == 0; }

  bool wait_by(typename Machine::deadline until) noexcept {
    const auto look_at = [](std::uint32_t v) { return open(v); };
    return detail::wait_marked<Machine, Waiting>(word_, asleep, look_at, until);
  }

  typename Machine::template atomic<std::uint32_t> word_;
};

using latch = basic_latch<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
