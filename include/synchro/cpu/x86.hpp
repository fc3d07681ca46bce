// x86-64: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_X86_HPP
#define SYNCHRO_CPU_X86_HPP

#include <cstddef>

#include "synchro/cpu/x86_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline constexpr std::size_t cache_line = 64;

inline void pause() noexcept { __builtin_ia32_pause(); }

/// PREFETCHW is in every 64-bit processor, on the oldest as a no-operation.
inline void prefetch_for_write(const void* p) noexcept {
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(p)));
}

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
