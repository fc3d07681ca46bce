#include "experiments/locks/lock_cells.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/framework/axes.hpp"
#include "platform/clock.hpp"
#include "results/statistics.hpp"

namespace synchro::experiments::locks {

namespace {

/// A time slice of the schedulers of the field, roughly: how long a spinning thread keeps a processor from the next.
constexpr double slice_ns = 3e6;

}  // namespace

double window_ns(level l) { return l == level::quick ? 20e6 : l == level::standard ? 50e6 : 100e6; }

contention_task task_of(const setting& s, const coordinates& at, std::uint64_t seed) {
  contention_task task;
  task.cpus = team_of(s, at);
  task.threads = static_cast<unsigned>(at.number("threads"));
  task.window_ns = window_ns(s.thoroughness);
  task.seed = seed;
  return task;
}

double contention_seconds(const setting& s, const coordinates& at) {
  const auto threads = static_cast<double>(at.number("threads"));
  double ns = 1.1 * window_ns(s.thoroughness) + 1e6 + 1e5 * threads;
  if (more_threads_than_processors(s, at) && find_lock(at.word("lock")).only_spins()) {
    // Served one by one, each after half a round of slices of those that still spin.
    ns += threads * threads / (4 * static_cast<double>(s.machine.processors.size())) * slice_ns;
  }
  return ns * 1e-9;
}

bool too_short_for_the_clock(double interval_ns) {
  return interval_ns < 20 * platform::tick_clock::get().facts().resolution_ns;
}

std::map<std::string, double> quantiles_of(const std::vector<double>& samples) {
  static constexpr std::array<std::pair<const char*, double>, 5> asked{
      {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}}};
  std::map<std::string, double> told;
  for (const auto& [name, q] : asked)
    if (const auto value = results::quantile(samples, q)) told[name] = *value;
  return told;
}

std::optional<std::string> remark_on(const setting& s, const lock_bodies& lock, const contention_task& task,
                                     const contention_result& r) {
  const std::size_t processors = s.machine.processors.size();
  const bool starved = lock.only_spins() && task.threads > processors;
  if (!starved && r.overrun_ns < task.window_ns) return std::nullopt;
  return fmt::format(
      "bounded by time: {} threads {} on {} processor{}; the team was stopped after {:.0f} ms and its "
      "last thread came out {:.0f} ms later",
      task.threads, lock.only_spins() ? "spin" : "share the lock", processors, processors == 1 ? "" : "s",
      task.window_ns * 1e-6, r.overrun_ns * 1e-6);
}

}  // namespace synchro::experiments::locks
