// A host whose clock stands still for its first readings in a thread, and then says that all time is over: what is done between
// two looks at the clock grows, and how much is done in all is the same on every machine.

#ifndef SYNCHRO_TESTS_EXPERIMENTS_STANDING_CLOCK_HPP
#define SYNCHRO_TESTS_EXPERIMENTS_STANDING_CLOCK_HPP

#include <cstdint>

#include "measure/host.hpp"

namespace synchro::tests {

struct standing_clock : measure::host {
  static std::uint64_t now() noexcept {
    thread_local unsigned readings = 0;
    return ++readings < 12 ? 1 : 1'000'000'000;
  }
  static double to_ns(std::uint64_t ticks) noexcept { return static_cast<double>(ticks); }
};

}  // namespace synchro::tests

#endif
