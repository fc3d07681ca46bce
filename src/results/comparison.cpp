#include "results/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "results/json_fields.hpp"
#include "results/statistics.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

/// The same measurement, however its coordinates are ordered.
std::string identity(const cell& c) {
  std::vector<std::pair<std::string, coordinate>> at = c.at.entries();
  std::sort(at.begin(), at.end());
  coordinates sorted;
  for (const auto& [axis, value] : at) sorted.set(axis, value);
  sorted.set("\nexperiment", c.experiment);
  sorted.set("\nmetric", c.metric);
  sorted.set("\nunit", c.unit);
  return sorted.to_string();
}

std::map<std::string, const cell*> by_identity(const document& d) {
  std::map<std::string, const cell*> all;
  for (const cell& c : d.cells) all.emplace(identity(c), &c);
  return all;
}

/// Whether the samples are those that the value was made from; files may be edited by hand.
bool samples_tell(const cell& c) {
  if (c.samples.empty() || !std::all_of(c.samples.begin(), c.samples.end(), [](double v) { return std::isfinite(v); }))
    return false;
  return std::abs(median(c.samples) - *c.value) <= 1e-9 * std::abs(*c.value);
}

std::optional<joint_intervals> intervals_of(const cell& a, const cell& b) {
  if (samples_tell(a) && samples_tell(b)) return joint_median_intervals(a.samples, b.samples);
  constexpr double each = 0.95;
  if (a.ci && b.ci) return joint_intervals{*a.ci, *b.ci, each * each};
  return std::nullopt;
}

/// How much more one has to pay: by b's time over a's, or a's rate over b's.
double worse_by(double a, double b, better direction) {
  if (a == b) return 0;
  const double cheap = direction == better::higher ? b : a;
  const double dear = direction == better::higher ? a : b;
  if (cheap == 0) return dear > 0 ? std::numeric_limits<double>::infinity() : -1;
  return (dear - cheap) / std::abs(cheap);
}

verdict judged(const joint_intervals& both, better direction) {
  const bool rises = both.b.first > both.a.second;
  const bool falls = both.b.second < both.a.first;
  if (!rises && !falls) return verdict::unresolved;
  if (direction == better::neither) return verdict::different;
  return rises == (direction == better::higher) ? verdict::better : verdict::worse;
}

/// The share of the processors' time in which a thread of the cell was ready to run and did not; 0 if not recorded.
double waiting_share(const cell& c) {
  const auto& noise = c.noise;
  if (!noise.is_object() || !noise.contains("run_delay_ns") || !noise.contains("seconds")) return 0;
  if (!noise.at("run_delay_ns").is_number() || !noise.at("seconds").is_array()) return 0;
  double seconds = 0;
  for (const auto& s : noise.at("seconds")) seconds += s.is_number() ? s.get<double>() : 0;
  const bool known = noise.contains("processors") && noise.at("processors").is_array();
  const double processors = known ? static_cast<double>(noise.at("processors").size()) : 1;
  const double time = seconds * std::max(1.0, processors);
  return time > 0 ? noise.at("run_delay_ns").get<double>() * 1e-9 / time : 0;
}

constexpr double disturbing_share = 0.05;

compared pair_of(const cell& a, const cell& b) {
  compared c{&a, &b, {}, {}, {}, verdict::unresolved, false, worse_by(*a.value, *b.value, a.direction)};
  c.disturbed = std::abs(waiting_share(a) - waiting_share(b)) > disturbing_share;
  const bool positive = *a.value > 0 && *b.value > 0;
  if (positive) c.ratio = *b.value / *a.value;
  const auto both = intervals_of(a, b);
  if (!both) return c;
  c.confidence = both->confidence;
  if (positive && both->a.first > 0 && both->b.first > 0)
    c.ratio_ci = std::pair{both->b.first / both->a.second, both->b.second / both->a.first};
  c.what = judged(*both, a.direction);
  return c;
}

// What differs besides the cells.

using json = nlohmann::ordered_json;

std::string fact_text(const json& facts, const char* name) {
  if (!facts.contains(name) || facts.at(name).is_null()) return "unknown";
  const json& fact = facts.at(name);
  return fact.is_string() ? fact.get<std::string>() : dump(fact);
}

std::string processors_of(const document& d) {
  if (!d.topology.contains("cpus") || !d.topology.at("cpus").is_array()) return "unknown";
  return std::to_string(d.topology.at("cpus").size());
}

/// "The machines differ: model_name (X; Y)." Nothing if these facts are the same.
void add_difference(std::vector<std::string>& warnings, const std::string& what, const json& a, const json& b,
                    std::initializer_list<const char*> facts, std::vector<std::string> found = {}) {
  for (const char* fact : facts)
    if (const std::string x = fact_text(a, fact), y = fact_text(b, fact); x != y)
      found.push_back(fmt::format("{} ({}; {})", fact, printable(x, 80), printable(y, 80)));
  if (!found.empty()) warnings.push_back(fmt::format("The {} differ: {}.", what, fmt::join(found, ", ")));
}

