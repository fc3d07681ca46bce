// Spins that rest by a system call.

#ifndef SYNCHRO_PEERS_WAKES_POSIX_SPINS_HPP
#define SYNCHRO_PEERS_WAKES_POSIX_SPINS_HPP

#include <sched.h>

#include <ctime>

#include "peers/wakes/spins.hpp"

namespace synchro::peers {

namespace detail {

struct by_sched_yield {
  static void until_next_look(const word&, std::uint32_t) { sched_yield(); }
};
struct by_zero_sleep {
  static void until_next_look(const word&, std::uint32_t) {
    const std::timespec none{0, 0};
    nanosleep(&none, nullptr);
  }
};

}  // namespace detail

struct spin_sched_yield : detail::spin_on<detail::by_sched_yield> {
  static constexpr wake_traits traits{.judgement = "spins, but lets others run",
                                      .citation = "an atomic flag and sched_yield(2)"};
  using spin_on::spin_on;
};

struct spin_zero_sleep : detail::spin_on<detail::by_zero_sleep> {
  static constexpr wake_traits traits{.judgement = "looks some 10,000 times a second: between spinning and sleeping",
                                      .citation = "an atomic flag and nanosleep(2) of zero"};
  using spin_on::spin_on;
};

}  // namespace synchro::peers

#endif
