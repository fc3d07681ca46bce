// AArch64: the processor's part of this_cpu.hpp.

#ifndef SYNCHRO_CPU_AARCH64_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_AARCH64_INSTRUCTIONS_HPP

#include <cstdint>

#include "cpu/not_x86.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "aarch64";
inline constexpr bool has_counter = true;
inline constexpr const char* counter_name = "cntvct";

/// The barriers keep the reading, which may otherwise be speculated, between what stands before and after it.
inline std::uint64_t counter() noexcept {
  std::uint64_t ticks;
  asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
  return ticks;
}

/// The architecture promises it for the generic timer.
inline bool counter_is_invariant() noexcept { return true; }

inline constexpr bool can_flush_lines = true;
/// Cleans and invalidates to the point of coherency; Linux lets programs do so.
inline void flush_line(const void* p) noexcept { asm volatile("dc civac, %0\n\tdsb sy" : : "r"(p) : "memory"); }

inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("dmb ishld" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("dmb ishst" ::: "memory"); }
inline void full_fence() noexcept { asm volatile("dmb ish" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nop"); }

}  // namespace synchro::this_cpu

#endif
