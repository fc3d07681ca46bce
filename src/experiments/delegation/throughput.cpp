#include "experiments/delegation/throughput.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <string>

#include "experiments/delegation/delegation.hpp"
#include "experiments/framework/axes.hpp"
#include "platform/placement.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using delegation::execute_outcome;
using delegation::execute_task;
using delegation::most_lines;

/// A way to execute: how it is called, whether its threads only spin, whether one thread more serves.
struct way_to_execute {
  const char* name;
  bool only_spins, served = false;
};

constexpr std::array ways{way_to_execute{"tas", true},
                          way_to_execute{"ticket", true},
                          way_to_execute{"mcs", true},
                          way_to_execute{"mcs/park", false},
                          way_to_execute{"mutex", false},
                          way_to_execute{"cc_synch", true},
                          way_to_execute{"cc_synch/park", false},
                          way_to_execute{"dsm_synch", true},
                          way_to_execute{"dsm_synch/park", false},
                          way_to_execute{"flat_combining", true},
                          way_to_execute{"flat_combining/yield", false},
                          way_to_execute{"delegation_server", true, true},
                          way_to_execute{"delegation_server/yield", false, true}};

const way_to_execute& way_of_delegation(const coordinates& at) {
  const std::string name = at.word("delegate");
  return *std::find_if(ways.begin(), ways.end(), [&](const way_to_execute& w) { return name == w.name; });
}

coordinates with_server_delegation(const coordinates& at) {
  coordinates all = at;
  all.set("threads", at.number("threads") + (way_of_delegation(at).served ? 1 : 0));
  return all;
}

/// Threads that share a processor take turns of milliseconds: each should have several.
double delegation_duration_s(const setting& s, const coordinates& at) {
  if (more_threads_than_processors(s, with_server_delegation(at))) return 0.1;
  return s.thoroughness == level::full ? 0.05 : 0.02;
}

repetition measure_delegation(const setting& s, const coordinates& at, std::uint64_t /*seed*/) {
  const execute_outcome o = delegation::execute_by(at.word("delegate"), execute_task_of(s, at));
  repetition r = record_executions(o);
  add_to(r, o.team);
  return r;
}

std::vector<axis> delegation_axes() {
  const auto numbers = [](std::vector<std::int64_t> quick, std::vector<std::int64_t> others) {
    return [=](const setting& s) {
      const auto& some = s.thoroughness == level::quick ? quick : others;
      return std::vector<coordinate>(some.begin(), some.end());
    };
  };
  std::vector<std::string> names;
  for (const way_to_execute& w : ways) names.emplace_back(w.name);
  return {word_axis("delegate", "what runs the calls one at a time: a lock, a combiner or a server", names),
          threads_axis(),
          bounded({"lines", "cache lines that a call reads and writes", numbers({1}, {1, 8})}, 1, most_lines),
          bounded({"gap", "a caller's work after each call, core cycles", numbers({0}, {0, 1000})}, 0, 1'000'000),
          placement_axis()};
}

std::vector<metric> delegation_metrics() {
  return {
      {"throughput", "op/s", better::higher,
       "Calls of all threads, divided by the time from the first one's start to the last one's end. Each caller looks "
       "whether its answer holds more than it knew, and at the clock in 5 us or more."},
      {"fairness", "1", better::higher,
       "Jain's index of the calls of the threads: 1 is equal shares, 1/threads one winner."}};
}

std::optional<std::string> delegation_unavailable(const setting& s, const coordinates& at) {
  const way_to_execute& w = way_of_delegation(at);
  if (!w.only_spins || !more_threads_than_processors(s, with_server_delegation(at))) return std::nullopt;
  return w.served ? "callers and server that spin need a processor each; delegation_server/yield does not"
                  : "callers that spin need a processor each, or the one that has the lock waits for its own";
}

}  // namespace

execute_task execute_task_of(const setting& s, const coordinates& at) {
  return {team_of(s, with_server_delegation(at)), static_cast<unsigned>(at.number("threads")),
          static_cast<unsigned>(at.number("lines")), delegation_duration_s(s, at) * 1e9,
          static_cast<std::uint64_t>(at.number("gap"))};
}

repetition record_executions(const execute_outcome& o) {
  repetition r;
  const std::uint64_t calls = std::accumulate(o.calls.begin(), o.calls.end(), std::uint64_t{0});
  r.observations = {{"throughput", static_cast<double>(calls) / (o.elapsed_ns * 1e-9)}};
  if (o.calls.size() < 2)
    r.unavailable["fairness"] = "there is only one thread";
  else
    r.observations.push_back({"fairness", results::jain_index(std::vector<double>(o.calls.begin(), o.calls.end()))});
  for (const std::uint64_t counted : o.counted)
    if (counted != calls) r.broken = fmt::format("{} calls left a count of {}", calls, counted);
  if (!r.broken && o.backwards != 0)
    r.broken = fmt::format("{} calls were told less than their caller knew already", o.backwards);
  return r;
}

experiment delegation_throughput() {
  experiment e;
  e.name = "delegation.throughput";
  e.line = "threads have sections run one at a time, by a lock, a combiner or a server: calls a second";
  e.source = "SSYNC (SOSP 2013), 8, its future work; Lozi et al., USENIX ATC 2012; Fatourou, Kallimanis, PPoPP 2012";
  e.on_demand = for_every_cell;
  e.axes = delegation_axes();
  e.metrics = delegation_metrics();
  e.skip = [](const setting& s, const coordinates& at) { return same_as_compact(s, with_server_delegation(at)); };
  e.unavailable = delegation_unavailable;
  e.seconds = [](const setting& s, const coordinates& at) { return delegation_duration_s(s, at) + 0.002; };
  e.processors = [](const setting& s, const coordinates& at) { return processors_of(s, with_server_delegation(at)); };
  e.measure = measure_delegation;
  present_delegation_throughput(e);
  return e;
}

}  // namespace synchro::experiments
