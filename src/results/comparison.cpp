#include "results/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "results/comparable.hpp"
#include "results/comparison_judge.hpp"
#include "results/doubt.hpp"
#include "results/json_fields.hpp"
#include "results/origin.hpp"
#include "results/text.hpp"
#include "statistics/statistics.hpp"

namespace synchro::results {

std::string place_of(const cell& c) {
  std::vector<std::pair<std::string, coordinate>> at = c.at.entries();
  std::sort(at.begin(), at.end());
  coordinates sorted;
  for (const auto& [axis, value] : at)
    if (axis != "mode") sorted.set(axis, value);
  sorted.set("\nexperiment", c.experiment);
  sorted.set("\nmetric", c.metric);
  sorted.set("\nunit", c.unit);
  return sorted.to_string();
}

namespace {

/// The cells of each place, one for each mode.
using places = std::map<std::string, std::vector<const cell*>>;

places places_of(const document& d) {
  places all;
  for (const cell& c : d.cells) all[place_of(c)].push_back(&c);
  return all;
}

/// How much more one has to pay: by b's time over a's, or a's rate over b's.
double worse_by(double a, double b, better direction) {
  if (a == b) return 0;
  const double cheap = direction == better::higher ? b : a;
  const double high = direction == better::higher ? a : b;
  if (cheap == 0) return high > 0 ? std::numeric_limits<double>::infinity() : -1;
  return (high - cheap) / std::abs(cheap);
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
  compared c{};
  c.a = &a;
  c.b = &b;
  c.worse_by = worse_by(*a.value, *b.value, a.direction);
  c.disturbed = std::abs(waiting_share(a) - waiting_share(b)) > disturbing_share;
  if (*a.value > 0 && *b.value > 0) c.ratio = *b.value / *a.value;
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
  if (!same_memory(a.machine, b.machine))
    cpus.push_back(fmt::format("memory_bytes ({}; {})", fact_text(a.machine, "memory_bytes"),
                               fact_text(b.machine, "memory_bytes")));
  add_difference(warnings, "machines", a.machine, b.machine,
                 {"kind", "model_name", "vendor", "family", "model", "stepping", "microcode", "arch", "virtualization",
                  "emulation"},
                 cpus);
  add_difference(warnings, "builds of the program", a.tool, b.tool,
                 {"version", "git", "compiler", "flags", "build_type", "libc", "sanitizers"});
  add_difference(warnings, "systems", a.os, b.os,
                 {"name", "kernel", "preempt_model", "mitigations", "thp", "governor", "boost", "smt_control"});
  return warnings;
}

void add_state(std::vector<std::string>& warnings, const document& d, const char* which, sample of) {
  if (of == sample::runs) {
    if (!d.complete) warnings.push_back(fmt::format("A run of the {} side was stopped early.", which));
    return;
  }
  if (!d.complete)
    warnings.push_back(
        fmt::format("The {} file was stopped early: cells are missing or have fewer repetitions.", which));
  if (const auto nothing = nothing_sure(d)) warnings.push_back(fmt::format("The {} file: {}", which, *nothing));
  std::set<std::pair<std::string, std::string>> seen;
  for (const cell& c : d.cells)
    if (!seen.emplace(place_of(c), mode_of(c)).second) {
      warnings.push_back(fmt::format("The {} file holds the same cell more than once; the first counts.", which));
      return;
    }
}

/// Among those that may be compared with the cell, the one that was measured nearest to it.
const cell* counterpart(const cell& c, const std::vector<const cell*>& others) {
  const auto off = [&](const cell* o) {
    return c.probe_ns && o->probe_ns ? std::abs(std::log(*o->probe_ns / *c.probe_ns)) : 0;
  };
  const cell* best = nullptr;
  for (const cell* const o : others)
    if (!why_not_comparable(c, *o) && (best == nullptr || off(o) < off(best))) best = o;
  return best;
}

const std::string nearer_one = "the probes of the other cell are closer to another mode";

/// The cells of one place in one file.
struct side {
  std::vector<const cell*> with_value, without_value;

