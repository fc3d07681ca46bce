#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "results/doubt.hpp"
#include "results/text.hpp"
#include "statistics/look.hpp"
#include "views/findings.hpp"
#include "views/places.hpp"
#include "views/summary.hpp"

namespace synchro::views {

namespace {

using json = nlohmann::ordered_json;
using results::coordinates;
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

/// The metrics of a chart that were measured, in its order.
sentences metrics_of(const document& d, const std::string& experiment, const chart& c) {
  sentences there;
  for (const cell& candidate : d.cells)
    if (candidate.experiment == experiment && has_interval(candidate) &&
        std::find(there.begin(), there.end(), candidate.metric) == there.end())
      there.push_back(candidate.metric);
  if (c.metrics.empty()) return there;
  sentences wanted = c.metrics;
  std::erase_if(wanted, [&](const auto& m) { return std::find(there.begin(), there.end(), m) == there.end(); });
  return wanted;
}

/// Whether a chart is about this place: of an axis it may have some values only.
bool is_meant(const json& drawing, const cell& c) {
  const auto only = drawing.find("only");
  if (only == drawing.end()) return true;
  const auto& axes = only->items();
  return std::all_of(axes.begin(), axes.end(), [&](const auto& axis) {
    const coordinate* const value = c.at.find(axis.key());
    return value == nullptr ||
           std::find(axis.value().begin(), axis.value().end(), results::to_string(*value)) != axis.value().end();
  });
}

cells all_of(const document& d, const std::string& experiment, const std::string& metric) {
  cells all;
  for (const cell& candidate : d.cells)
    if (candidate.experiment == experiment && candidate.metric == metric) all.push_back(&candidate);
  return all;
}

/// Axes by which the reader chooses what a chart shows: what it draws beside each other, or has from another axis, is none.
std::vector<std::string> chosen_axes(const chart& c, const cells& all) {
  std::vector<std::string> drawn{"mode", "event"};
  drawn.insert(drawn.end(), c.derived.begin(), c.derived.end());
  for (const char* part : {"x", "y", "contestants", "unit"}) drawn.push_back(c.drawing.value(part, ""));
  for (const char* part : {"series", "groups"})
    for (const auto& axis : c.drawing.value(part, json::array())) drawn.push_back(axis);
  std::vector<std::string> axes;
  for (const cell* one : all)
    for (const auto& [axis, value] : one->at.entries())
      if (std::find(drawn.begin(), drawn.end(), axis) == drawn.end() &&
          std::find(axes.begin(), axes.end(), axis) == axes.end())
        axes.push_back(axis);
  return axes;
}

/// Those on which these cells differ, which alone tell places apart: a map of many processors has a million cells and one place.
std::vector<std::string> varying(std::vector<std::string> axes, const cells& all) {
  std::erase_if(axes, [&](const std::string& axis) {
    const coordinate* const first = all.front()->at.find(axis);
    return std::all_of(all.begin(), all.end(), [&](const cell* c) {
      const coordinate* const value = c->at.find(axis);
      return value == nullptr || first == nullptr ? value == first : *value == *first;
    });
  });
  return axes;
}

coordinates on_axes(const cell& c, const std::vector<std::string>& axes) {
  coordinates at;
  for (const std::string& axis : axes)
    if (const coordinate* const value = c.at.find(axis); value != nullptr) at.set(axis, *value);
  return at;
}

/// Those of the cells of a metric that a chart can show, by the places that can be chosen there.
std::vector<std::pair<coordinates, cells>> by_place(cells all, const chart& c) {
  std::erase_if(all, [&](const cell* one) { return !is_meant(c.drawing, *one); });
  if (all.empty()) return {};
  const std::vector<std::string> axes = chosen_axes(c, all), telling = varying(axes, all);
  std::vector<std::pair<coordinates, cells>> places;
  std::map<std::string, std::size_t> known;
  for (const cell* one : all) {
    const auto [place, is_new] = known.try_emplace(on_axes(*one, telling).to_string(), places.size());
    if (is_new) places.emplace_back(on_axes(*one, axes), cells{});
    places[place->second].second.push_back(one);
  }
  return places;
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
  for (const char* axis : {"threads", "locks", "protocol", "group", "clients", "query", "state", "distance"})
    if (axis != except && c.at.find(axis) != nullptr)
      text += (text.empty() ? "" : ", ") +
              (std::string{axis} == "protocol" ? protocol_of(c) : fmt::format("{} {}", axis, name_at(c, axis)));
  return text.empty() ? "" : " (" + text + ")";
}

/// What is to be said where one that is not sure may lie beyond the least or the most of the others.
std::string of_both(const cells& left_out, const cell& small, const cell& large) {
  const std::string said = of_the_sure(left_out, extreme::least, small);
  return said.empty() ? of_the_sure(left_out, extreme::most, large) : said;
}

/// What a chart shows of a metric at one place that can be chosen there.
struct look {
  std::string chart, metric;
  coordinates at;
  cells among;            ///< What is not sure, too.
  cells rivals;           ///< Who is compared.
  std::string axis = {};  ///< On which these differ; empty: a map.
};

/// The least and the most of those that differ on one axis only.
sentences extremes(const look& here, std::size_t looked_at) {
  const cells& rivals_there = here.rivals;
  const std::string& axis = here.axis;
  const bool upwards = rivals_there.front()->direction == results::better::higher;
  const cell& first = upwards ? *most(rivals_there) : *least(rivals_there);
  const cell& last = upwards ? *least(rivals_there) : *most(rivals_there);
  const cell &large = upwards ? first : last, &small = upwards ? last : first;
  const std::string what =
      spoken(first.metric) + place(first, axis) + of_both(left_out(here.among, first, {axis}), small, large);
  if (!differ(first, last, looked_at))
    return {fmt::format("{}: no difference between the {} is resolved.", what, rivals_there.size())};
  const cells tied = tied_with(first, rivals_there, looked_at);
  return {fmt::format("{}: {} with {}{}; {} with {}. The larger is {}{}.", what, with_interval(first),
                      name_at(first, axis), rivals(tied, axis), with_interval(last), name_at(last, axis),
                      *small.value > 0 ? more_than(*large.value, *small.value) : "infinitely more", far_note(first))};
}

/// The contest with the most threads, or whatever numbers the lines run over.
cells at_the_end(cells all, const std::string& x) {
  std::int64_t last = 0;
  for (const cell* c : all) last = std::max(last, number_at(*c, x).value_or(0));
  std::erase_if(all, [&](const cell* c) { return number_at(*c, x) && *number_at(*c, x) != last; });
  return all;
}

/// For so many pairs at most it says which are tied: to compare each takes time.
constexpr std::size_t most_compared = 4096;

sentences between_pairs(const look& here, std::size_t looked_at) {
  const cells& all = here.rivals;
  const cell &near = *least(all), &far = *most(all);
  const auto pair = [](const cell& c) { return fmt::format("{} and {}", name_at(c, "from"), name_at(c, "to")); };
  if (!differ(near, far, looked_at))
    return {fmt::format("{}: no difference between {} pairs is resolved.", spoken(near.metric), all.size())};
  const auto tied = [&](const cell& c) {
    const std::size_t n = all.size() > most_compared ? 0 : tied_with(c, all, looked_at).size();
    return n == 0 ? std::string{} : fmt::format(", not distinguishable from {} other{}", n, n == 1 ? "" : "s");
  };
  const std::string what = spoken(near.metric) + of_both(left_out(here.among, near, {"from", "to"}), near, far);
  return {fmt::format("{}: least between {}, {}{}; most between {}, {}{}.", what, pair(near), with_interval(near),
                      tied(near), pair(far), with_interval(far), tied(far))};
}

/// Who is compared of what is sure at a place.
void choose_rivals(look& here, const cells& sure, const chart& c) {
  const std::string kind = c.drawing.value("kind", "");
  if (kind == "heat") here.rivals = sure;
  here.axis = contested(c.drawing);
  if (here.axis.empty()) return;
  const std::string x = kind == "best"    ? c.drawing.value("unit", "")
                        : kind == "lines" ? c.drawing.value("x", "")
                                          : "threads";
  here.rivals = contest(at_the_end(sure, x), here.axis);
}

bool is_table(const chart& c) { return c.drawing.value("kind", "") == "paper"; }

/// Of a chart that shows first what the paper's figure has: what that is about, if it was measured.
void keep_the_papers(cells& all, const json& drawing) {
  if (!drawing.contains("paper")) return;
  const std::string axis = drawing.at("groups").front();
  const auto papers = drawing.at("paper").get<std::vector<std::int64_t>>();
  const auto is_other = [&](const cell* c) {
    const auto* const value = c->at.find(axis);
    const auto* const n = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    return n == nullptr || std::find(papers.begin(), papers.end(), *n) == papers.end();
  };
  if (!std::all_of(all.begin(), all.end(), is_other)) std::erase_if(all, is_other);
}

/// What one metric of a chart compares at each place that can be chosen there.
void add_looks(std::vector<look>& all, const std::string& metric, const cells& of_metric, const chart& c) {
  for (const auto& [at, all_there] : by_place(of_metric, c)) {
    look here{c.id, metric, at, all_there, {}};
    keep_the_papers(here.among, c.drawing);
    cells shown = here.among;
    std::erase_if(shown, [](const cell* one) { return !has_interval(*one); });
    const cells near = where(shown, "mode", "near");
    choose_rivals(here, only_precise(near.empty() ? shown : near), c);
    if (here.rivals.size() > 1) all.push_back(std::move(here));
  }
}

std::vector<look> looks_of(const document& d, const std::string& experiment, const presentation& how) {
  std::vector<look> all;
  for (const chart& c : how.charts)
    if (!is_table(c))
      for (const std::string& metric : metrics_of(d, experiment, c))
        add_looks(all, metric, without_baseline(all_of(d, experiment, metric), &how), c);
  return all;
}

/// Every contest of an experiment is told of, so each pays for the pairs of all; charts that show the same have one. The
/// experiment's own sentences count as one pair more, for they pay for theirs.
std::size_t looked_at(const std::vector<look>& all, bool has_sentences) {
  std::set<std::tuple<const cell*, const cell*, std::size_t>> known;
  double pairs = has_sentences ? 1 : 0;
  for (const look& l : all)
    if (known.emplace(l.rivals.front(), l.rivals.back(), l.rivals.size()).second)
      pairs += statistics::pairs_among(l.rivals.size());
  return statistics::fewest_with_pairs(pairs);
}

/// For one experiment: what it says itself, and by each metric what its charts show.
void add_findings(json& all, const document& d, const std::string& experiment, const presentation& how) {
  const own_cells own{d, experiment};
  const sentences told = how.findings ? how.findings(own) : sentences{};
  const std::string place = told_at(how, own);
  const std::vector<look> looks = looks_of(d, experiment, how);
  const std::size_t paid = looked_at(looks, !told.empty());
  for (const chart& c : how.charts) {
    if (is_table(c)) continue;
    json by_metric = json::object();
    for (const std::string& metric : metrics_of(d, experiment, c)) {
      const bool is_own = by_metric.empty() && c.id == place && !told.empty();
      json places = json::array();
      for (const look& l : looks)
        if (l.chart == c.id && l.metric == metric)
          places.push_back(
              {{"at", place_json(l.at)}, {"told", l.axis.empty() ? between_pairs(l, paid) : extremes(l, paid)}});
      if (!is_own && places.empty()) continue;
      by_metric[metric] = {{"own", is_own ? json(told) : json::array()}, {"places", std::move(places)}};
    }
    if (!by_metric.empty()) all[experiment + "-" + c.id] = std::move(by_metric);
  }
}

}  // namespace

std::string told_at(const presentation& shown, const own_cells& own) {
  if (const auto found = shown.headline ? shown.headline(own) : std::nullopt) return found->chart;
  const auto chart = std::find_if(shown.charts.begin(), shown.charts.end(), [](const auto& c) { return !is_table(c); });
  return chart == shown.charts.end() ? "" : chart->id;
}

json chart_findings(const document& d, const presentations& how) {
  json all = json::object();
  if (results::nothing_sure(d)) return all;
  for (const auto& [experiment, shown] : how)
    if (std::any_of(d.cells.begin(), d.cells.end(),
                    [&name = experiment](const cell& c) { return c.experiment == name; }))
      add_findings(all, d, experiment, shown);
  return all;
}

}  // namespace synchro::views
