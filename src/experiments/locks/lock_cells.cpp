#include "experiments/locks/lock_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "experiments/framework/axes.hpp"
#include "experiments/framework/protocol.hpp"
#include "measure/host.hpp"
#include "platform/clock.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments::locks {

namespace {

/// A time slice of the schedulers of the field, roughly: how long a spinning thread keeps a processor from the next.
constexpr double slice_ns = 3e6;

}  // namespace

std::uint64_t cycles_of(double pause_ns) {
  return pause_ns == 0 ? 0 : static_cast<std::uint64_t>(pause_ns / measure::host::cycles_to_ns(1));
}

double window_ns(const setting& s, const coordinates& at) {
  const double usual = s.thoroughness == level::quick ? 20e6 : s.thoroughness == level::standard ? 50e6 : 100e6;
  const auto processors = static_cast<std::int64_t>(s.machine.processors.size());
  const std::int64_t per_processor = (at.number("threads") + processors - 1) / processors;
  return per_processor < 2 ? usual : std::max(usual, 2 * static_cast<double>(per_processor) * slice_ns);
}

contention_task task_of(const setting& s, const coordinates& at, std::uint64_t seed) {
  contention_task task;
  task.cpus = team_of(s, at);
  task.threads = static_cast<unsigned>(at.number("threads"));
  task.window_ns = window_ns(s, at);
  task.seed = seed;
  return task;
}

double contention_seconds(const setting& s, const coordinates& at) {
  const auto threads = static_cast<double>(at.number("threads"));
  double ns = 1.1 * window_ns(s, at) + 1e6 + 1e5 * threads;
  if (more_threads_than_processors(s, at) && find_lock(at.word("lock")).only_spins()) {
    // Served one by one, each after half a round of slices of those that still spin.
    ns += threads * threads / (4 * static_cast<double>(s.machine.processors.size())) * slice_ns;
  }
  if (is_paused(at)) ns += 2e6;
  return ns * 1e-9;
}

std::optional<std::string> remark_on(const setting& s, const lock_bodies& lock, const contention_task& task,
                                     const contention_result& r) {
  const std::size_t processors = s.machine.processors.size();
  const std::string end =
      fmt::format("the team was stopped after {:.0f} ms and its last thread came out {:.0f} ms later",
                  task.window_ns * 1e-6, r.overrun_ns * 1e-6);
  if (lock.only_spins() && task.threads > processors)
    return fmt::format("bounded by time: {} threads spin on {} processor{}; {}", task.threads, processors,
                       processors == 1 ? "" : "s", end);
  if (r.overrun_ns > task.window_ns) return "bounded by time: " + end;
  return std::nullopt;
}

bool needs_body(const coordinates& at) { return !find_lock(at.word("lock")).contend.is_here(); }

}  // namespace synchro::experiments::locks
