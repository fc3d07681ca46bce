// The experiment on contended atomic operations on a model.

#include "experiments/atomics/atomics.hpp"

#include <stdexcept>

#include "experiments/atomics/throughput.hpp"
#include "experiments/framework/protocol.hpp"
#include "simulations/bounds.hpp"
#include "simulations/paper_atomics.hpp"
#include "simulations/paper_locks.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"

namespace synchro::simulations {

using namespace experiments;
using simulator::laboratory;

namespace {

atomics::outcome contend(const std::string& operation, const atomics::conditions& c) {
  for (const paper_atomic& row : paper_atomics())
    if (row.name == operation) return row.contend(c);
  if (operation == "fai") return atomics::contend<laboratory, atomics::fai>(c);
  if (operation == "swap") return atomics::contend<laboratory, atomics::swap>(c);
  if (operation == "cas") return atomics::contend<laboratory, atomics::cas>(c);
  if (operation == "cas_fai") return atomics::contend<laboratory, atomics::cas_fai>(c);
  if (operation == "tas") return atomics::contend<laboratory, atomics::tas>(c);
  throw std::invalid_argument("there is no operation '" + operation + "'");
}

simulator::operation row_of(const std::string& name) {
  const std::string operation = of_the_library(name);
  if (operation == "fai") return simulator::operation::fai;
  if (operation == "swap") return simulator::operation::swap;
  return operation == "tas" ? simulator::operation::tas : simulator::operation::cas;
}

double operations_window_cycles(level l) { return l == level::quick ? 1e6 : l == level::standard ? 2e6 : 1e7; }

repetition measure(const simulator::model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  const std::string& operation = at.word("operation");
  const auto threads = static_cast<unsigned>(at.number("threads"));
  const std::vector<unsigned> cpus = team_of(m, s, at);
  const std::vector<unsigned> team{cpus.begin(), cpus.begin() + std::min<std::ptrdiff_t>(threads, std::ssize(cpus))};
  const std::uint64_t pause =
      operation == of_the_library(operation) ? pause_of(m, team) : pause_of_paper_atomics(m, threads);
  const double pause_ns = is_paused(at) ? static_cast<double>(pause) / m.ghz() : 0;
  simulator::world w{m, seed};
  const atomics::outcome o =
      contend(operation, {cpus, threads, operations_window_cycles(s.thoroughness) / m.ghz(), pause_ns});
  repetition r = record_atomics(o, m.ns_of(o.duration()));
  record_pause(r, pause_ns, threads, m.processors());
  r.observations.push_back({"bound", line_bound(m, row_of(operation), team)});
  return r;
}

/// The paper's as well, in full.
axis operation_axis() {
  axis a = experiments::compiled_operation_axis();
  a.values = [own = a.values](const setting& s) {
    std::vector<coordinate> all = own(s);
    if (s.thoroughness == level::full)
      for (const paper_atomic& row : paper_atomics()) all.emplace_back(row.name);
    return all;
  };
  return a;
}

}  // namespace

experiment atomics_throughput(const model_ptr& m) {
  experiment e = on_model(experiments::atomics_throughput(), m, 0.02, measure);
  for (axis& a : e.axes)
    if (a.name == "operation") a = operation_axis();
  e.metrics.push_back({"bound", "op/s", better::neither,
                       "What the line allows if each operation follows another thread's: one over the mean transfer "
                       "between the threads' processors. Throughput beyond it comes from runs of the same thread or "
                       "of near ones."});
  e.processors = [m](const setting& s, const coordinates& at) { return team_of(*m, s, at); };
  e.unavailable = {};  // what is compiled is there
  return e;
}

}  // namespace synchro::simulations
