#include "measure/pause.hpp"

#include <algorithm>
#include <vector>

#include "measure/mode.hpp"
#include "results/statistics.hpp"

namespace synchro::measure {

namespace {

constexpr double pause_without_probe_ns = 400;

/// Of three short probes the middle one: what disturbs a probe disturbs few, and a pause must not hang on one of them.
std::optional<double> usual_transfer(const pair_probe& probe, unsigned a, unsigned b) {
  std::vector<double> seen;
  for (int i = 0; i < 3; ++i)
    if (const auto ns = probe(a, b)) seen.push_back(*ns);
  if (seen.empty()) return std::nullopt;
  return results::median(seen);
}

}  // namespace

double pause_for(double transfer_ns) {
  double pause = 100;
  while (pause < 1.5 * transfer_ns) pause *= 2;
  return pause;
}

double find_pause(const platform::topology& machine, const pair_probe& probe) {
  double longest = 0;
  for (const platform::distance far : machine.distances())
    if (const auto pair = machine.pair_at(far))
      longest = std::max(longest, usual_transfer(probe, pair->first, pair->second).value_or(0));
  return longest == 0 ? pause_without_probe_ns : pause_for(longest);
}

double find_pause(const platform::topology& machine) {
  constexpr double budget_us = 150;
  return find_pause(machine, [](unsigned a, unsigned b) { return probe_pair(a, b, budget_us); });
}

}  // namespace synchro::measure
