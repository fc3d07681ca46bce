// The host: the laboratory on this machine.

#ifndef SYNCHRO_MEASURE_HOST_HPP
#define SYNCHRO_MEASURE_HOST_HPP

#include <cstdint>
#include <functional>
#include <vector>

#include "measure/laboratory.hpp"
#include "platform/clock.hpp"
#include "synchro/hardware.hpp"

namespace synchro::measure {

struct host {
  using machine = hardware;

  static team_report team(const std::vector<unsigned>& cpus, unsigned n, const std::function<void(unsigned)>& body);

  static std::uint64_t now() noexcept { return platform::tick_clock::get().now(); }
  static double to_ns(std::uint64_t ticks) noexcept { return platform::tick_clock::get().to_ns(ticks); }
  static double cycles_to_ns(double cycles) noexcept;

  static void work(std::uint64_t cycles) noexcept;

  static void flush(const void* p) noexcept;
  static const bool can_flush;
};

}  // namespace synchro::measure

#endif
