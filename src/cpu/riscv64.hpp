// RISC-V of 64 bits: the processor's part of this_cpu.hpp.

#ifndef SYNCHRO_CPU_RISCV64_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_RISCV64_INSTRUCTIONS_HPP

#include <cstdint>

#include "cpu/no_flush.hpp"  // Linux lets programs clean no lines (CBO.FLUSH, Zicbom): it allows them to zero some only.
#include "cpu/not_x86.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "riscv64";
inline constexpr bool has_counter = true;
inline constexpr const char* counter_name = "rdtime";

/// The fences keep memory accesses on their sides of the reading; other instructions may pass it.
inline std::uint64_t counter() noexcept {
  std::uint64_t ticks;
  asm volatile("fence iorw, iorw\n\trdtime %0\n\tfence iorw, iorw" : "=r"(ticks) : : "memory");
  return ticks;
}

/// Zicntr: a constant rate.
inline bool counter_is_invariant() noexcept { return true; }

inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("fence r, r" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("fence w, w" ::: "memory"); }
inline void full_fence() noexcept { asm volatile("fence rw, rw" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nop"); }

}  // namespace synchro::this_cpu

#endif
