#include "views/table.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "results/text.hpp"
#include "views/pivot.hpp"
#include "views/throttle.hpp"

namespace synchro::views {

using namespace results;

namespace {

bool all_have(const cells& of_experiment, std::initializer_list<const char*> axes) {
  return std::all_of(of_experiment.begin(), of_experiment.end(), [&](const cell* c) {
    return std::all_of(axes.begin(), axes.end(), [&](const char* axis) { return c->at.find(axis) != nullptr; });
  });
}

using names = std::vector<std::string>;

/// Metrics that are read together.
const std::map<std::string, std::vector<names>>& groups_of_metrics() {
  static const std::map<std::string, std::vector<names>> groups{
      {"wake.groups", {{"best_group", "predicted_group", "gain", "wake_best", "best_group_last"}}},
      {"forkjoin.timeline",
       {{"invocation_delay", "elapsed", "parallel", "parallel_begin", "parallel_end", "parallel_share", "gap"},
        {"trigger", "wake", "done"}}},
      {"forkjoin.breakeven", {{"breakeven", "not_up_to", "pays_from", "per_thread", "invocation_delay"}}},
      {"forkjoin.balance", {{"gain", "equal", "cut", "lag"}}},
  };
  return groups;
}

std::vector<laid_out> grouped_tables(const cells& of_experiment, const std::vector<names>& groups, const style& s) {
  std::vector<laid_out> tables;
  cells rest = of_experiment;
  for (const names& group : groups) {
    laid_out t = side_by_side(rest, group, s);
    if (!t.values.empty()) tables.push_back(std::move(t));
    std::erase_if(rest, [&](const cell* c) { return std::find(group.begin(), group.end(), c->metric) != group.end(); });
  }
  if (!rest.empty())
    for (laid_out& t : generic_tables(rest, s)) tables.push_back(std::move(t));
  return tables;
}

std::vector<laid_out> tables_of(const cells& of_experiment, const style& s) {
  const std::string& name = of_experiment.front()->experiment;
  if (name == "coherence.states" && all_have(of_experiment, {"operation", "state"}))
    return {states_table(of_experiment, s)};
  if (name == "coherence.local" && all_have(of_experiment, {"level"})) return {local_table(of_experiment, s)};
  if (name == "overhead.calls" && all_have(of_experiment, {"call"})) return {calls_table(of_experiment, s)};
  if (name == "throttle.sum" && all_have(of_experiment, {"permits", "variant"}))
    return throttle_tables(of_experiment, s);
  if (const auto found = groups_of_metrics().find(name); found != groups_of_metrics().end())
    return grouped_tables(of_experiment, found->second, s);
  if (all_have(of_experiment, {"from", "to"})) return matrices(of_experiment, s);
  return generic_tables(of_experiment, s);
}

}  // namespace

std::vector<experiment_tables> lay_out(const std::vector<cell>& all, const style& s) {
  std::vector<std::pair<std::string, cells>> experiments;
  for (const cell& c : all) {
    const auto found =
        std::find_if(experiments.begin(), experiments.end(), [&](const auto& e) { return e.first == c.experiment; });
    if (found == experiments.end())
      experiments.push_back({c.experiment, {&c}});
    else
      found->second.push_back(&c);
  }
  std::vector<experiment_tables> out;
  for (const auto& [name, content] : experiments) out.push_back({name, tables_of(content, s)});
  return out;
}

std::string show(const std::vector<cell>& all, const style& s) {
  std::string out;
  for (const experiment_tables& e : lay_out(all, s))
    for (const laid_out& t : e.tables) out = joined(out, "\n", render(t, s));
  return out;
}

std::string show(const document& d, const style& s) {
  if (d.cells.empty()) return "This file holds no measurements.\n";
  const std::string tables = show(d.cells, s);
  if (d.complete) return tables;
  return tables + "\n" + wrapped("The run was stopped early: cells are missing or have fewer repetitions.", s.width);
}

}  // namespace synchro::views
