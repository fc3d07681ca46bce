#include "views/table.hpp"

#include <algorithm>
#include <utility>

#include "results/text.hpp"
#include "views/pivot.hpp"

namespace synchro::views {

using namespace results;

namespace {

/// What the experiment has declared, or what suits the cells.
std::vector<laid_out> tables_of(const cells& of_experiment, const presentation* declared, const style& s) {
  if (declared != nullptr && declared->tables) return declared->tables(of_experiment, s);
  if (all_have(of_experiment, {"from", "to"})) return matrices(of_experiment, s);
  return generic_tables(of_experiment, s);
}

}  // namespace

bool all_have(const cells& of_experiment, std::initializer_list<const char*> axes) {
  return std::all_of(of_experiment.begin(), of_experiment.end(), [&](const cell* c) {
    return std::all_of(axes.begin(), axes.end(), [&](const char* axis) { return c->at.find(axis) != nullptr; });
  });
}

table_maker grouped_tables(std::vector<std::vector<std::string>> groups) {
  return [groups = std::move(groups)](cells rest, const style& s) {
    std::vector<laid_out> tables;
    for (const std::vector<std::string>& group : groups) {
      laid_out t = side_by_side(rest, group, s);
      if (!t.values.empty()) tables.push_back(std::move(t));
      std::erase_if(rest,
                    [&](const cell* c) { return std::find(group.begin(), group.end(), c->metric) != group.end(); });
    }
    if (!rest.empty())
      for (laid_out& t : generic_tables(rest, s)) tables.push_back(std::move(t));
    return tables;
  };
}

std::vector<experiment_tables> lay_out(const std::vector<cell>& all, const presentations& how, const style& s) {
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
  for (const auto& [name, content] : experiments) out.push_back({name, tables_of(content, find(how, name), s)});
  return out;
}

std::string show(const std::vector<cell>& all, const presentations& how, const style& s) {
  std::string out;
  for (const experiment_tables& e : lay_out(all, how, s))
    for (const laid_out& t : e.tables) out = joined(out, "\n", render(t, s));
  return out;
}

std::string show(const document& d, const presentations& how, const style& s) {
  if (d.cells.empty()) return "This file holds no measurements.\n";
  const std::string tables = show(d.cells, how, s);
  if (d.complete) return tables;
  return tables + "\n" + wrapped("The run was stopped early: cells are missing or have fewer repetitions.", s.width);
}

}  // namespace synchro::views
