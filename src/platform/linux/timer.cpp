#include "platform/timer.hpp"

namespace synchro::platform {

bool takes_timer_periods() { return false; }

timer_period::timer_period(unsigned ms) : ms_{ms} {
  if (ms_ != 0) refusal_ = "Linux takes no period for its timer from a program";
}

timer_period::~timer_period() = default;

}  // namespace synchro::platform
