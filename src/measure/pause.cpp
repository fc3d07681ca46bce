#include "measure/pause.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "measure/mode.hpp"
#include "statistics/statistics.hpp"

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

/// A pair at each distance from the first of a team to its others; of a team of one, the nearest pair of the
/// machine, as a team of two has it; of threads that nobody pinned, every distance.
std::map<platform::distance, std::pair<unsigned, unsigned>> pairs_of(const platform::topology& machine,
                                                                     const std::vector<unsigned>& team) {
  std::map<platform::distance, std::pair<unsigned, unsigned>> pairs;
  for (const unsigned cpu : team)
    if (cpu != team.front()) pairs.try_emplace(machine.between(team.front(), cpu), team.front(), cpu);
  if (pairs.empty())
    for (const platform::distance far : machine.distances())
      if (const auto pair = machine.pair_at(far); pair && (team.empty() || pairs.empty())) pairs.emplace(far, *pair);
  return pairs;
}

}  // namespace

double pause_for(double transfer_ns) {
  double pause = 100;
  while (pause < 1.5 * transfer_ns) pause *= 2;
  return pause;
}

double find_pause(const platform::topology& machine, const std::vector<unsigned>& team, const pair_probe& probe) {
  double longest = 0;
  for (const auto& [far, pair] : pairs_of(machine, team))
    longest = std::max(longest, usual_transfer(probe, pair.first, pair.second).value_or(0));
  return longest == 0 ? pause_without_probe_ns : pause_for(longest);
}

double find_pause(const platform::topology& machine, const std::vector<unsigned>& team) {
  constexpr double budget_us = 150;
  return find_pause(machine, team, [](unsigned a, unsigned b) { return probe_pair(a, b, budget_us); });
}

}  // namespace synchro::measure
