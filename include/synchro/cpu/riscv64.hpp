// RISC-V of 64 bits: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_RISCV64_HPP
#define SYNCHRO_CPU_RISCV64_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/no_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {
template <class... Words>
long linux_call(long number, Words... words) noexcept;  // synchro/os.hpp
}

namespace cpu {

/// The block of Zic64b, which the profiles from RVA22 on ask for.
inline constexpr std::size_t cache_line = 64;

/// PAUSE of Zihintpause, as a number: assemblers may not know it, and processors that do not take it for a fence of nothing.
inline void pause() noexcept { asm volatile(".insn 0x0100000f" ::: "memory"); }

namespace detail {

enum class zawrs : std::uint8_t { not_asked, absent, here };

/// riscv_hwprobe (call 258): a key, which becomes -1 if the kernel does not know it, and bits of what the processors have.
/// Of key 4 bit 48 is Zawrs, from Linux 6.11 on.
[[gnu::noinline]] inline zawrs ask_for_zawrs() noexcept {
  std::uint64_t asked[2] = {4, 0};
  const bool knows = os::linux_call(258, &asked[0], 1L, 0L, 0L, 0L) == 0 && asked[0] == 4;
  return knows && (asked[1] >> 48 & 1U) != 0 ? zawrs::here : zawrs::absent;
}

inline bool has_zawrs() noexcept {
  static constinit std::atomic<zawrs> known{zawrs::not_asked};
  zawrs answer = known.load(std::memory_order_relaxed);
  if (answer == zawrs::not_asked) [[unlikely]]
    known.store(answer = ask_for_zawrs(), std::memory_order_relaxed);
  return answer == zawrs::here;
}

}  // namespace detail

/// LR.W reserves the line, and WRS.NTO of Zawrs, as a number, rests until a write or an interrupt takes that away.
inline void rest_until_written(const std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept {
  if (!detail::has_zawrs()) return pause();
  long found;
  asm volatile("lr.w %0, (%1)\n\tbne %0, %2, 1f\n\t.insn 0x00d00073\n1:"
               : "=&r"(found)
               : "r"(&word), "r"(static_cast<long>(static_cast<std::int32_t>(seen)))
               : "memory");
}

/// PREFETCH.W of Zicbop, which elsewhere is an addition to the register that is always 0.
inline void prefetch_for_write(const void* p) noexcept { asm volatile("ori zero, %0, 3" : : "r"(p)); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
