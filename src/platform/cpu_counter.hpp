// What only the processor itself can tell, one piece per architecture: its counter, and whose guest it is.

#ifndef SYNCHRO_PLATFORM_CPU_COUNTER_HPP
#define SYNCHRO_PLATFORM_CPU_COUNTER_HPP

#include <cstdint>
#include <optional>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace synchro::platform::cpu_counter {

#if defined(__x86_64__)

inline constexpr bool exists = true;
inline constexpr const char* name = "tsc";

/// The first LFENCE lets everything before it complete (stores need not have reached the cache), the second keeps what
/// follows from starting before the counter was read. On AMD this rests on LFENCE being dispatch-serializing, which
/// every kernel of the last years arranges; RDTSC alone moves by tens of cycles there.
inline std::uint64_t ordered() noexcept {
  std::uint32_t low;
  std::uint32_t high;
  asm volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
  return (std::uint64_t{high} << 32) | low;
}

/// Whether the processor promises one rate in all power states (CPUID 0x80000007, EDX bit 8).
inline bool invariant() noexcept {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}

#elif defined(__aarch64__)

inline constexpr bool exists = true;
inline constexpr const char* name = "cntvct";

/// The barriers keep the reading, which may otherwise be speculated, between what stands before and after it.
inline std::uint64_t ordered() noexcept {
  std::uint64_t ticks;
  asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
  return ticks;
}

/// The architecture promises it for the generic timer.
inline bool invariant() noexcept { return true; }

#else

inline constexpr bool exists = false;
inline constexpr const char* name = "";
inline std::uint64_t ordered() noexcept { return 0; }
inline bool invariant() noexcept { return false; }

#endif

}  // namespace synchro::platform::cpu_counter

namespace synchro::platform {

#if defined(__x86_64__)

/// The signature of the hypervisor under which this processor is a guest, empty if there is none (CPUID 1, ECX bit 31;
/// CPUID 0x40000000). Nothing on processors that have no word for it.
inline std::optional<std::string> hypervisor_signature() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & (1U << 31)) == 0) return "";
  __cpuid(0x40000000, a, b, c, d);
  std::string signature;
  for (const unsigned part : {b, c, d})
    for (unsigned shift = 0; shift < 32; shift += 8) signature += static_cast<char>((part >> shift) & 0xFFU);
  return signature.substr(0, signature.find('\0'));
}

#else

inline std::optional<std::string> hypervisor_signature() { return std::nullopt; }

#endif

}  // namespace synchro::platform

#endif
