// SPARC V9: the processor's part of this_cpu.hpp.

#ifndef SYNCHRO_CPU_SPARC64_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_SPARC64_INSTRUCTIONS_HPP

#include <cstdint>
#include <tuple>

#include "cpu/no_flush.hpp"  // There is no instruction for it that programs may use.
#include "cpu/not_x86.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "sparc64";
inline constexpr bool has_counter = true;
inline constexpr const char* counter_name = "stick";

/// The system tick, which all processors of a machine share; MEMBAR keeps memory accesses on their sides of the reading.
inline std::uint64_t counter() noexcept {
  std::uint64_t ticks;
  asm volatile("membar #Sync\n\trd %%asr24, %0\n\tmembar #Sync" : "=r"(ticks) : : "memory");
  return ticks;
}

/// It does not follow the processor's own rate.
inline bool counter_is_invariant() noexcept { return true; }

inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("membar #LoadLoad" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("membar #StoreStore" ::: "memory"); }
inline void full_fence() noexcept {
  asm volatile("membar #StoreLoad | #StoreStore | #LoadLoad | #LoadStore" ::: "memory");
}
inline void no_operation() noexcept { asm volatile("nop"); }

using atomic_forms = std::tuple<>;

}  // namespace synchro::this_cpu

#endif
