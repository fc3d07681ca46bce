// The step in which a clock advances, from intervals that it told.

#ifndef SYNCHRO_PLATFORM_CLOCK_STEP_HPP
#define SYNCHRO_PLATFORM_CLOCK_STEP_HPP

#include <cstdint>
#include <vector>

namespace synchro::platform {

/// In ticks; 1 if there is no longer one, or if the intervals are too few to tell. It need not be whole: a counter of 2.445 GHz
/// that is made of one of 100 MHz moves by 24 ticks and by 25.
[[nodiscard]] double step_of(const std::vector<std::uint64_t>& intervals);

}  // namespace synchro::platform

#endif
