// z/Architecture: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_S390X_HPP
#define SYNCHRO_CPU_S390X_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

/// All of them since the z900 (Linux: arch/s390, L1_CACHE_SHIFT 8).
inline constexpr std::size_t cache_line = 256;

/// There is no instruction for it that programs may use: threads of a core share it only from z13 on, and the processor sees to it.
inline void pause() noexcept { asm volatile("" ::: "memory"); }
inline void rest_until_written(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept { pause(); }

/// PFD with code 2, where the compiler may assume it.
inline void prefetch_for_write(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
