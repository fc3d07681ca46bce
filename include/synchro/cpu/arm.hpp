// Arm of 32 bits, from ARMv7 on: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_ARM_HPP
#define SYNCHRO_CPU_ARM_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline constexpr std::size_t cache_line = 64;

/// As on AArch64.
inline void pause() noexcept { asm volatile("isb" ::: "memory"); }
inline void rest_until_written(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept { pause(); }

inline void prefetch_for_write(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
