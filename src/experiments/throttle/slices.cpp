#include "experiments/throttle/slices.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "measure/host.hpp"
#include "platform/scheduling.hpp"

namespace synchro::experiments::throttle {

namespace {

using measure::host;

constexpr double watch_ns = 60e6;
constexpr double pass_try_ns = 4e6;
constexpr int tries = 3;

std::uint64_t preemptions_in(double ns) {
  const std::uint64_t before = platform::thread_counters().involuntary_switches.value_or(0);
  const std::uint64_t begin = host::now();
  while (host::to_ns(host::now() - begin) < ns) host::work(1000);
  return platform::thread_counters().involuntary_switches.value_or(0) - before;
}

}  // namespace

std::optional<double> watch_slice(unsigned cpu) {
  std::optional<double> shortest;
  for (int i = 0; i < tries; ++i) {
    std::atomic<std::uint64_t> switches{0};
    host::team({cpu}, 2, [&](unsigned) { switches += preemptions_in(watch_ns); });
    if (switches == 0) continue;
    const double slice = watch_ns / static_cast<double>(switches.load());
    shortest = std::min(slice, shortest.value_or(slice));
  }
  return shortest;
}

double time_pass(const part& p) {
  double shortest = std::numeric_limits<double>::max();
  std::uint64_t sums = p.sum();  // once to warm up
  for (int i = 0; i < tries; ++i) {
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
