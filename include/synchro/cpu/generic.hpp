// Any other processor: the processor's part of os.hpp, by the compiler's own means.

#ifndef SYNCHRO_CPU_GENERIC_HPP
#define SYNCHRO_CPU_GENERIC_HPP

#if !defined(__GNUC__) && !defined(__clang__)
#error \
    "synchro for this processor needs GCC or clang, on Windows on ARM clang-cl: this compiler takes none of their assembly"
#include "synchro/stops_here"
#endif

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline constexpr std::size_t cache_line = 128;

inline void pause() noexcept { asm volatile("" ::: "memory"); }
inline void rest_until_written(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept { pause(); }

inline void prefetch_for_write(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
