// x86, 64 or 32 bits, by Microsoft's compiler, which has no inline assembly for 64: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_X86_MSVC_HPP
#define SYNCHRO_CPU_X86_MSVC_HPP

#include <intrin.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline constexpr std::size_t cache_line = 64;

inline void pause() noexcept { _mm_pause(); }
inline void rest_until_written(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept { pause(); }
inline void prefetch_for_write(const void* p) noexcept { _m_prefetchw(p); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
