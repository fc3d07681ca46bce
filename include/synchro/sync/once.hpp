// Once: something is done by the first who comes; all others wait until it is done.
//
// Problem. Something has to be initialised by whoever needs it first, once, even if several threads come at the same
// time and if an attempt fails.
//
// Picture.   [ asleep |  0 nobody began   1 somebody is at it   2 done ]
//
//   call_once   done: go on, by one load. Nobody began: take 1, do it, write 2. Somebody is at it: wait until it is done, or
//               until it has failed, and then do it.
//   If it throws, 0 is written again, all are woken, and the exception goes on to the caller whose call it was.
//
// With `synchro::once_flag made;`, `synchro::call_once(made, f)` runs f in the first thread that comes. It is
// std::call_once without arguments: capture them.
//
// Choose it where a function-local static will not do: members, attempts that may fail. To call it again from inside waits
// for ever.
//
// Memory orders.
//   access                               order     pairs with
//   look: load                           acquire   the exchange to 2: what was done
//   begin: compare-and-swap              acquire   an exchange to 0: what a failed attempt has left; relaxed when it
//                                                  fails
//   end: exchange to 2, or to 0          release   those
//   wait: see marked_wait.hpp            acquire   those
//
// Source: C++11, [thread.once].

#ifndef SYNCHRO_SYNC_ONCE_HPP
#define SYNCHRO_SYNC_ONCE_HPP

#include <cstdint>
#include <utility>

#include "synchro/detail/marked_wait.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware>
class basic_once_flag {
 public:
  constexpr basic_once_flag() = default;
  basic_once_flag(const basic_once_flag&) = delete;
  basic_once_flag& operator=(const basic_once_flag&) = delete;

  [[nodiscard]] bool is_done() const noexcept { return word_.load(memory_order::acquire) == done; }

  /// Calls f() unless it has been done. Throws what f throws; then it has not been done.
  template <class F>
  void call(F&& f) {
    while (!is_done()) [[unlikely]] if (begin()) {
        attempt_of mine{*this};
        std::forward<F>(f)();
        mine.outcome = done;
      }
    else {
      const auto not_at_it = [](std::uint32_t v) { return (v & state) != at_it; };
      detail::wait_marked<Machine, spin_park>(word_, asleep, not_at_it, Machine::never);
    }
  }

 private:
  static constexpr std::uint32_t none = 0;
  static constexpr std::uint32_t at_it = 1;
  static constexpr std::uint32_t done = 2;
  static constexpr std::uint32_t state = 3;
  static constexpr std::uint32_t asleep = 0x8000'0000;

  /// Ends what has begun, by an exception, too.
  struct attempt_of {
    basic_once_flag& flag;
    std::uint32_t outcome = none;
    ~attempt_of() { flag.end(outcome); }
  };

  bool begin() noexcept {
    std::uint32_t seen = none;
    return word_.compare_exchange_strong(seen, at_it, memory_order::acquire, memory_order::relaxed);
  }
  void end(std::uint32_t outcome) noexcept {
    if ((word_.exchange(outcome, memory_order::release) & asleep) != 0) Machine::unpark(&word_, detail::everybody);
  }

  typename Machine::template atomic<std::uint32_t> word_{none};
};

using once_flag = basic_once_flag<>;

/// The same as std::call_once, without arguments: capture them.
template <class Machine, class F>
void call_once(basic_once_flag<Machine>& flag, F&& f) {
  flag.call(std::forward<F>(f));
}

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
