// Waiting without sleeping: one flag, and a way to pass the time between looks.

#ifndef SYNCHRO_PEERS_WAKES_SPINS_HPP
#define SYNCHRO_PEERS_WAKES_SPINS_HPP

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "cpu/this_cpu.hpp"
#include "peers/wakes/wake_peer.hpp"
#include "synchro/os.hpp"

namespace synchro::peers {

namespace detail {

/// Looks at an atomic count; `Rest(word, seen)` passes the time until the next look.
template <class Rest>
class spin_on {
 public:
  explicit spin_on(unsigned sleepers) : rounds_{sleepers} {}

  void wait(unsigned i) {
    const std::uint32_t seen = rounds_.next(i);
    while (triggers_.load(std::memory_order_acquire) == seen) Rest::until_next_look(triggers_, seen);
  }
  void trigger() { triggers_.store(triggers_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  static std::optional<std::string> unavailable() requires requires { Rest::unavailable(); }
  { return Rest::unavailable(); }

 private:
  alignas(2 * cpu::cache_line) std::atomic<std::uint32_t> triggers_{0};
  own_rounds rounds_;
};

using word = std::atomic<std::uint32_t>;

struct by_nop {
  static void until_next_look(const word&, std::uint32_t) { asm volatile("nop"); }
};
struct by_pause {
  static void until_next_look(const word&, std::uint32_t) { cpu::pause(); }
};
/// What std::this_thread::yield of the system's own library calls: sched_yield, and on Windows SwitchToThread. (GCC's library
/// for Windows calls Sleep(0) in it, which gives way to threads of the same priority only.)
struct by_yield {
  static void until_next_look(const word&, std::uint32_t) { os::yield(); }
};

}  // namespace detail

/// Formally a data race; in practice what much code does.
class spin_volatile_nop {
 public:
  static constexpr wake_traits traits{.judgement = "not to be chosen: volatile orders nothing between threads",
                                      .citation = "a volatile flag and a nop"};

  explicit spin_volatile_nop(unsigned sleepers) : rounds_{sleepers} {}

  void wait(unsigned i) {
    const std::uint32_t seen = rounds_.next(i);
    while (triggers_ == seen) asm volatile("nop");
  }
  void trigger() { triggers_ = triggers_ + 1; }

 private:
  alignas(2 * cpu::cache_line) volatile std::uint32_t triggers_ = 0;
  detail::own_rounds rounds_;
};

struct spin_atomic_nop : detail::spin_on<detail::by_nop> {
  static constexpr wake_traits traits{.judgement = "shortest wake time, a processor burnt for each sleeper",
                                      .citation = "an atomic flag and a nop"};
  using spin_on::spin_on;
};

struct spin_pause : detail::spin_on<detail::by_pause> {
  static constexpr wake_traits traits{.judgement = "as spin/atomic_nop, and kinder to the other thread of the core",
                                      .citation = "an atomic flag and the processor's pause"};
  using spin_on::spin_on;
};

struct spin_yield_std : detail::spin_on<detail::by_yield> {
  static constexpr wake_traits traits{.judgement = "spins, but lets others run",
                                      .citation = "an atomic flag and std::this_thread::yield"};
  using spin_on::spin_on;
};

// With instructions that wait for a line to be written, or for a time.

struct spin_tpause : detail::spin_on<this_cpu::tpause> {
  static constexpr wake_traits traits{.judgement = "spins with the processor in a light sleep between looks",
                                      .citation = "Intel SDM, TPAUSE (WAITPKG)"};
  using spin_on::spin_on;
};

struct spin_umwait : detail::spin_on<this_cpu::umwait> {
  static constexpr wake_traits traits{.judgement = "the processor sleeps lightly until the flag's line is written",
                                      .citation = "Intel SDM, UMONITOR and UMWAIT (WAITPKG)"};
  using spin_on::spin_on;
};

struct spin_mwaitx : detail::spin_on<this_cpu::mwaitx> {
  static constexpr wake_traits traits{.judgement = "the processor sleeps lightly until the flag's line is written",
                                      .citation = "AMD APM, MONITORX and MWAITX"};
  using spin_on::spin_on;
};

}  // namespace synchro::peers

#endif
