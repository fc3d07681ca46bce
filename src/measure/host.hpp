// The host: the laboratory on this machine.

#ifndef SYNCHRO_MEASURE_HOST_HPP
#define SYNCHRO_MEASURE_HOST_HPP

#include <cstdint>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "cpu/this_cpu.hpp"
#include "measure/laboratory.hpp"
#include "platform/clock.hpp"
#include "platform/placement.hpp"
#include "synchro/hardware.hpp"

namespace synchro::measure {

struct host {
  using machine = hardware;

  /// The contract is in laboratory.hpp. With fewer processors than threads the list is used again from its start.
  /// Throws std::runtime_error with one sentence if the system does not give so many threads; those already started
  /// are sent home without having run the body. All have the priority before the first one begins: those that spin or give
  /// way would otherwise keep those that are not raised yet from their processor.
  static team_report team(const std::vector<unsigned>& cpus, unsigned n, const std::function<void(unsigned)>& body,
                          platform::urgency how = platform::urgency::usual);

  static std::uint64_t now() noexcept { return platform::tick_clock::get().now(); }
  static double to_ns(std::uint64_t ticks) noexcept { return platform::tick_clock::get().to_ns(ticks); }
  /// By the core clock measured when first asked (about 1 ms); the same for the whole run.
  static double cycles_to_ns(double cycles) noexcept;

  static void work(std::uint64_t cycles) noexcept;

  static void flush(const void* p) noexcept { this_cpu::flush_line(p); }
  static bool can_flush() noexcept { return this_cpu::can_flush_lines(); }

  using fresh_memory = platform::fresh_memory;  ///< Whole pages, just given by the system.
  template <class T>
  using fresh = fresh_object<fresh_memory, T>;
};

}  // namespace synchro::measure

#endif
