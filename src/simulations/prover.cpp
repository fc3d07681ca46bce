#include "simulations/prover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "results/experiment_names.hpp"
#include "simulations/paper_locks.hpp"
#include "statistics/random.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

using namespace experiments;

namespace {

const std::string protocol = "protocol", paused = "paused", saturated = "saturated";

bool has_axis(const experiment& e, const std::string& name) {
  return std::any_of(e.axes.begin(), e.axes.end(), [&](const axis& a) { return a.name == name; });
}

/// One request for each combination of values, so that what several claims ask for is simulated once.
std::vector<request> singly(const request& r) {
  std::vector<request> all{{r.experiment, {}}};
  for (const auto& [axis, values] : r.axes) {
    std::vector<request> next;
    for (const request& so_far : all)
      for (const coordinate& v : values) {
        next.push_back(so_far);
        next.back().axes[axis] = {v};
      }
    all = std::move(next);
  }
  return all;
}

/// Whose values are the paper's where claims are judged: its locks, tables under them, and atomic operations.
std::string axis_of_the_paper(const std::string& experiment) {
  if (experiment == results::experiment_names::atomics_throughput) return "operation";
  const bool locks = experiment == results::experiment_names::locks_throughput ||
                     experiment == results::experiment_names::locks_uncontested ||
                     experiment == results::experiment_names::hashtable_throughput;
  return locks ? "lock" : "";
}

/// The paper's in place of the library's.
std::map<std::string, std::vector<coordinate>> axes_of(const request& r) {
  std::map<std::string, std::vector<coordinate>> axes = r.axes;
  if (const auto chosen = axes.find(axis_of_the_paper(r.experiment)); chosen != axes.end())
    for (coordinate& c : chosen->second) c = of_the_paper(results::to_string(c));
  return axes;
}

/// Under the library's names.
std::vector<results::cell> renamed(std::vector<results::cell> cells) {
  for (results::cell& c : cells)
    for (const char* const axis : {"lock", "operation"})
      if (c.at.find(axis) != nullptr) c.at.set(axis, of_the_library(c.at.word(axis)));
  return cells;
}

}  // namespace

prover::known_machine& prover::machine_of(const std::string& name) {
  const auto [place, is_new] = machines_.try_emplace(name);
  if (is_new) {
    place->second.model = built_in(name, changed_);
    place->second.experiments = experiments_on(place->second.model);
  }
  return place->second;
}

const std::vector<results::cell>& prover::cells(const std::string& machine, const request& r) {
  if (r.experiment != results::experiment_names::coherence_states &&
      r.experiment != results::experiment_names::coherence_local)
    predicted_ = true;
  std::string key = machine + " " + r.experiment;
  for (const auto& [axis, values] : r.axes) {
    key += " " + axis + "=";
    for (const coordinate& v : values) key += results::to_string(v) + ",";
  }
  known_cells& known = known_[key];
  const auto [place, is_new] = known.by_seeds.try_emplace(seeds_);
  if (!is_new) return place->second;
  if (!known.all) known.all = planned(machine, r);
  if (known.all) place->second = renamed(known.all->with(seeds_));
  return place->second;
}

std::unique_ptr<growing_cells> prover::planned(const std::string& machine, const request& r) {
  const known_machine& m = machine_of(machine);
  setting s = setting_of(*m.model, experiments::level::quick, seed_);
  s.chosen = axes_of(r);
  for (const auto& e : m.experiments) {
    if (e.name != r.experiment) continue;
    if (!has_axis(e, protocol)) s.chosen.erase(protocol);
    if (has_axis(e, protocol) && !r.axes.contains(protocol)) s.chosen[protocol] = {paused};
    return std::make_unique<growing_cells>(make_plan(s, {&e}), s);
  }
  return nullptr;
}

void prover::draw(std::optional<std::uint64_t> number) {
  drawn_.clear();
  if (!number) return;
  statistics::random_numbers numbers{*number};
  for (unsigned i = 0; i < seeds_; ++i) drawn_.push_back(numbers.below(seeds_));
}

