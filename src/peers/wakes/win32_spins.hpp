// Waiting without sleeping, with Windows's ways to let others run.

#ifndef SYNCHRO_PEERS_WAKES_WIN32_SPINS_HPP
#define SYNCHRO_PEERS_WAKES_WIN32_SPINS_HPP

#include <windows.h>

#include "peers/wakes/spins.hpp"

namespace synchro::peers {

namespace detail {

struct by_switch_to_thread {
  static void until_next_look(const word&, std::uint32_t) { SwitchToThread(); }
};
struct by_sleep_zero {
  static void until_next_look(const word&, std::uint32_t) { Sleep(0); }
};

}  // namespace detail

struct spin_switch_to_thread : detail::spin_on<detail::by_switch_to_thread> {
  static constexpr wake_traits traits{.judgement = "gives way to any thread that is ready on this processor",
                                      .citation = "Win32, SwitchToThread"};
  using spin_on::spin_on;
};

struct spin_sleep_zero : detail::spin_on<detail::by_sleep_zero> {
  static constexpr wake_traits traits{
      .judgement = "gives way to a ready thread; before Server 2003 to one of equal priority",
      .citation = "Win32, Sleep(0)"};
  using spin_on::spin_on;
};

}  // namespace synchro::peers

#endif
