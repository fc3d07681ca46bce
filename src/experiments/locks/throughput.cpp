// locks.throughput

#include <algorithm>

#include "experiments/framework/axes.hpp"
#include "experiments/framework/protocol.hpp"
#include "experiments/locks/lock_cells.hpp"
#include "experiments/locks/locks.hpp"
#include "measure/timing.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

axis throughput_numbers(std::string name, std::string line, std::vector<std::int64_t> quick,
                        std::vector<std::int64_t> standard, std::vector<std::int64_t> full) {
  return {std::move(name), std::move(line), [=](const setting& s) {
            const auto& values = s.thoroughness == level::quick      ? quick
                                 : s.thoroughness == level::standard ? standard
                                                                     : full;
            return std::vector<coordinate>(values.begin(), values.end());
          }};
}

std::vector<axis> throughput_axes() {
  return {
      lock_axis(),
      bounded(throughput_numbers("locks", "how many locks there are; each thread takes a random one", {1}, {1, 16, 512},
                                 {1, 4, 16, 32, 128, 512}),
              1, 65536),
      threads_axis(),
      protocol_axis(),
      bounded(throughput_numbers("hold", "work inside the critical section, core cycles", {0}, {0}, {0, 1000}), 0,
              1'000'000),
      bounded(
          throughput_numbers("gap", "work after each release, core cycles, beside the protocol's pause", {0}, {0}, {0}),
          0, 1'000'000),
      placement_axis(),
      bounded(throughput_numbers("readers", "share of acquisitions that are shared, percent (reader-writer locks only)",
                                 {0, 90}, {0, 90}, {0, 50, 90, 99}),
              0, 100)};
}

std::vector<metric> throughput_metrics() {
  return {
      {"throughput", "op/s", better::higher,
       "Acquisitions of the whole team, from the opening of the window to the last acquisition that was timed, divided "
       "by that time."},
      {"handoff_time", "ns", better::lower,
       "That time divided by the exclusive acquisitions whose previous holder was another thread: how long a lock "
       "stays "
       "with one thread, and moves. A thread that keeps it, and is fast by that, makes it long."},
      {"handoff_share", "1", better::neither,
       "Share of the exclusive acquisitions whose previous exclusive holder was another thread. A lock that is fast "
       "because one thread keeps it has a small one: compare throughputs only where these are alike."},
      {"fairness", "1", better::higher,
       "Jain's index over the acquisitions of each thread in the window: 1 is equal shares, 1/threads is all to one."},
      {"acquire_latency", "ns", better::lower,
       "From before lock() to when it has returned, less what two readings of the clock cost; the median over a sample "
       "of all acquisitions, one in 5 to 10 us, interpolated within a step of the clock."},
      {"longest_wait", "ns", better::lower,
       "The longest any thread went from one timed acquisition to its next, work between included: an upper bound of "
       "the longest wait, which no wait between two samples escapes."},
      ceiling_metric()};
}

bool throughput_skip(const setting& s, const coordinates& at) {
  if (same_as_compact(s, at)) return true;
  return at.number("readers") != 0 && !find_lock(at.word("lock")).what.shared;
}

void record_sharing(repetition& r, const locks::contention_result& seen) {
  if (seen.acquisitions.size() < 2) {
    r.unavailable["handoff_time"] = r.unavailable["handoff_share"] = "there is only one thread";
    r.unavailable["fairness"] = "there is only one thread";
    return;
  }
  if (seen.exclusive != 0)
    r.observations.push_back({"handoff_share", seen.hand_offs / seen.exclusive});
  else
    r.unavailable["handoff_share"] = "no thread held the lock exclusively";
  if (seen.hand_offs != 0)
    r.observations.push_back({"handoff_time", seen.elapsed_ns / seen.hand_offs});
  else
    r.unavailable["handoff_time"] = "the lock passed to no other thread while it was watched";
  r.observations.push_back({"fairness", results::jain_index(seen.acquisitions)});
}

void record_waits(repetition& r, const locks::contention_result& seen, double clock_step_ns) {
  if (seen.waits_ns.empty()) {
    r.unavailable["acquire_latency"] = r.unavailable["longest_wait"] =
        "no thread acquired the lock twice while it was watched";
    return;
  }
  const measure::timed_singly wait = measure::time_singly(seen.waits_ns, clock_step_ns);
  r.observations.push_back({"acquire_latency", wait.median, wait.quantiles, wait.too_short});
  r.observations.push_back({"longest_wait", seen.longest_span_ns});
}

}  // namespace

locks::contention_task throughput_task(const setting& s, const coordinates& at, std::uint64_t seed) {
  locks::contention_task task = locks::task_of(s, at, seed);
  task.locks = static_cast<unsigned>(at.number("locks"));
  task.hold = static_cast<std::uint64_t>(at.number("hold"));
  task.gap = static_cast<std::uint64_t>(at.number("gap"));
  task.readers = static_cast<unsigned>(at.number("readers"));
  return task;
}

repetition record_throughput(const locks::contention_result& seen, double clock_step_ns) {
  repetition r;
  double acquired = 0;
  for (const double a : seen.acquisitions) acquired += a;
  r.observations.push_back({"throughput", acquired / (seen.elapsed_ns * 1e-9)});
  record_sharing(r, seen);
  record_waits(r, seen, clock_step_ns);
  r.broken = seen.broken;
  return r;
}

repetition measure_throughput(const lock_bodies& lock, const setting& s, const coordinates& at, std::uint64_t seed) {
  locks::contention_task task = throughput_task(s, at, seed);
  const double pause = pause_of(s, at);
  task.gap += locks::cycles_of(pause);
  const locks::contention_result seen = lock.contend(task);
  repetition r = record_throughput(seen, measure::clock_step_ns());
  record_pause(r, pause, task.threads, s.machine.processors.size());
  r.bounded = locks::remark_on(s, lock, task, seen);
  add_to(r, seen.team);
  return r;
}

experiment locks_throughput() {
  experiment e;
  e.name = "locks.throughput";
  e.line = "threads take random locks out of n: acquisitions a second, and who gets them";
  e.source = "SSYNC (SOSP 2013) 6.1.2, 6.1.3, Figs. 5, 7, 8";
  e.axes = throughput_axes();
  e.metrics = throughput_metrics();
  e.skip = throughput_skip;
  e.seconds = locks::contention_seconds;
  e.processors = processors_of;
  e.on_demand = locks::needs_body;
  e.measure = [](const setting& s, const coordinates& at, std::uint64_t seed) {
    return measure_throughput(find_lock(at.word("lock")), s, at, seed);
  };
  present_locks_throughput(e);
  return e;
}

}  // namespace synchro::experiments
