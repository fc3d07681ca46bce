// SPARC V9: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_SPARC64_HPP
#define SYNCHRO_CPU_SPARC64_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

/// Of the second level (UltraSPARC and SPARC T manuals; Linux: arch/sparc, SMP_CACHE_BYTES_SHIFT 6).
inline constexpr std::size_t cache_line = 64;

/// Three readings of the condition codes, each of which ends what is in flight; PAUSE came with SPARC T4.
inline void pause() noexcept { asm volatile("rd %%ccr, %%g0\n\trd %%ccr, %%g0\n\trd %%ccr, %%g0" : : : "memory"); }
inline void rest_until_written(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept { pause(); }

/// PREFETCH, several writes.
inline void prefetch_for_write(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
