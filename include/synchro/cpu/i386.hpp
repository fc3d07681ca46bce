// x86 of 32 bits: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_I386_HPP
#define SYNCHRO_CPU_I386_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline constexpr std::size_t cache_line = 64;

inline void pause() noexcept { __builtin_ia32_pause(); }
inline void rest_until_written(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept { pause(); }

/// Nothing where the compiler may not assume SSE.
inline void prefetch_for_write(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
