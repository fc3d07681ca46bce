#include "experiments/throttle/slices.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <vector>

#include "measure/host.hpp"
#include "platform/scheduling.hpp"

namespace synchro::experiments::throttle {

namespace {

using measure::host;

constexpr double watch_ns = 60e6, longest_watch_ns = 1e9;
constexpr int tries = 3;
// Far shorter than a time slice, and many: some of them nobody interrupts.
constexpr double pass_try_ns = 200e3;
constexpr int pass_tries = 60;

/// What the calling thread had of the processor, and how often it lost it, in so long.
struct turns {
  std::uint64_t ns, preemptions;
};

/// Until `both` have lost it often enough; what this thread adds to that.
turns watched_turns(std::atomic<unsigned>& both) {
  constexpr std::uint64_t enough = 2;
  const platform::scheduler_counters before = platform::own_usage();
  const std::uint64_t begin = host::now();
  seen_turns seen{0};
  double ns = 0;
  for (bool done = false; ns < watch_ns || (both < 2 && ns < longest_watch_ns);) {
    host::work(1000);
    ns = host::to_ns(host::now() - begin);
    seen.look(ns);
    if (!done && seen.losses() >= enough) done = true, ++both;
  }
  const platform::scheduler_counters after = platform::own_usage();
  if (!after.involuntary_switches || !before.involuntary_switches || !after.cpu_time_ns || !before.cpu_time_ns)
    return {static_cast<std::uint64_t>(seen.had_ns()), seen.losses()};
  return {*after.cpu_time_ns - *before.cpu_time_ns, *after.involuntary_switches - *before.involuntary_switches};
}

}  // namespace

std::optional<double> watch_slice(unsigned cpu) try {
  std::optional<double> longest;
  for (int i = 0; i < tries; ++i) {
    std::atomic<std::uint64_t> ns{0};
    std::atomic<std::uint64_t> preemptions{0};
    std::atomic<unsigned> both{0};
    host::team({cpu}, 2, [&](unsigned) {
      const turns mine = watched_turns(both);
      ns += mine.ns;
      preemptions += mine.preemptions;
    });
    if (preemptions == 0 || ns == 0) continue;
    const double slice = static_cast<double>(ns.load()) / static_cast<double>(preemptions.load());
    longest = std::max(slice, longest.value_or(slice));
  }
  return longest;
} catch (const std::runtime_error&) {
  return std::nullopt;  // No threads to watch; whoever measures will be told so.
}

double time_pass(const part& p) {
  double shortest = std::numeric_limits<double>::max();
  std::uint64_t sums = p.sum();  // once to warm up
  for (int i = 0; i < pass_tries; ++i) {
    const std::uint64_t begin = host::now();
    double passes = 0;
    double ns = 0;
    do {
      sums += p.sum();
      ++passes;
      ns = host::to_ns(host::now() - begin);
    } while (ns < pass_try_ns);
    shortest = std::min(shortest, ns / passes);
  }
  asm volatile("" : : "r"(sums));
  return shortest;
}

std::uint64_t round_number(double passes) {
  double step = 1;
  while (step < passes) step *= 2;
  const double between = 0.75 * step;
  return static_cast<std::uint64_t>(passes <= between && step > 2 ? between : step);
}

}  // namespace synchro::experiments::throttle