std::vector<std::string> differences(const document& a, const document& b) {
  std::vector<std::string> warnings;
  std::vector<std::string> cpus;
  if (processors_of(a) != processors_of(b))
    cpus.push_back(fmt::format("processors used ({}; {})", processors_of(a), processors_of(b)));
  add_difference(warnings, "machines", a.machine, b.machine,
                 {"kind", "model_name", "vendor", "family", "model", "stepping", "microcode", "arch", "virtualization",
                  "memory_bytes"},
                 cpus);
  add_difference(warnings, "builds of the program", a.tool, b.tool,
                 {"version", "git", "compiler", "flags", "build_type", "libc", "sanitizers"});
  add_difference(warnings, "systems", a.os, b.os,
                 {"name", "kernel", "preempt_model", "mitigations", "thp", "governor", "boost", "smt_control"});
  return warnings;
}

void add_state(std::vector<std::string>& warnings, const document& d, const char* which) {
  if (!d.complete)
    warnings.push_back(fmt::format("{} was stopped early: cells are missing or have fewer repetitions.", which));
  if (by_identity(d).size() < d.cells.size())
    warnings.push_back(fmt::format("{} holds the same cell more than once; the first counts.", which));
}

void sort_in(comparison& out, const cell& a, const cell& b) {
  if (a.value && b.value)
    out.cells.push_back(pair_of(a, b));
  else if (!a.value && !b.value)
    out.untold_both.push_back(&a);
  else if (a.value)
    out.untold_b.push_back(&b);
  else
    out.untold_a.push_back(&a);
}

void add_disturbance(comparison& c) {
  const auto disturbed = [](const compared& x) { return x.disturbed && x.what != verdict::unresolved; };
  const auto n = std::count_if(c.cells.begin(), c.cells.end(), disturbed);
  if (n == 0) return;
  c.warnings.push_back(fmt::format(
      "Of the differences, {} may be those of disturbance: in one of the files the threads waited for a processor "
      "for {:g} % more of the time than in the other.",
      n, 100 * disturbing_share));
}

}  // namespace

std::string to_string(verdict v) {
  switch (v) {
    case verdict::unresolved:
      return "unresolved";
    case verdict::better:
      return "better";
    case verdict::worse:
      return "worse";
    case verdict::different:
      return "different";
  }
  throw std::logic_error("no such verdict");
}

comparison compare(const document& a, const document& b) {
  comparison out;
  out.warnings = differences(a, b);
  add_state(out.warnings, a, "The first file");
  add_state(out.warnings, b, "The second file");
  const auto in_a = by_identity(a);
  const auto in_b = by_identity(b);
  for (const cell& c : a.cells) {
    const std::string key = identity(c);
    if (in_a.at(key) != &c) continue;
    const auto found = in_b.find(key);
    if (found == in_b.end())
      out.only_a.push_back(&c);
    else
      sort_in(out, c, *found->second);
  }
  for (const cell& c : b.cells) {
    const std::string key = identity(c);
    if (in_b.at(key) == &c && !in_a.contains(key)) out.only_b.push_back(&c);
  }
  add_disturbance(out);
  return out;
}

std::string name_of(const cell& c) { return joined(c.experiment + " " + c.metric, " ", c.at.to_string()); }

namespace {

json side_json(const cell& c) {
  const json whole = to_json(c);
  json out;
  for (const char* field : {"value", "ci", "n", "flag", "reason"}) out[field] = whole.at(field);
  return out;
}

json name_json(const cell& c) {
  const json whole = to_json(c);
  json out;
  for (const char* field : {"experiment", "at", "metric", "unit", "better"}) out[field] = whole.at(field);
  return out;
}

json names_json(const std::vector<const cell*>& all) {
  json out = json::array();
  for (const cell* c : all) out.push_back(name_json(*c));
  return out;
}

json number_or_null(const std::optional<double>& v) { return v && std::isfinite(*v) ? json(*v) : json(nullptr); }

json compared_json(const compared& c, const std::optional<double>& limit) {
  json out = name_json(*c.a);
  out["a"] = side_json(*c.a);
  out["b"] = side_json(*c.b);
  out["ratio"] = number_or_null(c.ratio);
  out["ratio_ci"] = c.ratio_ci ? json::array({c.ratio_ci->first, c.ratio_ci->second}) : json(nullptr);
  out["confidence"] = number_or_null(c.confidence);
  out["verdict"] = to_string(c.what);
  out["disturbed"] = c.disturbed;
  out["beyond_limit"] = limit ? json(c.worse_than(*limit)) : json(nullptr);
  return out;
}

}  // namespace

json to_json(const comparison& c, const file_names& names, const std::optional<double>& limit) {
  json out;
  out["schema"] = "synchroscope-comparison/1";
  out["a"] = names.a;
  out["b"] = names.b;
  out["limit"] = number_or_null(limit);
  out["warnings"] = c.warnings;
  out["cells"] = json::array();
  for (const compared& cell : c.cells) out["cells"].push_back(compared_json(cell, limit));
  out["only_a"] = names_json(c.only_a);
  out["only_b"] = names_json(c.only_b);
  out["without_value_a"] = names_json(c.untold_a);
  out["without_value_b"] = names_json(c.untold_b);
  out["without_value"] = names_json(c.untold_both);
  return out;
}

}  // namespace synchro::results
