// Whether somebody else uses the core of a processor: another virtual machine on the core's other hardware thread, for
// example, which no counter of this system shows.

#ifndef SYNCHRO_BENCH_SHARED_CORE_HPP
#define SYNCHRO_BENCH_SHARED_CORE_HPP

#include <algorithm>
#include <cstdint>
#include <map>
#include <thread>

#include "bare_thread.hpp"

namespace bare {

/// Nanoseconds for six chains of two additions, of which a core does as many at a time as it can; hardware threads share it.
inline double additions_side_by_side() {
  constexpr int rounds = 100'000;
  std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
  const double begin = now_ns();
  for (int i = 0; i != rounds; ++i)
    for (int twice = 0; twice != 2; ++twice) {
      ++a, ++b, ++c, ++d, ++e, ++f;
      asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
  return (now_ns() - begin) / rounds;
}

/// Whether additions there take no more than a tenth longer than they ever did in this process.
inline bool has_its_core_alone(int cpu) {
  static std::map<int, double> least;
  double took = 0;
  std::thread{[&] {
    if (!pin(cpu)) return;
    took = additions_side_by_side();
    for (int i = 0; least.count(cpu) == 0 && i != 200; ++i) took = std::min(took, additions_side_by_side());
  }}.join();
  double& best = least.try_emplace(cpu, took).first->second;
  best = std::min(best, took);
  return took <= 1.1 * best;
}

}  // namespace bare

#endif
