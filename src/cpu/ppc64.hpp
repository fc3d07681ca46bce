// POWER of 64 bits: the processor's part of this_cpu.hpp.

#ifndef SYNCHRO_CPU_PPC64_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_PPC64_INSTRUCTIONS_HPP

#include <cstdint>
#include <tuple>

#include "cpu/not_x86.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "ppc64";
inline constexpr bool has_counter = true;
inline constexpr const char* counter_name = "timebase";

/// ISYNC lets what stands before complete, and nothing begin that follows.
inline std::uint64_t counter() noexcept {
  std::uint64_t ticks;
  asm volatile("isync\n\tmfspr %0, 268\n\tisync" : "=r"(ticks) : : "memory");
  return ticks;
}

/// Since Power ISA 2.04 it moves at 512 MHz, whatever the processor does.
inline bool counter_is_invariant() noexcept { return true; }

inline constexpr bool can_flush_lines() noexcept { return true; }
/// DCBF; SYNC completes it before anything that follows.
inline void flush_line(const void* p) noexcept { asm volatile("dcbf 0, %0\n\tsync" : : "r"(p) : "memory"); }

inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("lwsync" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("lwsync" ::: "memory"); }
inline void full_fence() noexcept { asm volatile("sync" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nop"); }

using atomic_forms = std::tuple<>;

}  // namespace synchro::this_cpu

#endif
