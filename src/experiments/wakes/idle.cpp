// wake.idle: the longer a thread has slept, the deeper sleeps its processor.

#include <algorithm>
#include <cmath>

#include "experiments/framework/axes.hpp"
#include "experiments/wakes/host_run.hpp"
#include "experiments/wakes/wake_cells.hpp"
#include "experiments/wakes/wakes.hpp"
#include "measure/timing.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using wakes::wake_result;
using wakes::wake_round;
using wakes::wake_task;

bool is_among(const std::string& name, std::initializer_list<const char*> some) {
  return std::any_of(some.begin(), some.end(), [&](const char* one) { return name == one; });
}

bool idle_takes(const wake_row& row, level l) {
  if (is_among(row.name, {"event", "linux/futex", "win32/event", "std/condition_variable", "spin/pause"})) return true;
  if (l == level::quick) return false;
  return l == level::full ||
         is_among(row.name, {"posix/sem", "linux/eventfd", "win32/wait_on_address", "std/atomic_wait", "signal/wait"});
}

axis idle_axis() {
  axis a{"idle", "how long the sleeper has waited when it is woken, ns", [](const setting&) {
           return std::vector<coordinate>{std::int64_t{1'000},     std::int64_t{10'000},     std::int64_t{100'000},
                                          std::int64_t{1'000'000}, std::int64_t{10'000'000}, std::int64_t{100'000'000}};
         }};
  a.refuses = [](const setting&, const coordinate& value) -> std::optional<std::string> {
    const auto* const ns = std::get_if<std::int64_t>(&value);
    if (ns != nullptr && *ns >= 0 && *ns <= 10'000'000'000) return std::nullopt;
    return "idle takes nanoseconds up to 10000000000, not '" + results::to_string(value) + "'";
  };
  return a;
}

axis distance_axis() {
  return {"distance", "how far the sleeper's processor is from the waker's", [](const setting& s) {
            std::vector<coordinate> values;
            for (const platform::distance d : s.machine.distances()) values.emplace_back(platform::to_string(d));
            if (values.empty()) values.emplace_back(platform::to_string(platform::distance::same_cpu));
            return values;
          }};
}

/// The waker's processor and the sleeper's.
std::vector<unsigned> places(const setting& s, const coordinates& at) {
  const auto d = platform::distance_from(at.word("distance")).value();
  if (d == platform::distance::same_cpu) return {s.machine.processors.front().cpu};
  const auto pair = s.machine.pair_at(d);
  return pair ? std::vector<unsigned>{pair->first, pair->second} : std::vector<unsigned>{};
}

std::optional<std::string> idle_unavailable(const setting& s, const coordinates& at) {
  const std::vector<unsigned> where = places(s, at);
  if (where.empty()) return "no two usable processors are at the distance " + at.word("distance");
  if (where.size() == 1 && !find_wake(at.word("primitive")).sleeps)
    return "a thread that spins keeps its waker from the only processor";
  if (find_wake(at.word("primitive")).region) return "a runtime's own threads cannot be woken at a given time";
  return wakes::unavailable_of(s, at);
}

/// Fewer triggers after long sleeps: a repetition stays below a fifth of a second.
unsigned triggers_after(double idle_ns) { return static_cast<unsigned>(std::clamp(40e6 / (idle_ns + 1e6), 1.0, 20.0)); }

repetition idle_measure(const setting& s, const coordinates& at, std::uint64_t) {
  wake_task task;
  task.cpus = places(s, at);
  task.idle_ns = static_cast<double>(at.number("idle"));
  task.triggers = triggers_after(*task.idle_ns) + 1;
  task.budget_ns = 1e12;
  wake_result seen = wakes::run_on_host(find_wake(at.word("primitive")), task);
  repetition out;
  wakes::add_to(out, seen);
  if (out.broken) return out;
  if (seen.rounds.size() > 1) seen.rounds.erase(seen.rounds.begin());  // all is cold
  const double wake = wakes::median_of(seen, wakes::first);
  out.observations.push_back({"wake", wake, {}, measure::too_short_for_the_clock(wake)});
  if (std::isnan(seen.switches))
    out.unavailable["slept"] = "the system does not count a thread's context switches";
  else
    out.observations.push_back({"slept", seen.slept / seen.waits});
  out.observations.push_back({"waited", wakes::median_of(seen, [](const wake_round& r) { return r.idle_ns; })});
  return out;
}

}  // namespace

experiment wake_idle() {
  experiment e;
  e.name = "wake.idle";
  e.line = "one waker, one sleeper: the wake-up by how long the sleeper has waited, and by distance";
  e.source = "users of wake-up measuring tools";
  e.axes = {primitive_axis(idle_takes), idle_axis(), distance_axis()};
  e.metrics = {{"wake", "ns", better::lower,
                "From before the trigger call to the sleeper's first instruction after its wait; the median over the "
                "triggers but the first."},
               {"slept", "1", better::neither,
                "Share of the waits in which the sleeper gave its processor away: after a short wait it may still have "
                "been on its way to sleep."},
               {"waited", "ns", better::neither, "How long the sleeper had waited in fact."}};
  e.unavailable = idle_unavailable;
  e.seconds = [](const setting&, const coordinates& at) {
    const auto ns = static_cast<double>(at.number("idle"));
    return ((triggers_after(ns) + 1) * (ns + 50e3) + 1e6) * 1e-9;
  };
  e.processors = places;
  e.measure = idle_measure;
  e.repetitions = wakes::repetitions;
  present_wake_idle(e);
  return e;
}

}  // namespace synchro::experiments
