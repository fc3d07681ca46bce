// RISC-V of 64 bits: the processor's part of this_cpu.hpp.

#ifndef SYNCHRO_CPU_RISCV64_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_RISCV64_INSTRUCTIONS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "cpu/not_x86.hpp"
#include "synchro/os.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "riscv64";
inline constexpr bool has_counter = true;
inline constexpr const char* counter_name = "rdtime";

/// The fences keep memory accesses on their sides of the reading; other instructions may pass it.
inline std::uint64_t counter() noexcept {
  std::uint64_t ticks;
  asm volatile("fence iorw, iorw\n\trdtime %0\n\tfence iorw, iorw" : "=r"(ticks) : : "memory");
  return ticks;
}

/// Zicntr: a constant rate.
inline bool counter_is_invariant() noexcept { return true; }

/// Where all processors have Zicbom, newer kernels let programs clean and flush lines, and say so: riscv_hwprobe (call 258), of
/// key 4 bit 55. Older ones know the extension and do not say it, for there a program that flushes is ended.
inline bool can_flush_lines() noexcept {
  static const bool allowed = [] {
    std::uint64_t asked[2] = {4, 0};
    return os::linux_call(258, &asked[0], 1L, 0L, 0L, 0L) == 0 && asked[0] == 4 && (asked[1] >> 55 & 1U) != 0;
  }();
  return allowed;
}
/// CBO.FLUSH, as a number: assemblers may not know it. The fence completes it before anything that follows.
inline void flush_line(const void* p) noexcept {
  asm volatile(".insn i 0x0f, 2, x0, %0, 2\n\tfence iorw, iorw" : : "r"(p) : "memory");
}

inline constexpr bool has_fence_instructions = true;
inline void load_fence() noexcept { asm volatile("fence r, r" ::: "memory"); }
inline void store_fence() noexcept { asm volatile("fence w, w" ::: "memory"); }
inline void full_fence() noexcept { asm volatile("fence rw, rw" ::: "memory"); }
inline void no_operation() noexcept { asm volatile("nop"); }

/// One instruction each: atomic memory operations. There is none that compares (Zacas has it, which few processors have).
struct amo {
  static constexpr const char* name = "amo";

  static std::optional<std::string> unavailable() { return std::nullopt; }
  static std::uint64_t fetch_add(std::uint64_t& word, std::uint64_t n) noexcept {
    std::uint64_t old;
    asm volatile("amoadd.d.aqrl %0, %2, %1" : "=r"(old), "+A"(word) : "r"(n) : "memory");
    return old;
  }
  static std::uint64_t exchange(std::uint64_t& word, std::uint64_t n) noexcept {
    std::uint64_t old;
    asm volatile("amoswap.d.aqrl %0, %2, %1" : "=r"(old), "+A"(word) : "r"(n) : "memory");
    return old;
  }
};

/// A load that reserves the line, and a store that fails if the reservation is gone, until it does not.
struct lrsc {
  static constexpr const char* name = "lrsc";

  static std::optional<std::string> unavailable() { return std::nullopt; }
  static std::uint64_t fetch_add(std::uint64_t& word, std::uint64_t n) noexcept {
    std::uint64_t old, sum;
    asm volatile("0: lr.d.aqrl %0, %2\n\tadd %1, %0, %3\n\tsc.d.rl %1, %1, %2\n\tbnez %1, 0b"
                 : "=&r"(old), "=&r"(sum), "+A"(word)
                 : "r"(n)
                 : "memory");
    return old;
  }
  static std::uint64_t exchange(std::uint64_t& word, std::uint64_t n) noexcept {
    std::uint64_t old, failed;
    asm volatile("0: lr.d.aqrl %0, %2\n\tsc.d.rl %1, %3, %2\n\tbnez %1, 0b"
                 : "=&r"(old), "=&r"(failed), "+A"(word)
                 : "r"(n)
                 : "memory");
    return old;
  }
  static std::uint64_t compare_exchange(std::uint64_t& word, std::uint64_t expected, std::uint64_t n) noexcept {
    std::uint64_t found, failed;
    asm volatile("0: lr.d.aqrl %0, %2\n\tbne %0, %3, 1f\n\tsc.d.rl %1, %4, %2\n\tbnez %1, 0b\n1:"
                 : "=&r"(found), "=&r"(failed), "+A"(word)
                 : "r"(expected), "r"(n)
                 : "memory");
    return found;
  }
};

using atomic_forms = std::tuple<amo, lrsc>;

}  // namespace synchro::this_cpu

#endif
