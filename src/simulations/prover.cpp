#include "simulations/prover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "simulations/paper_ticket.hpp"

namespace synchro::simulations {

using namespace experiments;

prover::known_machine& prover::machine_of(const std::string& name) {
  const auto [place, is_new] = machines_.try_emplace(name);
  if (is_new) {
    place->second.model = std::make_shared<const simulator::model>(simulator::load_model(name));
    place->second.experiments = experiments_on(place->second.model);
  }
  return place->second;
}

double prover::value(const std::string& machine, const std::string& experiment,
                     const std::vector<std::pair<std::string, coordinate>>& at, const std::string& metric) {
  std::string key = machine + " " + experiment;
  for (const auto& [axis, v] : at) key += " " + axis + "=" + results::to_string(v);
  const auto [cells, is_new] = known_.try_emplace(key);
  if (is_new) {
    const known_machine& m = machine_of(machine);
    setting s = setting_of(*m.model, experiments::level::quick, seed_);
    for (const auto& [axis, v] : at) s.chosen[axis] = {v};
    for (const auto& e : m.experiments)
      if (e.name == experiment) cells->second = simulate(make_plan(s, {&e}), s, [](const planned_cell&) {});
  }
  for (const results::cell& c : cells->second)
    if (c.metric == metric && c.value) return *c.value;
  throw std::runtime_error(fmt::format("no {} of {}", metric, key));
}

double prover::cycles(const std::string& machine, const std::string& operation, const std::string& state,
                      const std::string& distance, const std::string& home) {
  return value(machine, "coherence.states",
               {{"operation", operation}, {"state", state}, {"distance", distance}, {"home", home}}, "latency_cycles");
}

double prover::level(const std::string& machine, const std::string& level) {
  return value(machine, "coherence.local", {{"level", level}}, "latency_cycles");
}

namespace {

/// The paper pauses where threads meet; its figures of one thread, or of many locks, are without a pause.
std::string protocol_of_the_paper(bool together) { return together ? "paused" : "saturated"; }

}  // namespace

double prover::atomic(const std::string& machine, const std::string& operation, std::int64_t threads) {
  return value(machine, "atomics.throughput",
               {{"operation", operation}, {"threads", threads}, {"protocol", protocol_of_the_paper(threads > 1)}},
               operation == "cas_fai" ? "successes" : "attempts");
}

double prover::paper_ticket(bool prefetching, unsigned threads) {
  double& known = paper_tickets_[{prefetching, threads}];
  if (known == 0) known = paper_ticket_cycles(*machine_of("opteron").model, prefetching, threads, seed_);
  return known;
}

double prover::read_then_write(bool prefetching) {
  return read_then_write_cycles(*machine_of("opteron").model, prefetching);
}

double prover::ticket(const std::string& machine, const std::string& variant, std::int64_t threads) {
  return value(machine, "locks.ticket",
               {{"lock", variant}, {"threads", threads}, {"protocol", protocol_of_the_paper(true)}}, "latency_cycles");
}

double prover::acquire(const std::string& machine, const std::string& lock, const std::string& distance) {
  return value(machine, "locks.uncontested", {{"lock", lock}, {"distance", distance}}, "acquire_cycles");
}

double prover::lock(const std::string& machine, const std::string& lock, std::int64_t locks, std::int64_t threads) {
  const std::string protocol = protocol_of_the_paper(locks == 1 && threads > 1);
  return value(machine, "locks.throughput",
               {{"lock", lock}, {"locks", locks}, {"threads", threads}, {"protocol", protocol}}, "throughput");
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
