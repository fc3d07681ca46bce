#include "simulate/modelled.hpp"

#include <algorithm>
#include <cmath>

#include "advice/locks.hpp"
#include "results/experiment_names.hpp"
#include "simulations/simulated_locks.hpp"

namespace synchro::simulate {

using namespace advice;

using experiments::coordinate;
namespace experiment_names = results::experiment_names;

namespace {

std::int64_t cycles(double ns, const simulator::model& m) { return std::llround(ns * m.ghz()); }

/// The locks that the workload admits. Where threads share processors those that spin are no choice; elsewhere, unless waiters
/// have to sleep, each lock waits in its first way.
std::vector<coordinate> candidates(const workload& w, bool shared_processors, bool of_readers) {
  std::vector<coordinate> names;
  for (const auto& row : simulations::simulated_locks()) {
    if (!admits(w, row.name) || row.what.shared != of_readers) continue;
    if (shared_processors ? !row.only_spins() : (w.sleeps || row.first)) names.emplace_back(row.name);
  }
  return names;
}

void add(results::document& d, std::vector<results::cell> cells) {
  d.cells.insert(d.cells.end(), std::make_move_iterator(cells.begin()), std::make_move_iterator(cells.end()));
}

/// Where threads work for longer than a simulation watches them, what a free lock costs.
void add_locks(results::document& d, const workload& w, const simulations::model_ptr& m, std::uint64_t seed) {
  constexpr std::int64_t times = 8, most_locks = 65536;
  constexpr std::int64_t longest = 100'000;  // cycles, a fifth of what is watched
  const std::int64_t hold = cycles(w.critical_ns, *m), gap = cycles(w.gap_ns, *m);
  const bool shared = w.threads > static_cast<std::int64_t>(m->processors());
  for (const bool of_readers : {false, true}) {
    if (of_readers && w.readers == 0) continue;
    const auto locks = candidates(w, shared, of_readers);
    if (locks.empty()) continue;
    if (std::max(hold, gap) > longest) {
      add(d, simulated_cells(m, experiment_names::locks_uncontested, {{"lock", locks}}, seed));
      continue;
    }
    add(d, simulated_cells(m, experiment_names::locks_throughput,
                           {{"lock", locks},
                            {"locks", {w.locks, std::min(most_locks, times * w.locks)}},
                            {"threads", {w.threads}},
                            {"protocol", {"saturated"}},
                            {"hold", {hold}},
                            {"gap", {gap}},
                            {"placement", {"compact"}},
                            {"readers", {of_readers ? w.readers : 0}}},
                           seed));
  }
}

}  // namespace

results::document facts_of(const simulator::model& m) {
  results::document d;
  d.complete = true;
  d.id = results::new_id();
  d.tool = d.invocation = d.os = nlohmann::ordered_json::object();
  d.machine = {{"kind", "simulated"}, {"model_name", m.name()}};
  d.topology = simulations::topology_facts(m);
  d.clock = {{"source", "simulated"}, {"hz", m.ghz() * 1e9}};
  return d;
}

std::vector<results::cell> simulated_cells(const simulations::model_ptr& m, const std::string& experiment,
                                           const axes& chosen, std::uint64_t seed) {
  experiments::setting s = simulations::setting_of(*m, experiments::level::quick, seed);
  s.chosen = chosen;
  for (const experiments::experiment& e : simulations::experiments_on(m))
    if (e.name == experiment)
      return simulations::simulate(experiments::make_plan(s, {&e}), s, [](const experiments::planned_cell&) {});
  return {};
}

results::document simulated_for(const workload& w, const simulations::model_ptr& m, std::uint64_t seed) {
  results::document d = facts_of(*m);
  add_locks(d, w, m, seed);
  const std::int64_t sleepers = std::max<std::int64_t>(1, w.threads - 1);
  for (const char* const waking : {experiment_names::wake_broadcast, experiment_names::wake_groups})
    add(d, simulated_cells(m, waking, {{"threads", {sleepers}}}, seed));
  return d;
}

}  // namespace synchro::simulate
