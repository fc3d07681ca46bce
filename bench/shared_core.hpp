// Whether somebody else uses the core of a processor: another virtual machine on the core's other hardware thread, for
// example, which no counter of this system shows.

#ifndef SYNCHRO_BENCH_SHARED_CORE_HPP
#define SYNCHRO_BENCH_SHARED_CORE_HPP

#include <algorithm>
#include <map>
#include <thread>

#include "bare_thread.hpp"
#include "platform/clock.hpp"

namespace bare {

/// Whether it does at least nine tenths of the additions at once that it ever did in this process.
inline bool has_its_core_alone(int cpu) {
  constexpr int looks_at_first = 200;
  static std::map<int, double> most;
  double now = 0;
  std::thread{[&] {
    if (!pin(cpu)) return;
    now = synchro::platform::additions_at_once();
    for (int i = 0; most.count(cpu) == 0 && i != looks_at_first; ++i)
      now = std::max(now, synchro::platform::additions_at_once());
  }}.join();
  double& best = most.try_emplace(cpu, now).first->second;
  best = std::max(best, now);
  return now >= 0.9 * best;
}

}  // namespace bare

#endif
