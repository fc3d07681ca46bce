// Instructions that rest until a line is written or a time has come. Only x86 has them for programs; an obstacle says what
// is missing.

#ifndef SYNCHRO_SUBJECTS_WAKES_MONITORS_HPP
#define SYNCHRO_SUBJECTS_WAKES_MONITORS_HPP

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace synchro::subjects {

#if defined(__x86_64__)

namespace detail {

inline bool has_waitpkg() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & 1U << 5) != 0;
}
inline bool has_monitorx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x8000'0001, &a, &b, &c, &d) != 0 && (c & 1U << 29) != 0;
}

/// Ticks of the time stamp counter after which to look again in any case.
inline constexpr std::uint32_t longest_rest = 100'000;

}  // namespace detail

struct by_tpause {
  [[gnu::target("waitpkg")]] static void until_next_look(const std::atomic<std::uint32_t>&, std::uint32_t) {
    _tpause(1, __rdtsc() + 1000);  // the lighter of the two states, for well under a microsecond
  }
  static std::optional<std::string> obstacle() {
    return detail::has_waitpkg() ? std::nullopt : std::optional<std::string>{"this processor has no TPAUSE"};
  }
};

struct by_umwait {
  [[gnu::target("waitpkg")]] static void until_next_look(const std::atomic<std::uint32_t>& word, std::uint32_t seen) {
    _umonitor(const_cast<std::atomic<std::uint32_t>*>(&word));
    if (word.load(std::memory_order_acquire) == seen) _umwait(1, __rdtsc() + detail::longest_rest);
  }
  static std::optional<std::string> obstacle() {
    return detail::has_waitpkg() ? std::nullopt : std::optional<std::string>{"this processor has no UMWAIT"};
  }
};

struct by_mwaitx {
  [[gnu::target("mwaitx")]] static void until_next_look(const std::atomic<std::uint32_t>& word, std::uint32_t seen) {
    constexpr unsigned with_timer = 2;
    constexpr unsigned lightest = 0xf0;
    _mm_monitorx(const_cast<std::atomic<std::uint32_t>*>(&word), 0, 0);
    if (word.load(std::memory_order_acquire) == seen) _mm_mwaitx(with_timer, lightest, detail::longest_rest);
  }
  static std::optional<std::string> obstacle() {
    return detail::has_monitorx() ? std::nullopt : std::optional<std::string>{"this processor has no MONITORX"};
  }
};

#else

namespace detail {
struct not_here {
  static void until_next_look(const std::atomic<std::uint32_t>&, std::uint32_t) {}
  static std::optional<std::string> obstacle() { return "only x86 processors have this instruction"; }
};
}  // namespace detail
struct by_tpause : detail::not_here {};
struct by_umwait : detail::not_here {};
struct by_mwaitx : detail::not_here {};

#endif

}  // namespace synchro::subjects

#endif
