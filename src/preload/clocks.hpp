// From the moments that the C library's functions take to a deadline.

#ifndef SYNCHRO_PRELOAD_CLOCKS_HPP
#define SYNCHRO_PRELOAD_CLOCKS_HPP

#include <chrono>
#include <cstdint>
#include <ctime>

#include "preload/operations.hpp"

namespace synchro::preload {

inline bool is_clock(clockid_t clock) noexcept { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

inline bool is_valid(const timespec& moment) noexcept { return moment.tv_nsec >= 0 && moment.tv_nsec < 1'000'000'000; }

/// A valid moment on one of the two clocks. Of the clock that may be set, its distance from now is what counts.
inline deadline deadline_of(clockid_t clock, const timespec& moment) noexcept {
  constexpr std::int64_t far = std::int64_t{1} << 32;  // seconds: 136 years
  timespec now{};
  clock_gettime(clock, &now);
  std::int64_t seconds = 0;
  if (__builtin_sub_overflow(std::int64_t{moment.tv_sec}, std::int64_t{now.tv_sec}, &seconds))
    seconds = moment.tv_sec < 0 ? -1 : far;
  if (seconds >= far) return hardware::never;
  if (seconds < -1) return hardware::clock::now();
  return hardware::clock::now() + std::chrono::seconds{seconds} +
         std::chrono::nanoseconds{moment.tv_nsec - now.tv_nsec};
}

}  // namespace synchro::preload

#endif
