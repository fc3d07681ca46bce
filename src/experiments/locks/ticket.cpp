// locks.ticket

#include <algorithm>
#include <array>
#include <string>

#include "experiments/framework/axes.hpp"
#include "experiments/framework/protocol.hpp"
#include "experiments/locks/lock_cells.hpp"
#include "experiments/locks/locks.hpp"
#include "measure/host.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments {

namespace {

bool is_ticket_variant(const lock_bodies& lock) {
  static const std::array<std::string, 3> variants{"ticket_plain", "ticket", "ticket_prefetch"};
  return std::find(variants.begin(), variants.end(), lock.name) != variants.end();
}

/// Alone, a thread takes the lock so quickly that only many times together can be timed.
constexpr unsigned pairs_alone = 64;

repetition measure_ticket(const setting& s, const coordinates& at, std::uint64_t seed) {
  const lock_bodies& lock = find_lock(at.word("lock"));
  locks::contention_task task = locks::task_of(s, at, seed);
  const double pause = pause_of(s, at);
  task.gap = locks::cycles_of(pause);
  task.pairs = task.threads == 1 ? pairs_alone : 1;
  const locks::contention_result seen = lock.contend(task);
  repetition r;
  if (pause != 0) r.conditions["pause_ns"] = pause;
  if (seen.waits_ns.empty()) {
    r.unavailable["latency"] = r.unavailable["latency_cycles"] =
        "no thread acquired the lock twice while it was watched";
  } else {
    const measure::timed_singly pair = measure::time_singly(seen.waits_ns, measure::clock_step_ns() / task.pairs);
    r.observations.push_back({"latency", pair.median, pair.quantiles});
    r.observations.push_back({"latency_cycles", pair.median / measure::host::cycles_to_ns(1)});
    r.clock_limited = pair.too_short;
  }
  r.broken = seen.broken;
  r.bounded = locks::remark_on(s, lock, task, seen);
  add_to(r, seen.team);
  return r;
}

}  // namespace

experiment locks_ticket() {
  experiment e;
  e.name = "locks.ticket";
  e.line =
      "latency of acquiring and releasing a ticket lock: plain, with proportional back-off, with prefetch-for-write";
  e.source = "SSYNC (SOSP 2013) 5.3, Fig. 3";
  e.axes = {lock_axis(is_ticket_variant), threads_axis(), protocol_axis(), placement_axis()};
  e.metrics = {
      {"latency", "ns", better::lower,
       "From before lock() to after unlock(), with a read and a write of the protected line between, all "
       "threads on one lock; the median over a sample, one in 5 to 10 us, interpolated within a step of the clock. "
       "One thread alone is timed in batches of 64."},
      {"latency_cycles", "cycle", better::lower, "The same in core cycles, by the core clock of the run."}};
  e.skip = same_as_compact;
  e.seconds = locks::contention_seconds;
  e.processors = processors_of;
  e.on_demand = locks::needs_body;
  e.measure = measure_ticket;
  present_locks_ticket(e);
  return e;
}

}  // namespace synchro::experiments
