#include "platform/system_clock.hpp"

#include <windows.h>

namespace synchro::platform {

namespace {

std::uint64_t ticks_a_second() noexcept {
  static const std::uint64_t hz = []() noexcept {
    LARGE_INTEGER found{};
    QueryPerformanceFrequency(&found);
    return static_cast<std::uint64_t>(found.QuadPart);
  }();
  return hz;
}

}  // namespace

const char* system_clock_name() noexcept { return "QueryPerformanceCounter"; }

std::uint64_t system_clock_ns() noexcept {
  constexpr std::uint64_t second = 1'000'000'000;
  const std::uint64_t hz = ticks_a_second();
  LARGE_INTEGER now{};
  QueryPerformanceCounter(&now);
  const auto ticks = static_cast<std::uint64_t>(now.QuadPart);
  return ticks / hz * second + ticks % hz * second / hz;
}

/// The system does not say by what it keeps time.
counter_opinion opinion_on_counter(const std::string&) { return {}; }

}  // namespace synchro::platform
