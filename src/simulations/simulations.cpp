#include "simulations/simulations.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/framework/axes.hpp"
#include "experiments/framework/outcome.hpp"
#include "platform/placement.hpp"
#include "results/json_fields.hpp"
#include "simulations/growing_cells.hpp"
#include "statistics/random.hpp"

namespace synchro::simulations {

using namespace experiments;

std::vector<experiment> experiments_on(const model_ptr& m) {
  return {coherence_local(m), coherence_states(m),     coherence_pairs(m),  atomics_throughput(m),
          locks_ticket(m),    locks_uncontested(m),    locks_throughput(m), delegation_throughput(m),
          messages_pair(m),   messages_server(m),      stm_bank(m),         stm_list(m),
          stm_hashtable(m),   hashtable_throughput(m), wake_broadcast(m),   wake_groups(m)};
}

model_ptr built_in(const std::string& name, const change& changed) {
  const auto as_it_is = results::parse_json(simulator::built_in_model(name));
  return std::make_shared<const simulator::model>(changed ? changed(as_it_is) : as_it_is);
}

setting setting_of(const simulator::model& m, level thoroughness, std::uint64_t seed) {
  setting s;
  s.machine = m.topology();
  s.thoroughness = thoroughness;
  s.seed = seed;
  return s;
}

nlohmann::ordered_json topology_facts(const simulator::model& m) {
  nlohmann::ordered_json topology{
      {"source", "model:" + m.name()}, {"cpus", nlohmann::ordered_json::array()}, {"distances", m.distances()}};
  for (const auto& p : m.topology().processors)
    topology["cpus"].push_back({{"cpu", p.cpu},
                                {"core", p.core},
                                {"smt", p.smt},
                                {"cluster", p.cluster},
                                {"cache", p.cache},
                                {"die", p.die},
                                {"package", p.package},
                                {"node", p.node}});
  return topology;
}

std::vector<unsigned> team_of(const simulator::model& m, const setting& s, const coordinates& at) {
  return or_all_of(m, experiments::team_of(s, at));
}

std::vector<unsigned> or_all_of(const simulator::model& m, std::vector<unsigned> processors) {
  if (!processors.empty()) return processors;
  for (unsigned p = 0; p < m.processors(); ++p) processors.push_back(p);
  return processors;
}

std::uint64_t pause_of(const simulator::model& m, std::vector<unsigned> team) {
  if (team.size() == 1) team = {0, 1};
  return 3 * m.longest_transfer(team) / (2 * simulator::per_cycle);
}

double or_some_slices(const simulator::model& m, unsigned threads, double cycles) {
  if (threads <= m.processors()) return cycles;
  const double slice = static_cast<double>(m.wake().slice) / simulator::per_cycle;
  return std::max(cycles, 4 * slice * threads / m.processors());
}

axis threads_axis(const model_ptr& m) {
  axis a = experiments::threads_axis();
  a.values = [m](const setting& s) {
    std::vector<coordinate> counts;
    if (!m->thread_counts().empty())
      for (const std::int64_t n : m->thread_counts()) counts.emplace_back(n);
    else
      for (const coordinate& n : thread_counts(s))
        if (std::get<std::int64_t>(n) <= std::int64_t{m->processors()}) counts.push_back(n);
    return counts;
  };
  return a;
}

namespace {

/// In full also spread.
std::vector<coordinate> placements(const setting& s) {
  return s.thoroughness == level::full ? std::vector<coordinate>{"compact", "spread"}
                                       : std::vector<coordinate>{"compact"};
}

}  // namespace

experiment on_model(experiment e, const model_ptr& m, double seconds, measured_on_model how) {
  for (axis& a : e.axes) {
    if (a.name == "threads") a.values = threads_axis(m).values;
    if (a.name == "placement") a.values = placements;
  }
  e.seconds = [seconds](const setting&, const coordinates&) { return seconds; };
  e.measure = [m, how = std::move(how)](const setting& s, const coordinates& at, std::uint64_t seed) {
    return how(*m, s, at, seed);
  };
  e.repetitions = seeds_at;
  return e;
}

unsigned seeds_at(level l) { return l == level::quick ? 6 : l == level::standard ? 7 : 11; }

double in_cycles(const simulator::model& m, double ns) { return std::round(ns * m.ghz() * 1e6) / 1e6; }

std::uint64_t seed_of(const setting& s, unsigned repetition) {
  statistics::random_numbers numbers{s.seed};
  std::uint64_t seed = 0;
  for (unsigned i = 0; i <= repetition; ++i) seed = numbers.next();
  return seed;
}

std::vector<results::cell> simulate(const plan& p, const setting& s,
                                    const std::function<void(const planned_cell&)>& before_each) {
  std::vector<results::cell> all;
  for (const planned_cell& planned : p.cells) {
    before_each(planned);
    record r{&planned};
    add_seeds(r, s, planned.repetitions);
    for (results::cell& c : cells_by_seeds(r)) all.push_back(std::move(c));
  }
  return all;
}

}  // namespace synchro::simulations
