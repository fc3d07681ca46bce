// How a program evicts a line from every cache: one instruction, which each architecture names differently.

#ifndef SYNCHRO_MEASURE_FLUSH_LINE_HPP
#define SYNCHRO_MEASURE_FLUSH_LINE_HPP

namespace synchro::measure {

#if defined(__x86_64__)
inline constexpr bool can_flush_lines = true;
/// The fence completes the flush before anything that follows.
inline void flush_line(const void* p) noexcept {
  asm volatile("clflush %0\n\tmfence" : : "m"(*static_cast<const char*>(p)) : "memory");
}
#elif defined(__aarch64__)
inline constexpr bool can_flush_lines = true;
/// Cleans and invalidates to the point of coherency; Linux lets programs do so.
inline void flush_line(const void* p) noexcept { asm volatile("dc civac, %0\n\tdsb sy" : : "r"(p) : "memory"); }
#else
inline constexpr bool can_flush_lines = false;
inline void flush_line(const void*) noexcept {}
#endif

}  // namespace synchro::measure

#endif
