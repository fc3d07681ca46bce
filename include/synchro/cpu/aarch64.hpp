// AArch64: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_AARCH64_HPP
#define SYNCHRO_CPU_AARCH64_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

/// 128 on Apple's cores and where two 64-byte lines travel together.
inline constexpr std::size_t cache_line = 128;

/// ISB waits for tens of cycles, as PAUSE does on x86; YIELD is a no-operation on most cores.
inline void pause() noexcept { asm volatile("isb" ::: "memory"); }

/// WFE ends when another processor's write takes the line from the monitor that LDAXR has set. What happens between the two is
/// not missed: a write, and a return from the kernel, leave an event behind (Arm ARM, "Wait for Event").
inline void rest_until_written(const std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept {
  std::uint32_t found;
  asm volatile("ldaxr %w0, [%1]\n\tcmp %w0, %w2\n\tb.ne 1f\n\twfe\n1:"
               : "=&r"(found)
               : "r"(&word), "r"(seen)
               : "cc", "memory");
}

inline void prefetch_for_write(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
