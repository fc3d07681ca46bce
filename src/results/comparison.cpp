#include "results/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "results/comparable.hpp"
#include "results/json_fields.hpp"
#include "results/origin.hpp"
#include "results/text.hpp"
#include "statistics/statistics.hpp"

namespace synchro::results {

namespace {

/// The same measurement, however its coordinates are ordered and in whichever mode it was made.
std::string identity(const cell& c) {
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

/// The cells of each place, one for each mode.
using places = std::map<std::string, std::vector<const cell*>>;

places places_of(const document& d) {
  places all;
  for (const cell& c : d.cells) all[identity(c)].push_back(&c);
  return all;
}

/// Whether the samples are those that the value was made from; files may be edited by hand.
bool samples_tell(const cell& c) {
  if (c.samples.empty() || !std::all_of(c.samples.begin(), c.samples.end(), [](double v) { return std::isfinite(v); }))
    return false;
  return std::abs(median(c.samples) - *c.value) <= 1e-9 * std::abs(*c.value);
}

/// What is known of a cell: its values, or their logarithms, whose differences are ratios.
struct known {
  std::vector<double> values;
  double middle, error;  ///< Of the interval, where there are no values.
};

std::optional<known> known_of(const cell& c, double (*seen_as)(double), bool by_values) {
  if (by_values) {
    known k{c.samples, 0, 0};
    std::transform(k.values.begin(), k.values.end(), k.values.begin(), seen_as);
    return k;
  }
  if (!c.ci) return std::nullopt;
  constexpr double errors_in_95_percent = 1.96;
  const double half = (seen_as(c.ci->second) - seen_as(c.ci->first)) / 2;
  return known{{}, seen_as(*c.value), half / errors_in_95_percent};
}

bool positive(const cell& c) {
  return *c.value > 0 && std::all_of(c.samples.begin(), c.samples.end(), [](double v) { return v > 0; }) &&
         (!c.ci || c.ci->first > 0);
}

/// By how much b is above a: as the logarithm of their ratio, or where there is none as their difference.
std::optional<shift> shift_of(const cell& a, const cell& b, bool as_ratio) {
  if (a.n < fewest_for_an_interval || b.n < fewest_for_an_interval) return std::nullopt;
  const auto seen_as = as_ratio ? +[](double v) { return std::log(v); } : +[](double v) { return v; };
  const bool by_values = samples_tell(a) && samples_tell(b);
  const auto x = known_of(a, seen_as, by_values);
  const auto y = known_of(b, seen_as, by_values);
  if (!x || !y) return std::nullopt;
  if (by_values) return shift_between(x->values, y->values);
  return shift{seen_as(*b.value) - seen_as(*a.value), std::hypot(x->error, y->error),
               static_cast<double>(std::min(a.n, b.n) - 1)};
}

/// How much more one has to pay: by b's time over a's, or a's rate over b's.
double worse_by(double a, double b, better direction) {
  if (a == b) return 0;
  const double cheap = direction == better::higher ? b : a;
  const double dear = direction == better::higher ? a : b;
  if (cheap == 0) return dear > 0 ? std::numeric_limits<double>::infinity() : -1;
  return (dear - cheap) / std::abs(cheap);
}

verdict judged(const std::pair<double, double>& interval, better direction) {
  const bool rises = interval.first > 0;
  const bool falls = interval.second < 0;
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
  if (*a.value > 0 && *b.value > 0) c.ratio = *b.value / *a.value;
  return c;
}

/// Of a shift that is estimated from fewer cells nobody knows what is usual between two runs.
constexpr std::size_t enough_to_tell_what_is_usual = 8;
constexpr double level =
    0.02;  // the tails of the test are not exact for six or seven repetitions: in all it stays below 5 %

/// The tests of all cells, with what two runs differ by in any case.
class tests {
 public:
  explicit tests(const std::vector<compared>& cells) {
    std::vector<shift> ratios;
    for (const compared& c : cells) {
      const bool as_ratio = positive(*c.a) && positive(*c.b);
      found_.push_back({shift_of(*c.a, *c.b, as_ratio), as_ratio});
      if (found_.back().by && as_ratio) ratios.push_back(*found_.back().by);
    }
    // What runs differ by shows in the quiet cells; in the others it is hidden by their noise.
    std::sort(ratios.begin(), ratios.end(), [](const shift& a, const shift& b) { return a.error < b.error; });
    ratios.resize(std::min(ratios.size(), std::max(enough_to_tell_what_is_usual, ratios.size() / 2)));
    if (ratios.size() >= enough_to_tell_what_is_usual) between_runs_ = excess_scatter(ratios);
    constexpr double efficiency = 0.37;  // of a scatter that is found by a median
    const double freedom = std::max(1.0, efficiency * static_cast<double>(ratios.size()));
    for (one& t : found_)
      if (t.by && t.as_ratio && between_runs_ > 0) t.by = t.by->with(between_runs_, freedom);
    std::vector<double> p_values;
    for (const one& t : found_)
      if (t.by) p_values.push_back(t.by->p_value());
    confidence_ = 1 - false_discovery_limit(std::move(p_values), level);
  }

  [[nodiscard]] double confidence() const { return confidence_; }
  [[nodiscard]] double between_runs() const { return between_runs_; }

  void judge(std::vector<compared>& cells) const {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& [by, as_ratio] = found_[i];
      if (!by) continue;
      compared& c = cells[i];
      c.p = by->p_value();
      std::pair<double, double> interval = by->interval(confidence_);
      // The table shows medians; where the interval around the trimmed means does not hold their ratio, it is widened.
      const double shown = as_ratio ? std::log(*c.b->value / *c.a->value) : *c.b->value - *c.a->value;
      interval = {std::min(interval.first, shown), std::max(interval.second, shown)};
      if (as_ratio) c.ratio_ci = {std::exp(interval.first), std::exp(interval.second)};
      c.what = judged(interval, c.a->direction);
    }
  }

 private:
  struct one {
    std::optional<shift> by;
    bool as_ratio;
  };
  std::vector<one> found_;
  double between_runs_ = 0;
  double confidence_ = 1 - level;
};

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
                 {"kind", "model_name", "vendor", "family", "model", "stepping", "microcode", "arch", "virtualization"},
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
  std::set<std::pair<std::string, std::string>> seen;
  for (const cell& c : d.cells)
    if (!seen.emplace(identity(c), mode_of(c)).second) {
      warnings.push_back(fmt::format("{} holds the same cell more than once; the first counts.", which));
      return;
    }
}

/// Of those that may be compared with the cell, the one that was measured nearest to it.
const cell* counterpart(const cell& c, const std::vector<const cell*>& others) {
  const auto off = [&](const cell* o) {
    return c.probe_ns && o->probe_ns ? std::abs(std::log(*o->probe_ns / *c.probe_ns)) : 0;
  };
  const cell* best = nullptr;
  for (const cell* const o : others)
    if (!why_not_comparable(c, *o) && (best == nullptr || off(o) < off(best))) best = o;
  return best;
}

const std::string nearer_one = "the other's probes are nearer to those of another mode";

/// The cells of one place in both files.
void sort_in(comparison& out, std::vector<const cell*> in_a, std::vector<const cell*> in_b) {
  const cell* const any_a = in_a.front();
  const cell* const any_b = in_b.front();
  const auto untold = [](const cell* c) { return !c->value; };
  std::erase_if(in_a, untold);
  std::erase_if(in_b, untold);
  if (in_a.empty() && in_b.empty()) return out.untold_both.push_back(any_a);
  if (in_a.empty()) return out.untold_a.push_back(any_a);
  if (in_b.empty()) return out.untold_b.push_back(any_b);
  for (const cell* const a : in_a) {
    const cell* const b = counterpart(*a, in_b);
    if (b == nullptr)
      out.not_comparable.push_back({a, in_b.front(), *why_not_comparable(*a, *in_b.front())});
    else if (counterpart(*b, in_a) == a)
      out.cells.push_back(pair_of(*a, *b));
    else
      out.not_comparable.push_back({a, b, nearer_one});
  }
  const auto named = [&](const cell* b) {
    return std::any_of(out.not_comparable.begin(), out.not_comparable.end(),
                       [b](const not_compared& pair) { return pair.b == b; });
  };
  for (const cell* const b : in_b) {
    const cell* const a = counterpart(*b, in_a);
    if (a == nullptr && !named(b))
      out.not_comparable.push_back({in_a.front(), b, *why_not_comparable(*in_a.front(), *b)});
    else if (a != nullptr && counterpart(*a, in_b) != b && !named(b))
      out.not_comparable.push_back({a, b, nearer_one});
  }
}

void add_incomparable(comparison& c) {
  if (c.not_comparable.empty()) return;
  const std::size_t n = c.not_comparable.size();
  c.warnings.push_back(fmt::format("{} not compared, for the circumstances were others: {}{}.",
                                   n == 1 ? "1 measurement is" : fmt::format("{} measurements are", n),
                                   n == 1 ? "" : "for example ", c.not_comparable.front().why));
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
  const places in_a = places_of(a);
  const places in_b = places_of(b);
  for (const cell& c : a.cells) {
    const std::string key = identity(c);
    if (in_a.at(key).front() != &c) continue;
    const auto found = in_b.find(key);
    if (found == in_b.end())
      out.only_a.push_back(&c);
    else
      sort_in(out, in_a.at(key), found->second);
  }
  for (const cell& c : b.cells) {
    const std::string key = identity(c);
    if (in_b.at(key).front() == &c && !in_a.contains(key)) out.only_b.push_back(&c);
  }
  const tests all{out.cells};
  all.judge(out.cells);
  out.confidence = all.confidence();
  out.between_runs = all.between_runs();
  add_incomparable(out);
  add_disturbance(out);
  return out;
}

std::string name_of(const cell& c) { return joined(c.experiment + " " + c.metric, " ", c.at.to_string()); }

namespace {

json side_json(const cell& c) {
  const json whole = to_json(c);
  json out;
  for (const char* field : {"value", "ci", "n", "flag", "reason", "probe_ns", "conditions"})
    out[field] = whole.at(field);
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
  out["p"] = number_or_null(c.p);
  out["verdict"] = to_string(c.what);
  out["disturbed"] = c.disturbed;
  out["beyond_limit"] = limit ? json(c.worse_than(*limit)) : json(nullptr);
  return out;
}

json not_compared_json(const not_compared& pair) {
  json out = name_json(*pair.a);
  out["at_b"] = name_json(*pair.b).at("at");
  out["a"] = side_json(*pair.a);
  out["b"] = side_json(*pair.b);
  out["why"] = pair.why;
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
  out["confidence"] = number_or_null(c.confidence);
  out["between_runs"] = number_or_null(c.between_runs);
  out["cells"] = json::array();
  for (const compared& cell : c.cells) out["cells"].push_back(compared_json(cell, limit));
  out["not_comparable"] = json::array();
  for (const not_compared& pair : c.not_comparable) out["not_comparable"].push_back(not_compared_json(pair));
  out["only_a"] = names_json(c.only_a);
  out["only_b"] = names_json(c.only_b);
  out["without_value_a"] = names_json(c.untold_a);
  out["without_value_b"] = names_json(c.untold_b);
  out["without_value"] = names_json(c.untold_both);
  return out;
}

}  // namespace synchro::results
