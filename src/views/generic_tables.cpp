#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "results/text.hpp"
#include "views/pivot.hpp"
#include "views/values.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr std::size_t most_columns = 16;

/// Axes that people look along, best first.
constexpr std::array<const char*, 8> preferred = {"threads", "distance", "clients", "to",
                                                  "locks",   "group",    "permits", "sharers"};

struct metric_name {
  std::string name, unit;
  auto operator<=>(const metric_name&) const = default;
};

std::vector<metric_name> metrics_of(const cells& all) {
  std::vector<metric_name> names;
  for (const cell* c : all)
    if (const metric_name m{c->metric, c->unit}; std::find(names.begin(), names.end(), m) == names.end())
      names.push_back(m);
  return names;
}

cells of_metric(const cells& all, const metric_name& m) {
  cells found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](const cell* c) { return c->metric == m.name && c->unit == m.unit; });
  return found;
}

std::vector<axis_values> varying(std::vector<axis_values> axes) {
  std::erase_if(axes, [](const axis_values& a) { return a.values.size() < 2; });
  return axes;
}

std::size_t column_axis(const std::vector<axis_values>& axes) {
  for (const char* name : preferred)
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (axes[i].name == name && axes[i].values.size() <= most_columns) return i;
  std::size_t best = axes.size() - 1;
  for (std::size_t i = axes.size(); i-- > 0;)
    if (axes[i].values.size() < axes[best].values.size()) best = i;
  return best;
}

/// The rows that occur, sorted by the order of each axis' values.
std::vector<row_key> rows_of(const cells& all, const std::vector<std::string>& names,
                             const std::vector<axis_values>& axes) {
  std::vector<std::map<coordinate, std::size_t>> ranks;
  for (const std::string& name : names) {
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const axis_values& a) { return a.name == name; });
    ranks.emplace_back();
    for (const coordinate& v : axis->values) ranks.back().emplace(v, ranks.back().size());
  }
  std::map<std::vector<std::size_t>, row_key> sorted;
  for (const cell* c : all) {
    row_key r = row_of(*c, names);
    std::vector<std::size_t> key;
    for (std::size_t i = 0; i < r.size(); ++i) key.push_back(ranks[i].at(r[i]));
    sorted.emplace(std::move(key), std::move(r));
  }
  std::vector<row_key> rows;
  for (auto& [key, r] : sorted) rows.push_back(std::move(r));
  return rows;
}

bool is_contest(const std::string& axis) { return axis == "lock" || axis == "primitive"; }

/// Contestants (locks, primitives) stand best first by this column; those without a value last.
bool sort_by_merit(std::vector<row_key>& rows, const std::vector<std::string>& names, const cells& deciding) {
  const bool contest = names.size() == 1 && is_contest(names[0]);
  if (!contest || deciding.empty() || deciding.front()->direction == better::neither) return false;
  std::map<coordinate, double> merit;
  for (const cell* c : deciding)
    if (c->value) merit[at_or_blank(*c, names[0])] = c->direction == better::higher ? -*c->value : *c->value;
  std::stable_sort(rows.begin(), rows.end(), [&](const row_key& a, const row_key& b) {
    const auto left = merit.find(a[0]);
    const auto right = merit.find(b[0]);
    if (left == merit.end() || right == merit.end()) return left != merit.end() && right == merit.end();
    return left->second < right->second;
  });
  return true;
}

column column_of(const cells& all, const std::vector<std::string>& names, const std::vector<row_key>& rows,
                 const scale& shown_in, remarks& notes) {
  std::map<row_key, cells> there;
  for (const cell* c : all) there[row_of(*c, names)].push_back(c);
  column col;
  for (const row_key& r : rows) {
    const auto found = there.find(r);
    col.entries.push_back(notes.entry_for(found == there.end() ? cells{} : found->second, shown_in));
  }
  col.unit = shown_in.unit;
  return col;
}

bool is_number(const coordinate& c) { return std::holds_alternative<std::int64_t>(c); }

bool all_numbers(const std::vector<row_key>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const row_key& r) { return is_number(r.front()); });
}

