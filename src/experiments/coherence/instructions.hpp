// Single instructions whose cost is measured; each architecture names them differently.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_INSTRUCTIONS_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_INSTRUCTIONS_HPP

#include "synchro/hardware.hpp"

namespace synchro::experiments::coherence {

#if defined(__x86_64__)
inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("lfence" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("sfence" ::: "memory"); }
inline void full_fence() noexcept { asm volatile("mfence" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nop"); }
#elif defined(__aarch64__)
inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("dmb ishld" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("dmb ishst" ::: "memory"); }
inline void full_fence() noexcept { asm volatile("dmb ish" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nop"); }
#else
inline constexpr bool has_fence_instructions = false;
inline void load_fence() noexcept {}
inline void store_fence() noexcept {}
inline void full_fence() noexcept { hardware::fence(); }
inline void no_operation() noexcept { asm volatile(""); }
#endif

}  // namespace synchro::experiments::coherence

#endif
