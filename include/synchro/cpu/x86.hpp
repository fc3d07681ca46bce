// x86-64: the processor's part of os.hpp.

#ifndef SYNCHRO_CPU_X86_HPP
#define SYNCHRO_CPU_X86_HPP

#include <cpuid.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/cpu/x86_transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline constexpr std::size_t cache_line = 64;

inline void pause() noexcept { __builtin_ia32_pause(); }

namespace detail {

/// The instruction with which this processor waits for a line to be written.
enum class monitor : std::uint8_t { not_asked, none, umwait, mwaitx };

/// CPUID 7, ECX bit 5.
inline bool has_waitpkg() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & (1U << 5)) != 0;
}
/// CPUID 0x80000001, ECX bit 29.
inline bool has_monitorx() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x8000'0001, &a, &b, &c, &d) != 0 && (c & (1U << 29)) != 0;
}

[[gnu::noinline]] inline monitor ask_for_monitor() noexcept {
  return has_waitpkg() ? monitor::umwait : has_monitorx() ? monitor::mwaitx : monitor::none;
}

inline monitor monitor_here() noexcept {
  static constinit std::atomic<monitor> known{monitor::not_asked};
  monitor here = known.load(std::memory_order_relaxed);
  if (here == monitor::not_asked) [[unlikely]]
    known.store(here = ask_for_monitor(), std::memory_order_relaxed);
  return here;
}

/// Ticks of the time stamp counter after which to look again in any case.
inline constexpr std::uint32_t longest_rest = 100'000;

/// UMONITOR and UMWAIT in the lighter of their two states (Intel SDM). A write between the two ends the second at once.
inline void rest_by_umwait(const std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept {
  asm volatile("umonitor %0" : : "r"(&word) : "memory");
  if (word.load(std::memory_order_relaxed) != seen) return;
  const std::uint64_t until = __builtin_ia32_rdtsc() + longest_rest;
  asm volatile("umwait %0"
               :
               : "r"(1), "d"(static_cast<std::uint32_t>(until >> 32)), "a"(static_cast<std::uint32_t>(until))
               : "cc", "memory");
}

/// MONITORX and MWAITX with a timer, in the lightest state (AMD APM). The same of a write between the two.
inline void rest_by_mwaitx(const std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept {
  asm volatile("monitorx" : : "a"(&word), "c"(0), "d"(0) : "memory");
  if (word.load(std::memory_order_relaxed) != seen) return;
  asm volatile("mwaitx" : : "a"(0xf0), "c"(2), "b"(longest_rest) : "memory");
}

}  // namespace detail

inline void rest_until_written(const std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept {
  switch (detail::monitor_here()) {
    case detail::monitor::umwait:
      return detail::rest_by_umwait(word, seen);
    case detail::monitor::mwaitx:
      return detail::rest_by_mwaitx(word, seen);
    default:
      return pause();
  }
}

/// PREFETCHW is in every 64-bit processor, on the oldest as a no-operation.
inline void prefetch_for_write(const void* p) noexcept {
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(p)));
}

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
