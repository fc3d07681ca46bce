// z/Architecture: the processor's part of this_cpu.hpp.

#ifndef SYNCHRO_CPU_S390X_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_S390X_INSTRUCTIONS_HPP

#include <cstdint>
#include <tuple>

#include "cpu/no_flush.hpp"  // There is no instruction for it that programs may use.
#include "cpu/not_x86.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "s390x";
inline constexpr bool has_counter = true;
inline constexpr const char* counter_name = "stckf";

/// The branch to nowhere waits for all that stands before.
inline std::uint64_t counter() noexcept {
  std::uint64_t ticks;
  asm volatile("bcr 15, 0\n\tstckf %0\n\tbcr 15, 0" : "=Q"(ticks) : : "memory", "cc");
  return ticks;
}

/// The time of day, in steps of 2^-12 us at most.
inline bool counter_is_invariant() noexcept { return true; }

/// Only stores may be passed by later loads: one instruction, which serializes, is all there is.
inline constexpr bool has_fence_instructions = false;
inline void load_fence() noexcept {}
inline void store_fence() noexcept {}
inline void full_fence() noexcept { asm volatile("bcr 15, 0" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nopr 0"); }

using atomic_forms = std::tuple<>;

}  // namespace synchro::this_cpu

#endif