/// One axis or none: a column for each metric.
laid_out by_metric(const cells& all, const std::vector<axis_values>& axes, const style& s) {
  std::vector<std::string> names;
  for (const axis_values& a : varying(axes)) names.push_back(a.name);
  if (names.empty() && !axes.empty()) names.push_back(axes.front().name);
  std::vector<row_key> rows = rows_of(all, names, axes);
  const std::vector<metric_name> metrics = metrics_of(all);
  laid_out t;
  t.title = shown(all.front()->experiment, s);
  t.caption = common_coordinates(axes, s);
  if (sort_by_merit(rows, names, of_metric(all, metrics.front())))
    t.caption = joined(t.caption, "; ", fmt::format("best {} first", shown(metrics.front().name, s)));
  remarks notes{s};
  for (const metric_name& m : metrics) {
    const cells of = of_metric(all, m);
    const scale in = scale_of(of, s);
    t.values.push_back(column_of(of, names, rows, in, notes));
    t.values.back().name = joined(shown(m.name, s), ", ", in.unit);
  }
  if (names.size() == 1 && rows.size() > 1 && all_numbers(rows)) t.kind = drawing::lines_down;
  t.labels = label_columns(names, rows, s);
  t.notes = notes.sentences();
  return t;
}

/// Two axes or more: a table for each metric.
laid_out by_axis(const cells& all, const style& s) {
  const std::vector<axis_values> axes = axes_of(all);
  std::vector<axis_values> free = varying(axes);
  const std::size_t across = column_axis(free);
  const axis_values columns_axis = free[across];
  std::vector<std::string> names;
  for (std::size_t i = 0; i < free.size(); ++i)
    if (i != across) names.push_back(free[i].name);
  std::vector<row_key> rows = rows_of(all, names, axes);
  const scale in = scale_of(all, s);
  laid_out t;
  t.title = shown(all.front()->experiment, s) + ": " + joined(shown(all.front()->metric, s), ", ", in.unit) +
            direction_words(all.front()->direction);
  t.caption = common_coordinates(axes, s);
  const coordinate& last = columns_axis.values.back();
  if (sort_by_merit(rows, names, where(all, columns_axis.name, last)))
    t.caption = joined(
        t.caption, "; ",
        fmt::format("best first at {} {}", shown(columns_axis.name, s), value_words(columns_axis.name, last, s)));
  remarks notes{s};
  for (const coordinate& v : columns_axis.values) {
    t.values.push_back(column_of(where(all, columns_axis.name, v), names, rows, in, notes));
    t.values.back().group = shown(columns_axis.name, s);
    t.values.back().name = value_words(columns_axis.name, v, s, 24);
  }
  if (std::all_of(columns_axis.values.begin(), columns_axis.values.end(), is_number)) t.kind = drawing::lines_across;
  t.labels = label_columns(names, rows, s);
  t.notes = notes.sentences();
  return t;
}

/// Contestants are compared at one place of all other axes but the one across: a table for each such place.
std::vector<cells> sections_of(const cells& all) {
  const std::vector<axis_values> free = varying(axes_of(all));
  const auto contestants =
      std::find_if(free.begin(), free.end(), [](const axis_values& a) { return is_contest(a.name); });
  if (free.size() < 3 || contestants == free.end()) return {all};
  const std::string& across = free[column_axis(free)].name;
  std::vector<std::string> names;
  for (const axis_values& a : free)
    if (a.name != across && !is_contest(a.name)) names.push_back(a.name);
  std::vector<cells> sections;
  for (const row_key& place : rows_of(all, names, free)) {
    cells section = all;
    for (std::size_t i = 0; i < names.size(); ++i) section = where(section, names[i], place[i]);
    sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace

laid_out side_by_side(const cells& of_experiment, const std::vector<std::string>& metrics, const style& s) {
  cells some;
  for (const std::string& metric : metrics)
    std::copy_if(of_experiment.begin(), of_experiment.end(), std::back_inserter(some),
                 [&](const cell* c) { return c->metric == metric; });
  return some.empty() ? laid_out{} : by_metric(some, axes_of(some), s);
}

std::vector<laid_out> generic_tables(const cells& all, const style& s) {
  const std::vector<axis_values> axes = axes_of(all);
  if (varying(axes).size() < 2) return {by_metric(all, axes, s)};
  std::vector<laid_out> tables;
  for (const metric_name& m : metrics_of(all))
    for (const cells& section : sections_of(of_metric(all, m))) {
      const std::vector<axis_values> own = axes_of(section);
      tables.push_back(varying(own).size() < 2 ? by_metric(section, own, s) : by_axis(section, s));
    }
  return tables;
}

}  // namespace synchro::views
