#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "results/text.hpp"
#include "views/pivot.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr std::size_t most_cpus = 64;  ///< Beyond this a matrix on a terminal is no picture any more.
constexpr std::size_t cpus_with_errors = 4;

using place = std::pair<coordinate, coordinate>;

std::map<place, cells> by_place(const cells& all) {
  std::map<place, cells> there;
  for (const cell* c : all) there[{at_or_blank(*c, "from"), at_or_blank(*c, "to")}].push_back(c);
  return there;
}

std::vector<coordinate> values_of(const cells& all, const std::string& axis) {
  for (const axis_values& a : axes_of(all))
    if (a.name == axis) return a.values;
  return {};
}

/// Values sorted, with the cell each belongs to.
std::vector<const cell*> sorted_by_value(const cells& all) {
  cells measured;
  std::copy_if(all.begin(), all.end(), std::back_inserter(measured),
               [](const cell* c) { return c->value.has_value(); });
  std::stable_sort(measured.begin(), measured.end(),
                   [](const cell* a, const cell* b) { return *a->value < *b->value; });
  return measured;
}

/// Where a value lies between the extremes, on the logarithmic scale.
std::optional<double> heat_of(double value, const cells& sorted) {
  const double low = *sorted.front()->value;
  const double high = *sorted.back()->value;
  if (!(low > 0) || !(high > low)) return std::nullopt;
  return std::log(value / low) / std::log(high / low);
}

/// "between 24.1 ns (0 to 1) and 312 ns (0 to 63), half of them below 110 ns"
std::string range_line(const cells& sorted, const style& s) {
  const auto pair_of = [&](const cell& c) {
    return quantity(*c.value, shown(c.unit, s, 12), s.utf8) + " (" + shown(to_string(at_or_blank(c, "from")), s, 12) +
           " to " + shown(to_string(at_or_blank(c, "to")), s, 12) + ")";
  };
  if (sorted.size() < 2) return "";
  const cell& middle = *sorted[sorted.size() / 2];
  return fmt::format("{} pairs, from {} to {}; half of them up to {}", sorted.size(), pair_of(*sorted.front()),
                     pair_of(*sorted.back()), quantity(*middle.value, shown(middle.unit, s, 12), s.utf8));
}

void fill_matrix(laid_out& t, const cells& all, const style& s) {
  const std::vector<coordinate> from = values_of(all, "from");
  const std::vector<coordinate> to = values_of(all, "to");
  const cells sorted = sorted_by_value(all);
  if (from.size() > most_cpus || to.size() > most_cpus)
    t.instead = {range_line(sorted, s),
                 "A matrix of more than 64 processors is not printed; report and export show it."};
  const std::map<place, cells> there = by_place(all);
  const scale in = scale_of(all, s);
  remarks notes{s};
  std::vector<std::vector<coordinate>> rows;
  for (const coordinate& f : from) rows.push_back({f});
  for (const coordinate& target : to) {
    column& col = t.values.emplace_back(column{"to", shown(to_string(target), s, 12), {}, in.unit});
    for (const coordinate& f : from) {
      const auto found = there.find({f, target});
      entry e = notes.entry_for(found == there.end() ? cells{} : found->second, in, to.size() <= cpus_with_errors);
      if (found == there.end() && f == target) e = {s.utf8 ? "\u00b7" : ".", "", "", tone::dim};
      if (found != there.end() && found->second.front()->value) e.heat = heat_of(*found->second.front()->value, sorted);
      col.entries.push_back(std::move(e));
    }
  }
  t.kind = drawing::heat;
  t.labels = label_columns({"from"}, rows, s);
  t.notes = notes.sentences();
  if (s.color && sorted.size() > 1) t.notes.emplace_back("Colours: dark is near, light is far.");
  if (to.size() > 2 && sorted.size() > 1) t.notes.insert(t.notes.begin(), range_line(sorted, s));
}

/// What distinguishes one matrix from the next: metric and the coordinates other than from and to.
coordinates section_of(const cell& c, const std::vector<axis_values>& axes) {
  coordinates at;
  for (const axis_values& a : axes)
    if (a.name != "from" && a.name != "to" && a.values.size() > 1) at.set(a.name, at_or_blank(c, a.name));
  return at;
}

}  // namespace

std::vector<laid_out> matrices(const cells& all, const style& s) {
  const std::vector<axis_values> axes = axes_of(all);
  std::vector<std::pair<std::pair<std::string, coordinates>, cells>> sections;
  for (const cell* c : all) {
    std::pair<std::string, coordinates> key{c->metric, section_of(*c, axes)};
    const auto found = std::find_if(sections.begin(), sections.end(), [&](const auto& x) { return x.first == key; });
    if (found == sections.end())
      sections.push_back({std::move(key), {c}});
    else
      found->second.push_back(c);
  }
  std::vector<laid_out> tables;
  for (const auto& [key, content] : sections) {
    laid_out& t = tables.emplace_back();
    t.title =
        shown(content.front()->experiment, s) + ": " + joined(shown(key.first, s), ", ", scale_of(content, s).unit);
    for (const auto& [axis, value] : key.second.entries())
      t.title += ", " + shown(axis, s) + " " + shown(to_string(value), s);
    t.caption = common_coordinates(axes, s);
    fill_matrix(t, content, s);
  }
  return tables;
}

}  // namespace synchro::views
