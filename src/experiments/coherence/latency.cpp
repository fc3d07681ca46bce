#include "experiments/coherence/latency.hpp"

#include <fmt/format.h>

#include "experiments/framework/axes.hpp"
#include "measure/host.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments::coherence {

unsigned usual_repetitions(level l) {
  switch (l) {
    case level::quick:
      return 7;
    case level::standard:
      return 11;
    case level::full:
      break;
  }
  return 21;
}

std::vector<metric> latency_metrics(std::string definition) {
  return {{"latency", "ns", better::lower, std::move(definition)},
          {"latency_cycles", "cycle", better::lower, "The same in cycles of the core clock as measured in this run."}};
}

repetition to_repetition(const batches& b) {
  repetition r;
  const double ns = results::median(b.each_ns);
  r.observations = {{"latency", ns}, {"latency_cycles", ns / measure::host::cycles_to_ns(1)}};
  r.clock_limited = b.clock_limited(measure::clock_step_ns());
  if (b.unexpected != 0)
    r.broken = fmt::format("{} accesses did not find what the preparation had left in the line", b.unexpected);
  add_to(r, b.team);
  return r;
}

std::optional<unsigned> node_of(const platform::topology& machine, unsigned cpu) {
  const platform::processor* const p = machine.find(cpu);
  if (p == nullptr || machine.nodes.size() < 2) return std::nullopt;
  return p->node;
}

void homed_lines::warn(repetition& r) const {
  const auto got = memory_.node();
  if (asked_ && got && *asked_ != *got)
    r.warnings.push_back(fmt::format("memory asked for on node {} is on node {}", *asked_, *got));
}

}  // namespace synchro::experiments::coherence
