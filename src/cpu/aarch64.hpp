// AArch64: the processor's part of this_cpu.hpp.

#ifndef SYNCHRO_CPU_AARCH64_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_AARCH64_INSTRUCTIONS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "cpu/not_x86.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "aarch64";
inline constexpr bool has_counter = true;
inline constexpr const char* counter_name = "cntvct";

/// The barriers keep the reading, which may otherwise be speculated, between what stands before and after it.
inline std::uint64_t counter() noexcept {
  std::uint64_t ticks;
  asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
  return ticks;
}

/// The architecture promises it for the generic timer.
inline bool counter_is_invariant() noexcept { return true; }

inline constexpr bool can_flush_lines() noexcept { return true; }
/// Cleans and invalidates to the point of coherency; Linux lets programs do so.
inline void flush_line(const void* p) noexcept { asm volatile("dc civac, %0\n\tdsb sy" : : "r"(p) : "memory"); }

inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("dmb ishld" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("dmb ishst" ::: "memory"); }
inline void full_fence() noexcept { asm volatile("dmb ish" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nop"); }

/// One instruction each: the Large System Extensions of Armv8.1.
struct lse {
  static constexpr const char* name = "lse";

  /// By the processor's own register, which Linux lets programs read.
  static std::optional<std::string> unavailable() {
    std::uint64_t features;
    asm("mrs %0, s3_0_c0_c6_0" : "=r"(features));  // ID_AA64ISAR0_EL1
    if ((features >> 20 & 0xf) >= 2) return std::nullopt;
    return "this processor has no Large System Extensions";
  }
  static std::uint64_t fetch_add(std::uint64_t& word, std::uint64_t n) noexcept {
    std::uint64_t old;
    asm volatile(".arch_extension lse\n\tldaddal %2, %0, %1" : "=r"(old), "+Q"(word) : "r"(n) : "memory");
    return old;
  }
  static std::uint64_t exchange(std::uint64_t& word, std::uint64_t n) noexcept {
    std::uint64_t old;
    asm volatile(".arch_extension lse\n\tswpal %2, %0, %1" : "=r"(old), "+Q"(word) : "r"(n) : "memory");
    return old;
  }
  static std::uint64_t compare_exchange(std::uint64_t& word, std::uint64_t expected, std::uint64_t n) noexcept {
    asm volatile(".arch_extension lse\n\tcasal %0, %2, %1" : "+r"(expected), "+Q"(word) : "r"(n) : "memory");
    return expected;  // it puts what it found there
  }
};

/// A load that marks the line, and a store that fails if the mark is gone, until it does not.
struct llsc {
  static constexpr const char* name = "llsc";

  static std::optional<std::string> unavailable() { return std::nullopt; }
  static std::uint64_t fetch_add(std::uint64_t& word, std::uint64_t n) noexcept {
    std::uint64_t old, sum;
    std::uint32_t failed;
    asm volatile("0: ldaxr %0, %3\n\tadd %1, %0, %4\n\tstlxr %w2, %1, %3\n\tcbnz %w2, 0b"
                 : "=&r"(old), "=&r"(sum), "=&r"(failed), "+Q"(word)
                 : "r"(n)
                 : "memory");
    return old;
  }
  static std::uint64_t exchange(std::uint64_t& word, std::uint64_t n) noexcept {
    std::uint64_t old;
    std::uint32_t failed;
    asm volatile("0: ldaxr %0, %2\n\tstlxr %w1, %3, %2\n\tcbnz %w1, 0b"
                 : "=&r"(old), "=&r"(failed), "+Q"(word)
                 : "r"(n)
                 : "memory");
    return old;
  }
  static std::uint64_t compare_exchange(std::uint64_t& word, std::uint64_t expected, std::uint64_t n) noexcept {
    std::uint64_t found;
    std::uint32_t failed;
    asm volatile("0: ldaxr %0, %2\n\tcmp %0, %3\n\tb.ne 1f\n\tstlxr %w1, %4, %2\n\tcbnz %w1, 0b\n1:"
                 : "=&r"(found), "=&r"(failed), "+Q"(word)
                 : "r"(expected), "r"(n)
                 : "memory", "cc");
    return found;
  }
};

using atomic_forms = std::tuple<lse, llsc>;

}  // namespace synchro::this_cpu

#endif
