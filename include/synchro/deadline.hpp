// Converts the standard's ways of saying "until when" to a machine's deadline.

#ifndef SYNCHRO_DEADLINE_HPP
#define SYNCHRO_DEADLINE_HPP

#include <type_traits>

#include "synchro/detail/chrono.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// The deadline that lies `patience` ahead; what the clock cannot count to is never, and what lies behind is now.
template <class Machine, class Rep, class Period>
typename Machine::deadline deadline_of(const std::chrono::duration<Rep, Period>& patience) {
  using ticks = typename Machine::clock::duration;
  const typename Machine::deadline now = Machine::clock::now();
  if (patience <= patience.zero()) return now;  // it may be too far behind for the clock's ticks
  // Compared as seconds in floating point, for a long patience may not fit the clock's ticks.
  if (std::chrono::duration<double>{patience} >= std::chrono::duration<double>{Machine::never - now})
    return Machine::never;
  return now + std::chrono::ceil<ticks>(patience);
}

/// The deadline of a moment on any clock. For a clock that may be set, the distance from now counts.
template <class Machine, class Clock, class Duration>
typename Machine::deadline deadline_of(const std::chrono::time_point<Clock, Duration>& moment) {
  if constexpr (std::is_same_v<std::chrono::time_point<Clock, Duration>, typename Machine::deadline>)
    return moment;
  else {
    const auto now = Clock::now();
    return moment <= now ? Machine::clock::now() : deadline_of<Machine>(moment - now);  // min() - now would overflow
  }
}

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
