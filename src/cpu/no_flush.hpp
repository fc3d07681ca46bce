// Processors on which programs cannot evict a line from the caches: the part of this_cpu.hpp that they share.

#ifndef SYNCHRO_CPU_NO_FLUSH_HPP
#define SYNCHRO_CPU_NO_FLUSH_HPP

namespace synchro::this_cpu {

inline constexpr bool can_flush_lines() noexcept { return false; }
inline void flush_line(const void*) noexcept {}

}  // namespace synchro::this_cpu

#endif
