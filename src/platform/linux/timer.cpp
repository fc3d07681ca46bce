#include "platform/timer.hpp"

#include <chrono>
#include <cstdint>
#include <thread>

namespace synchro::platform {

void sleep_about(double ns) { std::this_thread::sleep_for(std::chrono::nanoseconds{static_cast<std::int64_t>(ns)}); }

double oversleep_ns() { return 100e3; }

bool takes_timer_periods() { return false; }

timer_period::timer_period(unsigned ms) : ms_{ms} {
  if (ms_ != 0) refusal_ = "Linux takes no period for its timer from a program";
}

timer_period::~timer_period() = default;

}  // namespace synchro::platform
