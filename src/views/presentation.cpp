#include "views/presentation.hpp"

#include <algorithm>

#include "views/findings.hpp"
#include "views/places.hpp"

namespace synchro::views {

using json = nlohmann::ordered_json;

cells own_cells::of(const std::string& metric) const {
  cells found;
  for (const cell& c : document_.cells)
    if (c.experiment == experiment_ && c.metric == metric) found.push_back(&c);
  return where(found, "mode", "near");
}

cells own_cells::of_any_mode(const std::string& metric) const {
  cells all;
  for (const cell& c : document_.cells)
    if (c.experiment == experiment_ && c.metric == metric && has_interval(c)) all.push_back(&c);
  const cells near = where(all, "mode", "near");
  return near.empty() ? all : near;
}

const cell* own_cells::beside(const cell& c, const std::string& metric) const {
  for (const cell& other : document_.cells)
    if (other.experiment == c.experiment && other.metric == metric && other.at == c.at && has_interval(other))
      return &other;
  return nullptr;
}

const cell* own_cells::sure_beside(const cell& c, const std::string& metric) const {
  const cell* const other = beside(c, metric);
  return other != nullptr && is_precise(*other) ? other : nullptr;
}

cells own_cells::left_out(const cell& c, const std::vector<std::string>& axes) const {
  cells same;
  for (const cell& other : document_.cells)
    if (other.experiment == c.experiment && other.metric == c.metric) same.push_back(&other);
  return views::left_out(same, c, axes);
}

std::size_t own_cells::processors() const {
  for (const char* name : {"processors", "cpus"})
    if (const auto found = document_.topology.find(name); found != document_.topology.end() && found->is_array())
      return found->size();
  return 0;
}

bool own_cells::published() const {
  return document_.machine.is_object() && document_.machine.value("kind", "") == "published";
}

cells left_out(const cells& among, const cell& c, const std::vector<std::string>& axes) {
  const auto rest_of = [&](const cell& one) {
    results::coordinates rest;
    for (const auto& [name, value] : one.at.entries())
      if (name != "event" && std::find(axes.begin(), axes.end(), name) == axes.end()) rest.set(name, value);
    return rest;
  };
  const results::coordinates here = rest_of(c);
  cells found;
  for (const cell* other : among)
    if (other->valid && other->value && !is_precise(*other) && rest_of(*other) == here) found.push_back(other);
  return found;
}

json heat_map(const std::string& x, const std::string& y) { return {{"kind", "heat"}, {"x", x}, {"y", y}}; }

json lines(const std::string& x, const std::vector<std::string>& series, const line_options& how) {
  json names = json::object();
  for (const auto& [value, name] : how.names) names[value] = name;
  json drawing{{"kind", "lines"},        {"x", x},        {"series", series}, {"ideal", how.ideal},
               {"ordinal", how.ordinal}, {"names", names}};
  for (const auto& [axis, values] : how.only) drawing["only"][axis] = values;
  if (!how.first.empty()) drawing["first"] = how.first;
  if (!how.called.empty()) drawing["called"] = how.called;
  return drawing;
}

json bars(const std::string& x, const std::vector<std::string>& series, const bar_options& how) {
  json drawing{{"kind", "bars"}, {"x", x}, {"series", series}, {"stacked", how.stacked}};
  if (!how.compare.empty()) drawing["compare"] = how.compare;
  if (how.runs) drawing["runs"] = true;
  return drawing;
}

json best_of(const std::string& contestants, const std::vector<std::string>& groups, const std::string& unit,
             const std::vector<int>& paper) {
  json drawing{{"kind", "best"}, {"contestants", contestants}, {"groups", groups}, {"unit", unit}};
  if (!paper.empty()) drawing["paper"] = paper;
  return drawing;
}

json gantt(const gantt_options& how) {
  json drawing{{"kind", "gantt"}, {"row", how.row}, {"moments", how.moments}, {"phases", how.phases}};
  if (!how.delay.empty()) drawing["delay"] = how.delay;
  if (!how.parallel.empty()) drawing["parallel"] = how.parallel;
  return drawing;
}

json beside_published(const std::vector<std::string>& rows, const std::string& column, const std::string& caption) {
  return {{"kind", "paper"}, {"rows", rows}, {"column", column}, {"caption", caption}};
}

std::string protocol_of(const cell& c) {
  const std::string name = name_at(c, "protocol");
  return name.empty() ? "" : "protocol " + name + (name == "paused" ? ", with pauses in between" : "");
}

json place_json(const results::coordinates& at) {
  json all = json::object();
  for (const auto& [axis, value] : at.entries())
    std::visit([&all, &name = axis](const auto& v) { all[name] = v; }, value);
  return all;
}

cells without_baseline(cells all, const presentation* shown) {
  if (shown == nullptr || !shown->is_baseline) return all;
  cells rest = all;
  std::erase_if(rest, [&](const cell* c) { return shown->is_baseline(*c); });
  return rest.empty() ? all : rest;
}

const presentation* find(const presentations& all, const std::string& experiment) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.first == experiment; });
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace synchro::views
