#include "results/comparison_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "results/comparable.hpp"
#include "results/comparison.hpp"
#include "results/origin.hpp"
#include "statistics/statistics.hpp"

namespace synchro::results {

namespace {

/// A cell of one of the runs.
struct of_run {
  std::size_t run;
  const cell* value;
};
using values = std::vector<of_run>;

bool counts(const cell& c) { return c.value && c.n >= fewest_for_an_interval; }

/// Cells that were measured under the same circumstances stand together; the nearest come first.
std::vector<values> by_circumstances(values all) {
  const auto distance = [](const of_run& v) { return v.value->probe_ns.value_or(0); };
  std::stable_sort(all.begin(), all.end(), [&](const of_run& x, const of_run& y) { return distance(x) < distance(y); });
  std::vector<values> groups;
  for (const of_run& v : all) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const values& g) { return !why_not_comparable(*g.front().value, *v.value); });
    if (found == groups.end())
      groups.push_back({v});
    else
      found->push_back(v);
  }
  return groups;
}

/// One value for each run: a run that has two under these circumstances gives the one of more repetitions.
values one_of_each(const values& group) {
  std::map<std::size_t, const cell*> best;
  for (const auto& [run, c] : group) {
    const cell*& chosen = best[run];
    if (chosen == nullptr || chosen->n < c->n) chosen = c;
  }
  values out;
  for (const auto& [run, c] : best) out.push_back({run, c});
  return out;
}

std::optional<double> median_probe(const values& group) {
  std::vector<double> probes;
  for (const of_run& v : group)
    if (v.value->probe_ns) probes.push_back(*v.value->probe_ns);
  return probes.empty() ? std::nullopt : std::optional{median(probes)};
}

/// Processors, and for how long the threads of all runs waited for them.
nlohmann::ordered_json noise_of(const values& group) {
  nlohmann::ordered_json all = group.front().value->noise;
  if (!all.is_object()) return all;
  for (std::size_t i = 1; i < group.size(); ++i) {
    const auto& more = group[i].value->noise;
    if (!more.is_object() || !more.contains("run_delay_ns") || !more.contains("seconds")) continue;
    if (all.contains("run_delay_ns") && all["run_delay_ns"].is_number() && more.at("run_delay_ns").is_number())
      all["run_delay_ns"] = all["run_delay_ns"].get<double>() + more.at("run_delay_ns").get<double>();
    if (all.contains("seconds") && all["seconds"].is_array() && more.at("seconds").is_array())
      for (const auto& s : more.at("seconds")) all["seconds"].push_back(s);
  }
  return all;
}

cell joined(const values& group, std::size_t index) {
  cell c = *group.front().value;
  if (c.probe_ns) {
    c.at = {};
    for (const auto& [axis, at] : group.front().value->at.entries())
      if (axis != "mode") c.at.set(axis, at);
    if (index > 0) c.at.set("mode", index == 1 ? "far" : fmt::format("far{}", index));
  }
  c.noise = noise_of(group);
  c.probe_ns = median_probe(group);
  c.quantiles.clear();
  c.reason.reset();
  c.samples.clear();
  for (const of_run& v : group) c.samples.push_back(*v.value->value);
  summarize(c);
  // Whether a run is noisy shows in the scatter of the runs, and that the clock is too coarse for it shows nowhere else.
  const bool limited =
      std::any_of(group.begin(), group.end(), [](const of_run& v) { return v.value->quality == flag::clock_limited; });
  c.quality = limited ? flag::clock_limited : flag::ok;
  return c;
}

cell without_value(const cell& first) {
  cell c = first;
  if (c.value) c.reason = "too few repetitions in every run";
  c.samples.clear();
  summarize(c);
  return c;
}

}  // namespace

std::vector<std::string> why_not_of_one_side(const document& a, const document& b) {
  std::vector<std::string> found = other_machine(a, b);
  for (std::string& difference : other_program(a, b)) found.push_back(std::move(difference));
  return found;
}

document joined_runs(std::span<const document> runs) {
  if (runs.empty()) throw std::invalid_argument("no runs");
  std::vector<const cell*> order;  // The first cell of each place.
  std::map<std::string, values> places;
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const cell& c : runs[run].cells) {
      const auto [place, is_new] = places.try_emplace(place_of(c));
      if (is_new) order.push_back(&c);
      if (counts(c)) place->second.push_back({run, &c});
    }
  document all = runs.front();
  all.cells.clear();
  all.complete = std::all_of(runs.begin(), runs.end(), [](const document& d) { return d.complete; });
  for (const cell* const first : order) {
    const std::vector<values> groups = by_circumstances(places.at(place_of(*first)));
    if (groups.empty()) all.cells.push_back(without_value(*first));
    for (std::size_t i = 0; i < groups.size(); ++i) all.cells.push_back(joined(one_of_each(groups[i]), i));
  }
  return all;
}

}  // namespace synchro::results
