// RISC-V of 64 bits: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_RISCV64_HPP
#define SYNCHRO_CPU_RISCV64_HPP

#include <cstddef>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

/// The block of Zic64b, which the profiles from RVA22 on ask for.
inline constexpr std::size_t cache_line = 64;

/// PAUSE of Zihintpause, as a number: assemblers may not know it, and processors that do not take it for a fence of nothing.
inline void pause() noexcept { asm volatile(".insn 0x0100000f" ::: "memory"); }

/// PREFETCH.W of Zicbop, which elsewhere is an addition to the register that is always 0.
inline void prefetch_for_write(const void* p) noexcept { asm volatile("ori zero, %0, 3" : : "r"(p)); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
