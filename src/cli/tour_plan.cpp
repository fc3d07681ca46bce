#include "cli/tour_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "cli/request.hpp"
#include "experiments/locks/lock_table.hpp"

namespace synchro::cli {

namespace {

using experiments::coordinate;
using experiments::plan;
using experiments::planned_cell;
using experiments::setting;

std::vector<coordinate> words(std::initializer_list<const char*> list) { return {list.begin(), list.end()}; }

/// One thread, all processors, and four times as many: alone, crowded, overcrowded.
std::vector<coordinate> crowds(const setting& s) {
  const auto cpus = static_cast<std::int64_t>(s.machine.processors.size());
  const std::set<std::int64_t> counts{1, cpus, 4 * cpus};
  return {counts.begin(), counts.end()};
}

std::vector<coordinate> well_known_locks() {
  std::vector<coordinate> names;
  for (const char* name : {"tas", "ticket", "mcs", "mcs/park", "mutex", "std/mutex", "pthread/spin"})
    if (std::any_of(experiments::all_locks().begin(), experiments::all_locks().end(),
                    [&](const auto& lock) { return lock.name == name; }))
      names.emplace_back(name);
  return names;
}

/// As many as processors, and no limit.
std::vector<coordinate> permits_of_tour(const setting& s) {
  return {static_cast<std::int64_t>(s.machine.processors.size()), std::int64_t{0}};
}

/// The values of its axes that the tour is content with.
std::map<std::string, std::vector<coordinate>> axes_of_stop(const std::string& experiment, const setting& s) {
  const std::vector<coordinate> crowd = crowds(s);
  if (experiment == "coherence.pairs") return {{"protocol", words({"cas", "handover"})}};
  if (experiment == "coherence.states")
    return {{"operation", words({"load", "cas", "fai"})}, {"state", words({"modified", "shared"})}};
  if (experiment == "atomics.throughput")
    return {{"operation", words({"fai", "cas_fai"})},
            {"threads", {crowd.begin(), crowd.end() - 1}},
            {"protocol", words({"saturated"})}};
  if (experiment == "locks.uncontested") return {{"lock", well_known_locks()}, {"distance", words({"same_cpu"})}};
  if (experiment == "locks.throughput")
    return {{"lock", well_known_locks()},
            {"locks", {std::int64_t{1}}},
            {"threads", crowd},
            {"protocol", words({"saturated"})},
            {"readers", {std::int64_t{0}}}};
  const auto all = [](std::int64_t n) { return std::vector<coordinate>{n}; };
  if (experiment == "wake.broadcast")
    return {{"primitive", words({"event", "linux/futex", "std/condition_variable", "spin/pause"})},
            {"threads", all(1)}};
  if (experiment == "wake.groups") return {{"primitive", words({"event"})}};
  if (experiment == "wake.idle")
    return {{"primitive", words({"event"})}, {"idle", {std::int64_t{100'000}, std::int64_t{100'000'000}}}};
  if (experiment == "overhead.calls")
    return {{"call", words({"EnterCriticalSection", "ReleaseMutex"})}, {"primitive", words({"pthread/mutex"})}};
  if (experiment == "throttle.sum")
    return {{"variant", words({"integer"})}, {"threads", {crowd.back()}}, {"permits", permits_of_tour(s)}};
  if (experiment == "forkjoin.breakeven" || experiment == "forkjoin.balance")
    return {{"primitive", words({"event"})}, {"threads", all(2)}};
  if (experiment == "forkjoin.timeline")
    return {{"primitive", words({"event"})},
            {"threads", {std::max<coordinate>(std::int64_t{2}, crowd[crowd.size() - 2])}}};
  return {};
}

/// On a large machine there are too many pairs: one at each distance tells most.
bool is_extra_pair(const setting& s, const planned_cell& cell) {
  if (cell.what->name != "coherence.pairs" || s.machine.processors.size() <= 4) return false;
  const auto from = static_cast<unsigned>(cell.at.number("from"));
  const auto to = static_cast<unsigned>(cell.at.number("to"));
  return s.machine.pair_at(s.machine.between(from, to)) != std::pair{from, to};
}

bool only_spins(const planned_cell& cell) {
  const coordinate* const lock = cell.at.find("lock");
  return lock != nullptr && experiments::find_lock(std::get<std::string>(*lock)).only_spins();
}

/// A lock that only spins, with more threads than processors, measures the scheduler's time slice: no news.
bool is_overcrowded(const setting& s, const planned_cell& cell) {
  const coordinate* const threads = cell.at.find("threads");
  return threads != nullptr &&
         std::get<std::int64_t>(*threads) > static_cast<std::int64_t>(s.machine.processors.size()) && only_spins(cell);
}

/// As many that each mode may get what an interval needs; there are few cells to a stop.
void lengthen(plan& p) {
  constexpr unsigned enough = 11;
  for (planned_cell& cell : p.cells)
    if (cell.repetitions < enough) {
      cell.seconds *= static_cast<double>(enough) / cell.repetitions;
      cell.repetitions = enough;
    }
}

/// No more repetitions than an interval needs, then fewer cells, until the plan is short enough.
void shorten(plan& p, double seconds) {
  constexpr unsigned fewest = 6;
  if (p.seconds() > seconds)
    for (planned_cell& cell : p.cells)
      if (cell.repetitions > fewest) {
        cell.seconds *= static_cast<double>(fewest) / cell.repetitions;
        cell.repetitions = fewest;
      }
  while (p.seconds() > seconds && p.cells.size() > 1)
    p.cells.erase(std::max_element(p.cells.begin(), p.cells.end(),
                                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; }));
}

constexpr double tour_seconds = 35;

}  // namespace

std::vector<std::string> tour_experiments() {
  return {"coherence.local",  "coherence.pairs",   "coherence.states",   "atomics.throughput", "locks.uncontested",
          "locks.throughput", "wake.broadcast",    "wake.groups",        "wake.idle",          "overhead.calls",
          "throttle.sum",     "forkjoin.timeline", "forkjoin.breakeven", "forkjoin.balance"};
}

plan tour_plan(const setting& base) {
  plan all;
  for (const std::string& name : tour_experiments()) {
    setting s = base;
    s.thoroughness = experiments::level::quick;
    s.chosen = axes_of_stop(name, base);
    const plan some = experiments::make_plan(s, select({name}));
    all.cells.insert(all.cells.end(), some.cells.begin(), some.cells.end());
  }
  std::erase_if(all.cells, [&](const planned_cell& c) { return is_extra_pair(base, c) || is_overcrowded(base, c); });
  lengthen(all);
  shorten(all, tour_seconds);
  return all;
}

}  // namespace synchro::cli
