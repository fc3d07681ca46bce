#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "results/text.hpp"
#include "views/paper/tables.hpp"
#include "views/pivot.hpp"

namespace synchro::views {

using namespace results;

namespace {

using row = row_key;

constexpr const char* source =
    "The paper's machines: David, Guerraoui, Trigonakis, SOSP 2013 (\"SSYNC\"); latencies in cycles.";

/// Position in a list of known words; unknown ones behind them.
template <std::size_t N>
std::size_t rank_in(const std::array<const char*, N>& known, const coordinate& c) {
  return static_cast<std::size_t>(std::find(known.begin(), known.end(), to_string(c)) - known.begin());
}

constexpr std::array<const char*, 13> operations = {"load",   "store",  "cas",   "fai",   "tas", "swap", "lfence",
                                                    "sfence", "mfence", "fence", "pause", "nop", "empty"};
constexpr std::array<const char*, 11> states = {"modified",  "turns",       "contended",  "owned",
                                                "exclusive", "shared",      "shared_all", "shared_upgrade",
                                                "invalid",   "working_set", "none"};
constexpr std::array<const char*, 4> levels = {"l1", "l2", "llc", "ram"};

std::string distance_title(const std::string& distance) {
  static const std::map<std::string, std::string> titles = {
      {"same_die", "die"},   {"same_mcm", "mcm"},     {"one_hop", "1 hop"}, {"two_hops", "2 hops"},
      {"same_core", "core"}, {"other_core", "other"}, {"max_hops", "max"}};
  const auto found = titles.find(distance);
  return found == titles.end() ? distance : found->second;
}

/// Two sentences below a table.
void add_the_paper(std::vector<std::string>& notes, const std::string& remark) {
  std::string out;
  for (const std::string& p : paper::platforms())
    out = joined(out, "; ",
                 fmt::format("{}: {}, {} cores, {} GHz", paper::title(p), paper::platform_fact(p, "system"),
                             paper::platform_fact(p, "cores"), paper::platform_fact(p, "core_clock_ghz")));
  notes.insert(notes.end(), {source, remark + out + "."});
}

/// The rows that occur, in the paper's order and then in the order of appearance.
template <class Rank>
std::vector<row> rows_of(const cells& all, const std::vector<std::string>& names, Rank rank) {
  std::vector<row> rows;
  for (const cell* c : all)
    if (row r = row_of(*c, names); std::find(rows.begin(), rows.end(), r) == rows.end()) rows.push_back(std::move(r));
  std::stable_sort(rows.begin(), rows.end(), [&](const row& a, const row& b) { return rank(a) < rank(b); });
  return rows;
}

/// This machine's columns: each metric (ns, cycles) of these cells.
std::vector<column> own_columns(const cells& all, const std::vector<std::string>& names, const std::vector<row>& rows,
                                const std::string& group, remarks& notes, const style& s,
                                const std::map<std::string, scale>& scales = {}) {
  std::vector<std::string> metrics;
  for (const cell* c : all)
    if (std::find(metrics.begin(), metrics.end(), c->metric) == metrics.end()) metrics.push_back(c->metric);
  std::vector<column> columns;
  for (const std::string& metric : metrics) {
    cells of;
    std::copy_if(all.begin(), all.end(), std::back_inserter(of), [&](const cell* c) { return c->metric == metric; });
    const auto known = scales.find(of.front()->unit);
    const scale in = known == scales.end() ? scale_of(of, s) : known->second;
    column col{group, in.unit.empty() ? shown(metric, s) : in.unit, {}, in.unit};
    for (const row& r : rows) {
      cells there;
      std::copy_if(of.begin(), of.end(), std::back_inserter(there),
                   [&](const cell* c) { return row_of(*c, names) == r; });
      col.entries.push_back(notes.entry_for(there, in));
    }
    columns.push_back(std::move(col));
  }
  return columns;
}

/// A column of the paper: its number stands in the first of the rows that it is for.
template <class Find>
column paper_column(std::string group, std::string name, const std::string& unit, const std::vector<row>& rows,
                    std::size_t key, Find find) {
  column col{std::move(group), std::move(name), {}, unit};
  const row* before = nullptr;
  for (const row& r : rows) {
    const bool repeated =
        before != nullptr && std::equal(r.begin(), r.begin() + static_cast<std::ptrdiff_t>(key), before->begin());
    const std::optional<double> number = repeated ? std::nullopt : find(r);
    col.entries.push_back({number ? fmt::format("{:g}", *number) : "", "", "", tone::dim});
    col.entries.back().value = number;
    before = &r;
  }
  return col;
}

/// Names of the row's axes: those that must be there, then those that vary.
std::vector<std::string> row_axes(const std::vector<axis_values>& axes, std::vector<std::string> names,
                                  const std::string& column_axis) {
  for (const axis_values& a : axes)
    if (a.values.size() > 1 && a.name != column_axis && std::find(names.begin(), names.end(), a.name) == names.end())
      names.push_back(a.name);
  return names;
}

laid_out table_of(const std::string& title, const std::vector<axis_values>& axes, const std::vector<std::string>& names,
                  const std::vector<row>& rows, std::vector<column> columns, const remarks& notes, const style& s) {
  std::vector<axis_values> fixed = axes;
  std::erase_if(fixed,
                [&](const axis_values& a) { return std::find(names.begin(), names.end(), a.name) != names.end(); });
  return {title, common_coordinates(fixed, s), label_columns(names, rows, s), std::move(columns), notes.sentences()};
}

}  // namespace

laid_out states_table(const cells& all, const style& s) {
  const std::vector<axis_values> axes = axes_of(all);
  const std::vector<std::string> names = row_axes(axes, {"operation", "state"}, "distance");
  const std::vector<row> rows = rows_of(all, names, [](const row& r) {
    return std::pair{rank_in(operations, r[0]), rank_in(states, r[1])};
  });
  remarks notes{s};
  std::vector<column> columns;
  for (const axis_values& a : axes)
    for (const coordinate& d : a.values)
      if (a.name == "distance")
        for (column& c :
             own_columns(where(all, "distance", d), names, rows, "here, " + shown(to_string(d), s), notes, s))
          columns.push_back(std::move(c));
  if (columns.empty()) columns = own_columns(all, names, rows, "here", notes, s);
  for (const paper::place& p : paper::places())
    columns.push_back(
        paper_column(paper::title(p.platform), distance_title(p.distance), "cycles", rows, 2,
                     [&](const row& r) { return paper::remote_cycles(to_string(r[0]), to_string(r[1]), p); }));
  laid_out t =
      table_of(shown(all.front()->experiment, s) + ": one access to a line, by its state and its holder's distance",
               axes, names, rows, std::move(columns), notes, s);
  add_the_paper(t.notes, "On Opteron and Xeon it has one number for the four atomic operations. ");
  return t;
}

laid_out local_table(const cells& all, const style& s) {
  const std::vector<axis_values> axes = axes_of(all);
  const std::vector<std::string> names = row_axes(axes, {"level"}, "");
  const std::vector<row> rows = rows_of(all, names, [](const row& r) { return rank_in(levels, r[0]); });
  remarks notes{s};
  std::vector<column> columns = own_columns(all, names, rows, "here", notes, s);
  for (const std::string& p : paper::platforms())
    columns.push_back(paper_column("", paper::title(p), "cycles", rows, 1,
                                   [&](const row& r) { return paper::local_cycles(to_string(r[0]), p); }));
  laid_out t = table_of(shown(all.front()->experiment, s) + ": loads from the caches and from memory", axes, names,
                        rows, std::move(columns), notes, s);
  add_the_paper(t.notes, "");
  return t;
}

laid_out calls_table(const cells& all, const style& s) {
  const std::vector<axis_values> axes = axes_of(all);
  const std::vector<std::string> names = row_axes(axes, {"call"}, "");
  const auto rank = [](const row& r) { return paper::call_rank(to_string(r[0])); };
  std::vector<row> rows = rows_of(all, names, rank);
  for (const std::string& call : paper::calls())  // All that the paper has, measured here or not.
    if (std::none_of(rows.begin(), rows.end(), [&](const row& r) { return rank(r) == paper::call_rank(call); })) {
      row blank(names.size(), coordinate{std::string{}});
      blank[0] = call;
      rows.push_back(std::move(blank));
    }
  std::stable_sort(rows.begin(), rows.end(), [&](const row& a, const row& b) { return rank(a) < rank(b); });
  remarks notes{s};
  const std::string micro = s.utf8 ? "\u00b5s" : "us";
  std::vector<column> columns = own_columns(all, names, rows, "here", notes, s, {{"ns", {1e3, micro}}});
  for (const std::string& system : paper::systems())
    columns.push_back(paper_column("the paper, " + micro, paper::system_title(system), micro, rows, 1,
                                   [&](const row& r) { return paper::call_microseconds(to_string(r[0]), system); }));
  laid_out t = table_of(shown(all.front()->experiment, s) + ": what one call costs", axes, names, rows,
                        std::move(columns), notes, s);
  t.notes.push_back(paper::calls_source());
  return t;
}

}  // namespace synchro::views
