#include "views/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/doubt.hpp"
#include "views/findings.hpp"
#include "views/paper/tables.hpp"
#include "views/places.hpp"

namespace synchro::views {

using namespace results;

namespace {

using json = nlohmann::ordered_json;

std::string so_many_uncertain(std::ptrdiff_t unsure, std::ptrdiff_t all) {
  return fmt::format("Too uncertain to rely on: {} of {} numbers; see the tables.", unsure, all);
}

bool has_cells(const document& d, const std::string& experiment) {
  return std::any_of(d.cells.begin(), d.cells.end(), [&](const cell& c) { return c.experiment == experiment; });
}

/// What the experiments themselves have to say of what is too uncertain to be a finding.
void add_uncertain(const document& d, const presentations& how, sentences& out) {
  for (const document& run : runs_of(d))
    for (const auto& [experiment, shown] : how)
      if (shown.doubts && has_cells(run, experiment))
        for (std::string& doubt : shown.doubts(own_cells{run, experiment})) out.push_back(std::move(doubt));
}

void add_doubts(const document& d, const presentations& how, sentences& out) {
  const auto count = [&](auto is) { return std::count_if(d.cells.begin(), d.cells.end(), is); };
  const auto broken = count([](const cell& c) { return !c.valid; });
  const auto unsure = count([](const cell& c) { return c.value && !is_precise(c); });
  if (broken == 1) out.emplace_back("The self-check of 1 cell failed: what it measured is broken.");
  if (broken > 1)
    out.push_back(fmt::format("The self-check of {} cells failed: what they measured is broken.", broken));
  if (const auto nothing = nothing_sure(d))
    out.push_back(*nothing);
  else if (unsure > 0) {
    add_uncertain(d, how, out);
    out.push_back(so_many_uncertain(unsure, count([](const cell& c) { return c.value.has_value(); })));
  }
}

}  // namespace

std::vector<std::string> summary(const document& d, const presentations& how) {
  sentences out;
  const bool tells = !nothing_sure(d);
  for (const auto& [experiment, shown] : how) {
    if (!tells || !shown.findings || !has_cells(d, experiment)) continue;
    const sentences own = shown.findings(own_cells{d, experiment});
    out.insert(out.end(), own.begin(), own.end());
  }
  if (!out.empty()) out.emplace_back("In brackets: the 95 % confidence interval.");
  add_doubts(d, how, out);
  return out;
}

sentences doubts(const document& d, const presentations& how) {
  sentences out;
  add_doubts(d, how, out);
  return out;
}

json headlines(const document& d, const presentations& how) {
  json all = json::array();
  if (nothing_sure(d)) return all;
  for (const auto& [experiment, shown] : how) {
    if (!shown.headline || !has_cells(d, experiment)) continue;
    if (const auto h = shown.headline(own_cells{d, experiment}))
      all.push_back(
          {{"figure", h->figure}, {"text", h->text}, {"detail", h->detail}, {"target", experiment + "-" + h->chart}});
  }
  return all;
}

json published_place(const paper::figure_point::place& p) {
  json j{{"metric", p.metric}, {"unit", p.unit}, {"at", p.at}, {"value", p.value}};
  if (p.x) j["x"] = *p.x;
  if (p.to != p.value) j["to"] = p.to;
  if (!p.bound.empty()) j["bound"] = p.bound;
  return j;
}

json published_json(const std::string& figures) {
  json all = json::array();
  for (const paper::figure_point& p : paper::figure_points(figures)) {
    json j{{"figure", p.figure}, {"platforms", p.platforms}, {"section", p.section}, {"words", p.words}};
    if (p.drawn) j["drawn"] = published_place(*p.drawn);
    all.push_back(std::move(j));
  }
  return all;
}

json charts_json(const presentation& p) {
  json all = json::array();
  for (const chart& c : p.charts) {
    json j{{"id", c.id}, {"title", c.title}, {"lead", c.lead}, {"chart", c.drawing}};
    if (!c.like.empty()) {
      j["like"] = c.like;
      j["published"] = published_json(c.like);
    }
    if (!c.metrics.empty()) j["metrics"] = c.metrics;
    if (!c.derived.empty()) j["derived"] = c.derived;
    if (!c.prefer.entries().empty()) j["prefer"] = place_json(c.prefer);
    if (!c.several.empty()) j["several"] = c.several;
    if (c.own_scale) j["own"] = true;
    if (!c.spread.empty()) j["spread"] = c.spread;
    if (!c.simulated.empty()) j["simulated"] = c.simulated;
    all.push_back(std::move(j));
  }
  return all;
}

}  // namespace synchro::views