  explicit side(const std::vector<const cell*>& all) {
    for (const cell* const c : all) (c->value ? with_value : without_value).push_back(c);
  }
  /// The one that ought to have the value that the other file's cell is to be held against.
  [[nodiscard]] const cell* counterpart_without_value(const cell& other) const {
    if (const cell* const c = counterpart(other, without_value)) return c;
    return with_value.empty() ? without_value.front() : nullptr;
  }
};

void add_once(std::vector<const cell*>& all, const cell* c) {
  if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
}

void sort_in_first(comparison& out, const cell* a, const side& in_a, const side& in_b) {
  if (const cell* const b = counterpart(*a, in_b.with_value)) {
    if (counterpart(*b, in_a.with_value) == a)
      out.cells.push_back(pair_of(*a, *b));
    else
      out.not_comparable.push_back({a, b, nearer_one});
  } else if (const cell* const without_value = in_b.counterpart_without_value(*a)) {
    add_once(out.without_value_b, without_value);
  } else {
    const cell* const other = in_b.with_value.front();
    out.not_comparable.push_back({a, other, *why_not_comparable(*a, *other)});
  }
}

void sort_in_second(comparison& out, const cell* b, const side& in_a, const side& in_b) {
  const auto named = [&] {
    return std::any_of(out.not_comparable.begin(), out.not_comparable.end(),
                       [b](const not_compared& pair) { return pair.b == b; });
  };
  if (const cell* const a = counterpart(*b, in_a.with_value)) {
    if (counterpart(*a, in_b.with_value) != b && !named()) out.not_comparable.push_back({a, b, nearer_one});
  } else if (const cell* const without_value = in_a.counterpart_without_value(*b)) {
    add_once(out.without_value_a, without_value);
  } else if (!named()) {
    const cell* const other = in_a.with_value.front();
    out.not_comparable.push_back({other, b, *why_not_comparable(*other, *b)});
  }
}

/// The cells of one place in both files.
void sort_in(comparison& out, const side& in_a, const side& in_b) {
  if (in_a.with_value.empty() && in_b.with_value.empty())
    return out.without_value_both.push_back(in_a.without_value.front());
  for (const cell* const a : in_a.with_value) sort_in_first(out, a, in_a, in_b);
  for (const cell* const b : in_b.with_value) sort_in_second(out, b, in_a, in_b);
  for (const cell* const a : in_a.without_value)
    if (counterpart(*a, in_b.with_value) == nullptr && counterpart(*a, in_b.without_value) != nullptr &&
        !in_a.with_value.empty() && !in_b.with_value.empty())
      out.without_value_both.push_back(a);
}

void add_incomparable(comparison& c) {
  if (c.not_comparable.empty()) return;
  const std::size_t n = c.not_comparable.size();
  c.warnings.push_back(fmt::format("{} not compared because the conditions differed: {}{}.",
                                   n == 1 ? "1 measurement is" : fmt::format("{} measurements are", n),
                                   n == 1 ? "" : "for example ", c.not_comparable.front().why));
}

void add_runs_that_differ(comparison& c) {
  const auto n = std::count_if(c.cells.begin(), c.cells.end(), [](const compared& x) { return x.as_runs_differ; });
  if (n == 0) return;
  c.warnings.push_back(fmt::format(
      "{} beyond the scatter inside the runs, but single runs of one program may differ as much: measure each side "
      "three times or more, in turn, and compare with --with.",
      n == 1 ? "1 difference is" : fmt::format("{} differences are", n)));
}

}  // namespace

std::optional<std::string> compared::doubt() const {
  if (disturbed) return "disturbed";
  if (!is_precise(*a) || !is_precise(*b)) return "unreliable";
  return std::nullopt;
}

std::optional<std::string> disturbance(const comparison& c) {
  const auto disturbed = [](const compared& x) { return x.disturbed && x.what != verdict::unresolved; };
  const auto n = std::count_if(c.cells.begin(), c.cells.end(), disturbed);
  if (n == 0) return std::nullopt;
  return fmt::format(
      "{} of the differences may be due to disturbance: in one of the files the threads waited for a processor "
      "for {:g} % more of the time than in the other.",
      n, 100 * disturbing_share);
}

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

namespace {

comparison compare(const document& a, const document& b, sample of) {
  comparison out;
  out.of = of;
  out.warnings = differences(a, b);
  add_state(out.warnings, a, "first", of);
  add_state(out.warnings, b, "second", of);
  const places in_a = places_of(a);
  const places in_b = places_of(b);
  for (const cell& c : a.cells) {
    const std::string key = place_of(c);
    if (in_a.at(key).front() != &c) continue;
    const auto found = in_b.find(key);
    if (found == in_b.end())
      out.only_a.push_back(&c);
    else
      sort_in(out, side{in_a.at(key)}, side{found->second});
  }
  for (const cell& c : b.cells) {
    const std::string key = place_of(c);
    if (in_b.at(key).front() == &c && !in_a.contains(key)) out.only_b.push_back(&c);
  }
  judge(out);
  add_incomparable(out);
  if (const auto sentence = disturbance(out)) out.warnings.push_back(*sentence);
  add_runs_that_differ(out);
  return out;
}

}  // namespace

comparison compare(const document& a, const document& b) {
  return compare(a, b, is_simulated(a) && is_simulated(b) ? sample::simulated : sample::repetitions);
}

comparison compare_runs(const document& a, const document& b) { return compare(a, b, sample::runs); }

std::string name_of(const cell& c) { return joined(c.experiment + " " + c.metric, " ", c.at.to_string()); }

namespace {

json side_json(const cell& c, sample of) {
  const json whole = to_json(c);
  json out;
  for (const char* field : {"value", "ci", "n", "flag", "reason", "probe_ns", "conditions"})
    out[field] = whole.at(field);
  if (of == sample::runs) out["runs"] = whole.at("samples");
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

json compared_json(const compared& c, sample of, const std::optional<double>& limit) {
  json out = name_json(*c.a);
  out["a"] = side_json(*c.a, of);
  out["b"] = side_json(*c.b, of);
  out["ratio"] = number_or_null(c.ratio);
  out["ratio_ci"] = c.ratio_ci ? json::array({c.ratio_ci->first, c.ratio_ci->second}) : json(nullptr);
  out["p"] = number_or_null(c.p);
  out["between_runs"] = number_or_null(c.between_runs);
  out["verdict"] = to_string(c.what);
  out["as_runs_differ"] = c.as_runs_differ;
  out["disturbed"] = c.disturbed;
  out["beyond_limit"] = limit ? json(c.worse_than(*limit)) : json(nullptr);
  return out;
}

json not_compared_json(const not_compared& pair, sample of) {
  json out = name_json(*pair.a);
  out["at_b"] = name_json(*pair.b).at("at");
  out["a"] = side_json(*pair.a, of);
  out["b"] = side_json(*pair.b, of);
  out["why"] = pair.why;
  return out;
}

}  // namespace

json to_json(const comparison& c, const file_names& names, const std::optional<double>& limit) {
  json out;
  out["schema"] = "synchroscope-comparison/1";
  out["a"] = names.a;
  out["b"] = names.b;
  out["sample"] = c.of == sample::runs ? "runs" : "repetitions";
  out["limit"] = number_or_null(limit);
  out["warnings"] = c.warnings;
  out["confidence"] = number_or_null(c.confidence);
  out["cells"] = json::array();
  for (const compared& cell : c.cells) out["cells"].push_back(compared_json(cell, c.of, limit));
  out["not_comparable"] = json::array();
  for (const not_compared& pair : c.not_comparable) out["not_comparable"].push_back(not_compared_json(pair, c.of));
  out["only_a"] = names_json(c.only_a);
  out["only_b"] = names_json(c.only_b);
  out["without_value_a"] = names_json(c.without_value_a);
  out["without_value_b"] = names_json(c.without_value_b);
  out["without_value"] = names_json(c.without_value_both);
  return out;
}

}  // namespace synchro::results
