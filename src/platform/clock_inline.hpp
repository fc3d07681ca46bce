// tick_clock::now(), which every measured interval contains. Included by clock.hpp.

#ifndef SYNCHRO_PLATFORM_CLOCK_INLINE_HPP
#define SYNCHRO_PLATFORM_CLOCK_INLINE_HPP

#include "cpu/this_cpu.hpp"
#include "platform/clock.hpp"
#include "platform/system_clock.hpp"

namespace synchro::platform {

inline std::uint64_t tick_clock::now() const noexcept { return counter_ ? this_cpu::counter() : system_clock_ns(); }

}  // namespace synchro::platform

#endif
