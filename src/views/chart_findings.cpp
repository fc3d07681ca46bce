#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "results/text.hpp"
#include "views/findings.hpp"
#include "views/summary.hpp"

namespace synchro::views {

namespace {

using json = nlohmann::ordered_json;
using results::document;
using sentences = std::vector<std::string>;

/// The axis whose values a chart puts beside each other.
std::string contested(const json& drawing) {
  const std::string kind = drawing.value("kind", "");
  if (kind == "best") return drawing.value("contestants", "");
  if (kind == "lines")
    return drawing.contains("series") && !drawing["series"].empty() ? drawing["series"][0].get<std::string>() : "";
  return kind == "bars" ? drawing.value("x", "") : "";
}

/// What a chart begins with: its first metric that was measured, all of one place where it prefers one.
cells shown_first(const document& d, const std::string& experiment, const chart& c) {
  cells all;
  for (const cell& candidate : d.cells)
    if (candidate.experiment == experiment && has_interval(candidate)) all.push_back(&candidate);
  const auto wanted = [&](const cell* found) {
    return c.metrics.empty() || std::find(c.metrics.begin(), c.metrics.end(), found->metric) != c.metrics.end();
  };
  std::erase_if(all, [&](const cell* found) { return !wanted(found); });
  if (all.empty()) return {};
  const std::string metric = all.front()->metric;
  std::erase_if(all, [&](const cell* found) { return found->metric != metric; });
  for (const auto& [axis, value] : c.prefer.entries())
    if (const cells preferred = where(all, axis, value); !preferred.empty()) all = preferred;
  const cells near = where(all, "mode", "near");
  return only_precise(near.empty() ? all : near);
}

/// "Wake mean"
std::string spoken(const std::string& name) {
  std::string metric = results::printable_ascii(name, 40);
  std::replace(metric.begin(), metric.end(), '_', ' ');
  if (!metric.empty()) metric[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(metric[0])));
  return metric;
}

/// " (threads 4, locks 1)", " (state modified, distance same_cpu)": where in a chart this was.
std::string place(const cell& c, const std::string& except) {
  std::string text;
  for (const char* axis : {"threads", "locks", "group", "clients", "state", "distance"})
    if (axis != except && c.at.find(axis) != nullptr)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis, name_at(c, axis));
  return text.empty() ? "" : " (" + text + ")";
}

/// The least and the most of those that differ on one axis only.
sentences extremes(const cells& rivals_there, const std::string& axis) {
  if (rivals_there.size() < 2) return {};
  const bool upwards = rivals_there.front()->direction == results::better::higher;
  const cell& first = upwards ? *most(rivals_there) : *least(rivals_there);
  const cell& last = upwards ? *least(rivals_there) : *most(rivals_there);
  const std::string what = spoken(first.metric) + place(first, axis);
  if (!differ(first, last))
    return {fmt::format("{}: no difference between the {} is resolved.", what, rivals_there.size())};
  cells tied = tied_with(first, rivals_there);
  const cell &large = upwards ? first : last, &small = upwards ? last : first;
  return {fmt::format("{}: {} has {}{}; {} has {}. The larger is {}{}.", what, name_at(first, axis),
                      with_interval(first), rivals(tied, axis), name_at(last, axis), with_interval(last),
                      *small.value > 0 ? more_than(*large.value, *small.value) : "infinitely more", far_note(first))};
}

/// The contest with the most threads, or whatever numbers the lines run over.
cells at_the_end(cells all, const std::string& x) {
  std::int64_t last = 0;
  for (const cell* c : all) last = std::max(last, number_at(*c, x).value_or(0));
  std::erase_if(all, [&](const cell* c) { return number_at(*c, x) && *number_at(*c, x) != last; });
  return all;
}

sentences between_pairs(const cells& all) {
  if (all.size() < 2) return {};
  const cell &near = *least(all), &far = *most(all);
  const auto pair = [](const cell& c) { return fmt::format("{} and {}", name_at(c, "from"), name_at(c, "to")); };
  if (!differ(near, far))
    return {fmt::format("{}: no difference between {} pairs is resolved.", spoken(near.metric), all.size())};
  return {fmt::format("{}: least between {}, {}; most between {}, {}.", spoken(near.metric), pair(near),
                      with_interval(near), pair(far), with_interval(far))};
}

sentences finding_of(const document& d, const std::string& experiment, const chart& c) {
  const cells shown = shown_first(d, experiment, c);
  const std::string kind = c.drawing.value("kind", "");
  if (kind == "heat") return between_pairs(shown);
  const std::string axis = contested(c.drawing);
  if (axis.empty()) return {};
  const std::string x = kind == "best"    ? c.drawing.value("unit", "")
                        : kind == "lines" ? c.drawing.value("x", "")
                                          : "threads";
  return extremes(contest(at_the_end(shown, x), axis), axis);
}

bool is_table(const chart& c) { return c.drawing.value("kind", "") == "paper"; }

/// The chart that the experiment's own sentences are about.
std::string told_at(const presentation& shown, const own_cells& own) {
  if (const auto found = shown.headline ? shown.headline(own) : std::nullopt) return found->chart;
  const auto chart = std::find_if(shown.charts.begin(), shown.charts.end(), [](const auto& c) { return !is_table(c); });
  return chart == shown.charts.end() ? "" : chart->id;
}

}  // namespace

json chart_findings(const document& d, const presentations& how) {
  json all = json::object();
  for (const auto& [experiment, shown] : how) {
    const bool there =
        std::any_of(d.cells.begin(), d.cells.end(), [&](const cell& c) { return c.experiment == experiment; });
    if (!there) continue;
    const own_cells own{d, experiment};
    const sentences told = shown.findings ? shown.findings(own) : sentences{};
    const std::string place = told_at(shown, own);
    for (const chart& c : shown.charts) {
      const sentences found = c.id == place && !told.empty() ? told
                              : is_table(c)                  ? sentences{}
                                                             : finding_of(d, experiment, c);
      if (!found.empty()) all[experiment + "-" + c.id] = found;
    }
  }
  return all;
}

}  // namespace synchro::views