double prover::value_of(const results::cell& c) const {
  if (drawn_.empty() || c.samples.size() != drawn_.size()) return *c.value;
  std::vector<double> some;
  for (const std::size_t i : drawn_) some.push_back(c.samples[i]);
  return results::median(some);
}

double prover::value(const std::string& machine, const std::string& experiment,
                     const std::vector<std::pair<std::string, coordinate>>& at, const std::string& metric) {
  request r{experiment, {}};
  for (const auto& [axis, v] : at) r.axes[axis] = {v};
  for (const results::cell& c : cells(machine, r))
    if (c.metric == metric && c.value) return value_of(c);
  throw std::runtime_error(fmt::format("no {} of {} on {}", metric, experiment, machine));
}

results::document prover::simulated(const std::string& machine, const std::vector<request>& needs) {
  results::document d;
  d.complete = true;
  d.id = results::new_id();
  d.tool = d.invocation = d.os = d.clock = nlohmann::ordered_json::object();
  d.machine = {{"kind", "simulated"}, {"model_name", machine}};
  d.topology = topology_facts(this->machine(machine));
  for (const request& r : needs)
    for (const request& one : singly(r))
      for (const results::cell& c : cells(machine, one)) d.cells.push_back(c);
  return d;
}

double prover::cycles(const std::string& machine, const std::string& operation, const std::string& state,
                      const std::string& distance, const std::string& home) {
  return value(machine, results::experiment_names::coherence_states,
               {{"operation", operation}, {"state", state}, {"distance", distance}, {"home", home}}, "latency_cycles");
}

double prover::level(const std::string& machine, const std::string& level) {
  return value(machine, results::experiment_names::coherence_local, {{"level", level}}, "latency_cycles");
}

double prover::atomic(const std::string& machine, const std::string& operation, std::int64_t threads) {
  return value(machine, results::experiment_names::atomics_throughput,
               {{"operation", operation}, {"threads", threads}, {protocol, threads > 1 ? paused : saturated}},
               "attempts");
}

double prover::read_then_write(bool prefetching) {
  predicted_ = true;
  return read_then_write_cycles(*machine_of("opteron").model, prefetching);
}

double prover::ticket(const std::string& machine, const std::string& variant, std::int64_t threads) {
  return value(machine, results::experiment_names::locks_ticket,
               {{"lock", variant}, {"threads", threads}, {protocol, paused}}, "latency_cycles");
}

double prover::acquire(const std::string& machine, const std::string& lock, const std::string& distance) {
  return value(machine, results::experiment_names::locks_uncontested, {{"lock", lock}, {"distance", distance}},
               "acquire_cycles");
}

double prover::lock(const std::string& machine, const std::string& lock, std::int64_t locks, std::int64_t threads) {
  return value(machine, results::experiment_names::locks_throughput,
               {{"lock", lock},
                {"locks", locks},
                {"threads", threads},
                {protocol, locks == 1 && threads > 1 ? paused : saturated}},
               "throughput");
}

std::vector<std::string> prover::locks_of(const std::string& machine) {
  std::vector<std::string> all{"tas", "ttas", "ticket", "array", "mcs", "clh", "mutex"};
  const bool hierarchical = (machine == "opteron" || machine == "xeon");
  if (hierarchical) all.insert(all.end(), {"hticket", "hclh"});
  return all;
}

std::pair<std::string, double> prover::best_lock(const std::string& machine, std::int64_t locks, std::int64_t threads) {
  std::pair<std::string, double> best{"", 0};
  for (const std::string& name : locks_of(machine)) {
    const double v = lock(machine, name, locks, threads);
    if (v > best.second) best = {name, v};
  }
  return best;
}

std::string prover::best_uncontended(const std::string& machine, const std::string& distance) {
  const std::vector<std::string> all = locks_of(machine);
  return *std::min_element(all.begin(), all.end(), [&](const std::string& a, const std::string& b) {
    return acquire(machine, a, distance) < acquire(machine, b, distance);
  });
}

}  // namespace synchro::simulations
