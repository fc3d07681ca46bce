// x86-64: the processor's part of this_cpu.hpp.

#ifndef SYNCHRO_CPU_X86_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_X86_INSTRUCTIONS_HPP

#include <cpuid.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "synchro/cpu/x86.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "x86_64";
inline constexpr bool has_counter = true;
inline constexpr const char* counter_name = "tsc";

/// The first LFENCE lets everything before it complete (stores need not have reached the cache), the second keeps what
/// follows from starting before the counter was read. On AMD this rests on LFENCE being dispatch-serializing, which
/// every kernel of the last years arranges; RDTSC alone moves by tens of cycles there.
inline std::uint64_t counter() noexcept {
  std::uint32_t low;
  std::uint32_t high;
  asm volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
  return (std::uint64_t{high} << 32) | low;
}

namespace detail {

struct cpuid_answer {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

/// Zeros for a leaf that this processor has not.
inline cpuid_answer cpuid(unsigned leaf) noexcept {
  cpuid_answer r;
  if (__get_cpuid_count(leaf, 0, &r.a, &r.b, &r.c, &r.d) == 0) return {};
  return r;
}

}  // namespace detail

/// CPUID 0x80000007, EDX bit 8.
inline bool counter_is_invariant() noexcept { return (detail::cpuid(0x8000'0007).d & (1U << 8)) != 0; }

/// CPUID 1, ECX bit 31; CPUID 0x40000000, which lies outside the leaves whose number is known.
inline std::optional<std::string> hypervisor_signature() {
  if ((detail::cpuid(1).c & (1U << 31)) == 0) return "";
  detail::cpuid_answer r;
  __cpuid(0x4000'0000, r.a, r.b, r.c, r.d);
  std::string signature;
  for (const unsigned part : {r.b, r.c, r.d})
    for (unsigned shift = 0; shift < 32; shift += 8) signature += static_cast<char>((part >> shift) & 0xFFU);
  return signature.substr(0, signature.find('\0'));
}

/// Hyper-V's word (TLFS, "Feature discovery"): CPUID 0x40000003, EBX bit 0, the right to make partitions, which only the first
/// has, that of the system on the machine itself.
inline bool hosts_hypervisor() {
  detail::cpuid_answer r;
  if (hypervisor_signature() != "Microsoft Hv") return false;
  __cpuid(0x4000'0003, r.a, r.b, r.c, r.d);
  return (r.b & 1U) != 0;
}

inline constexpr bool can_flush_lines() noexcept { return true; }
/// The fence completes the flush before anything that follows.
inline void flush_line(const void* p) noexcept {
  asm volatile("clflush %0\n\tmfence" : : "m"(*static_cast<const char*>(p)) : "memory");
}

inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("lfence" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("sfence" ::: "memory"); }
inline void full_fence() noexcept { asm volatile("mfence" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nop"); }

namespace detail {

inline std::optional<std::string> unless(bool has_it, const char* instruction) {
  if (has_it) return std::nullopt;
  return std::string{"this processor has no "} + instruction;
}

}  // namespace detail

struct tpause {
  [[gnu::target("waitpkg")]] static void until_next_look(const std::atomic<std::uint32_t>&, std::uint32_t) {
    constexpr std::uint32_t lighter = 1;                      // of its two states
    const std::uint64_t end = __builtin_ia32_rdtsc() + 1000;  // well under a microsecond
    asm volatile("tpause %0"
                 :
                 : "r"(lighter), "d"(static_cast<std::uint32_t>(end >> 32)), "a"(static_cast<std::uint32_t>(end))
                 : "cc", "memory");
  }
  static std::optional<std::string> unavailable() { return detail::unless(cpu::detail::has_waitpkg(), "TPAUSE"); }
};

struct umwait {
  static void until_next_look(const std::atomic<std::uint32_t>& word, std::uint32_t seen) {
    cpu::detail::rest_by_umwait(word, seen);
  }
  static std::optional<std::string> unavailable() { return detail::unless(cpu::detail::has_waitpkg(), "UMWAIT"); }
};

struct mwaitx {
  static void until_next_look(const std::atomic<std::uint32_t>& word, std::uint32_t seen) {
    cpu::detail::rest_by_mwaitx(word, seen);
  }
  static std::optional<std::string> unavailable() { return detail::unless(cpu::detail::has_monitorx(), "MONITORX"); }
};

using atomic_forms = std::tuple<>;

}  // namespace synchro::this_cpu

#endif
