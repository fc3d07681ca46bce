// POWER of 64 bits: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_PPC64_HPP
#define SYNCHRO_CPU_PPC64_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

/// From POWER4 on (Linux: arch/powerpc, L1_CACHE_SHIFT 7 for 64 bits).
inline constexpr std::size_t cache_line = 128;

/// The form of OR by which a thread says that it can do without what it shares with the others of its core (Power ISA 3.1,
/// book II, 3.2).
inline void pause() noexcept { asm volatile("or 27, 27, 27" ::: "memory"); }
inline void rest_until_written(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept { pause(); }

/// DCBTST.
inline void prefetch_for_write(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
