// AArch64: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_AARCH64_HPP
#define SYNCHRO_CPU_AARCH64_HPP

#include <cstddef>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

/// 128 on Apple's cores and where two 64-byte lines travel together.
inline constexpr std::size_t cache_line = 128;

/// ISB waits for tens of cycles, as PAUSE does on x86; YIELD is a no-operation on most cores.
inline void pause() noexcept { asm volatile("isb" ::: "memory"); }

inline void prefetch_for_write(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
