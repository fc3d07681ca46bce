// locks.uncontested

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/axes.hpp"
#include "experiments/locks/lock_cells.hpp"
#include "experiments/locks/locks.hpp"
#include "measure/host.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments {

namespace {

using platform::distance;

/// All distances there are, near to far; same_cpu is the taker itself.
std::vector<std::string> all_distances() {
  std::vector<std::string> names;
  for (auto d = distance::same_cpu;; d = static_cast<distance>(static_cast<int>(d) + 1)) {
    names.push_back(platform::to_string(d));
    if (d == distance::other_package_far) return names;
  }
}

axis distance_axis() {
  axis a{"distance", "where the previous holder ran; same_cpu: the same thread held it", [](const setting& s) {
           std::vector<coordinate> values{platform::to_string(distance::same_cpu)};
           for (const distance d : s.machine.distances()) values.emplace_back(platform::to_string(d));
           return values;
         }};
  a.refuses = [](const setting&, const coordinate& value) -> std::optional<std::string> {
    const std::string said = results::to_string(value);
    if (platform::distance_from(said)) return std::nullopt;
    std::string known;
    for (const std::string& name : all_distances()) known += (known.empty() ? "" : ", ") + name;
    return "distance cannot be '" + said + "'; it can be " + known;
  };
  return a;
}

distance distance_of(const coordinates& at) { return platform::distance_from(at.word("distance")).value(); }

/// The taker's processor, then the previous holder's. Empty if the machine has no two at that distance.
std::vector<unsigned> uncontested_places(const setting& s, const coordinates& at) {
  if (distance_of(at) == distance::same_cpu) return {s.machine.processors.front().cpu};
  const auto pair = s.machine.pair_at(distance_of(at));
  return pair ? std::vector<unsigned>{pair->first, pair->second} : std::vector<unsigned>{};
}

std::optional<std::string> uncontested_unavailable(const setting& s, const coordinates& at) {
  if (!uncontested_places(s, at).empty()) return std::nullopt;
  return "no two usable processors are at the distance " + at.word("distance");
}

void record_uncontested(repetition& r, const std::string& name, const std::vector<double>& rounds_ns, unsigned batch) {
  const measure::timed_singly one = measure::time_singly(rounds_ns, measure::clock_step_ns() / batch);
  r.observations.push_back({name, one.median, {}, one.too_short});
  r.observations.push_back({name + "_cycles", one.median / measure::host::cycles_to_ns(1), {}, one.too_short});
}

repetition measure_uncontested(const setting& s, const coordinates& at, std::uint64_t seed) {
  locks::previous_holder_task task;
  task.cpus = uncontested_places(s, at);
  task.other_thread = task.cpus.size() > 1;
  task.rounds = s.thoroughness == level::full ? 400 : 200;
  task.seed = seed;
  const locks::previous_holder_result seen = find_lock(at.word("lock")).succeed(task);
  repetition r;
  record_uncontested(r, "acquire", seen.acquire_ns, task.batch);
  record_uncontested(r, "release", seen.release_ns, task.batch);
  record_uncontested(r, "pair", seen.pair_ns, task.batch);
  r.broken = seen.broken;
  if (!seen.chained && task.other_thread)
    r.bounded =
        "this lock does not show in its own bytes that it is held: acquisitions may have overlapped, and cost more";
  add_to(r, seen.team);
  return r;
}

void add_metric(std::vector<metric>& metrics, const std::string& name, const std::string& definition) {
  metrics.push_back({name, "ns", better::lower, definition});
  metrics.push_back(
      {name + "_cycles", "cycle", better::lower, "The same in core cycles, by the core clock of the run."});
}

}  // namespace

experiment locks_uncontested() {
  experiment e;
  e.name = "locks.uncontested";
  e.line = "latency of acquiring and releasing a free lock, by where its previous holder ran";
  e.source = "SSYNC (SOSP 2013) 6.1.1, Fig. 6";
  e.axes = {lock_axis(), distance_axis()};
  add_metric(e.metrics, "acquire",
             "Time of 128 lock() calls on as many locks, each begun when the one before it had ended, divided by their "
             "number; each lock was last held, and its line last written, at that distance.");
  add_metric(e.metrics, "release", "Time of the 128 unlock() calls that follow, divided by their number.");
  add_metric(e.metrics, "pair",
             "Time of 128 times lock() and unlock(), on as many locks last held at that distance, divided by their "
             "number. If the same thread held the locks last, one pair follows the other as in any loop; otherwise "
             "each begins when the lock() before it has ended.");
  e.unavailable = uncontested_unavailable;
  e.seconds = [](const setting& s, const coordinates&) { return s.thoroughness == level::full ? 0.03 : 0.015; };
  e.processors = uncontested_places;
  e.on_demand = locks::needs_body;
  e.measure = measure_uncontested;
  present_locks_uncontested(e);
  return e;
}

}  // namespace synchro::experiments
