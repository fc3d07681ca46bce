#include "results/cell.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "results/coordinate_json.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "statistics/statistics.hpp"

namespace synchro::results {

namespace {

/// Words that could be taken for something else in "lock=mcs threads=2" stand in quotes.
bool needs_quotes(const std::string& word) {
  const bool like_a_number = word.find_first_not_of("0123456789", word.starts_with('-') ? 1 : 0) == std::string::npos;
  return like_a_number || word.find_first_of(" =\"\\") != std::string::npos;
}

std::string quoted(const std::string& word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

constexpr double noisy_half_width = 0.05;
constexpr double unreliable_half_width = 0.10;

flag quality_of(const std::optional<double>& half_width) {
  if (!half_width || *half_width >= unreliable_half_width) return flag::unreliable;
  return *half_width >= noisy_half_width ? flag::noisy : flag::ok;
}

}  // namespace

std::string to_string(const coordinate& c) {
  if (const auto* number = std::get_if<std::int64_t>(&c)) return std::to_string(*number);
  return std::get<std::string>(c);
}

void coordinates::set(const std::string& axis, coordinate value) {
  const auto same = [&](const auto& entry) { return entry.first == axis; };
  const auto found = std::find_if(entries_.begin(), entries_.end(), same);
  if (found == entries_.end())
    entries_.emplace_back(axis, std::move(value));
  else
    found->second = std::move(value);
}

const coordinate* coordinates::find(const std::string& axis) const {
  for (const auto& [name, value] : entries_)
    if (name == axis) return &value;
  return nullptr;
}

namespace {

const coordinate& must_find(const coordinates& at, const std::string& axis) {
  if (const coordinate* found = at.find(axis)) return *found;
  throw std::out_of_range("no coordinate \"" + axis + "\"");
}

}  // namespace

std::int64_t coordinates::number(const std::string& axis) const {
  return std::get<std::int64_t>(must_find(*this, axis));
}

const std::string& coordinates::word(const std::string& axis) const {
  return std::get<std::string>(must_find(*this, axis));
}

std::string coordinates::to_string() const {
  std::string out;
  for (const auto& [axis, value] : entries_) {
    if (!out.empty()) out += ' ';
    const auto* word = std::get_if<std::string>(&value);
    out += axis + '=' + (word != nullptr && needs_quotes(*word) ? quoted(*word) : results::to_string(value));
  }
  return out;
}

std::string to_string(flag f) {
  switch (f) {
    case flag::ok:
      return "ok";
    case flag::noisy:
      return "noisy";
    case flag::unreliable:
      return "unreliable";
    case flag::clock_limited:
      return "clock_limited";
    case flag::emulated:
      return "emulated";
  }
  throw std::logic_error("no such flag");
}

std::string to_string(better b) {
  switch (b) {
    case better::higher:
      return "higher";
    case better::lower:
      return "lower";
    case better::neither:
      return "neither";
  }
  throw std::logic_error("no such direction");
}

bool has_interval(const cell& c) { return c.valid && c.value && c.ci && c.quality != flag::emulated; }

bool is_precise(const cell& c) { return has_interval(c) && (c.quality == flag::ok || c.quality == flag::noisy); }

std::optional<double> half_width(const cell& c) {
  if (!c.value || !c.ci) return std::nullopt;
  const double half = c.ci->second / 2 - c.ci->first / 2;
  return half == 0 ? 0 : half / std::abs(*c.value);
}

void summarize(cell& c, bool clock_limited, double confidence) {
  c.n = c.samples.size();
  c.value.reset();
  c.ci.reset();
  c.quality = flag::unreliable;
  const auto because = [&c](const char* why) {
    if (!c.reason) c.reason = why;
  };
  if (!c.valid) return because("a self-check failed");
  if (c.samples.empty()) return because("nothing was measured");
  if (!std::all_of(c.samples.begin(), c.samples.end(), [](double v) { return std::isfinite(v); }))
    return because("a repetition did not give a finite number");
  c.value = median(c.samples);
  c.ci = median_interval(c.samples, confidence);
  c.quality = clock_limited ? flag::clock_limited : quality_of(half_width(c));
}

void widen(cell& c, double times) {
  if (!c.ci) return;
  c.ci = {c.ci->first / times, c.ci->second * times};
  if (c.quality != flag::clock_limited && c.quality != flag::emulated) c.quality = quality_of(half_width(c));
}

namespace {

json number_or_null(double v) { return std::isfinite(v) ? json(v) : json(nullptr); }

json coordinates_json(const coordinates& at) {
  json out = json::object();
  for (const auto& [axis, value] : at.entries()) out[axis] = coordinate_json(value);
  return out;
}

/// Why a cell has no value, if it has none: never left out.
json reason_json(const cell& c, bool known) {
  if (c.reason) return *c.reason;
  if (known) return nullptr;
  if (!c.valid) return "a self-check failed";
  return c.value ? "the value is not finite" : "not measured";
}

}  // namespace

json coordinate_json(const coordinate& c) {
  const auto* number = std::get_if<std::int64_t>(&c);
  const bool exact = number != nullptr && *number >= -largest_exact_integer && *number <= largest_exact_integer;
  return exact ? json(*number) : json(to_string(c));
}

json to_json(const cell& c) {
  const bool known = c.valid && c.value && std::isfinite(*c.value);
  const bool bounded = known && c.ci && std::isfinite(c.ci->first) && std::isfinite(c.ci->second);
  json out;
  out["experiment"] = c.experiment;
  out["at"] = coordinates_json(c.at);
  out["metric"] = c.metric;
  out["unit"] = c.unit;
  out["better"] = to_string(c.direction);
  out["value"] = known ? json(*c.value) : json(nullptr);
  out["ci"] = bounded ? json::array({c.ci->first, c.ci->second}) : json(nullptr);
  out["n"] = c.n;
  out["flag"] = to_string(c.quality);
  out["reason"] = reason_json(c, known);
  out["samples"] = json::array();
  for (const double v : c.samples) out["samples"].push_back(number_or_null(v));
  out["quantiles"] = json::object();
  for (const auto& [name, v] : c.quantiles) out["quantiles"][name] = number_or_null(v);
  std::vector<std::string> not_finite;
  out["noise"] = c.noise.is_object() ? portable(c.noise, "noise", not_finite) : json::object();
  out["probe_ns"] = c.probe_ns ? number_or_null(*c.probe_ns) : json(nullptr);
  out["conditions"] = json::object();
  for (const auto& [name, v] : c.conditions) out["conditions"][name] = number_or_null(v);
  out["valid"] = c.valid;
  return out;
}

namespace {

template <class Enum>
Enum one_of(const field& f, std::initializer_list<Enum> all) {
  const std::string text = f.text();
  std::string names;
  for (const Enum e : all) {
    if (to_string(e) == text) return e;
    names = joined(names, ", ", to_string(e));
  }
  f.fail("must be one of " + names);
}

std::pair<double, double> interval_from(const field& f) {
  const std::vector<field> ends = f.items();
  if (ends.size() != 2) f.fail("must be null or two numbers, from and to");
  const std::pair<double, double> ci{ends[0].number(), ends[1].number()};
  if (ci.first > ci.second) f.fail("must not end before it begins");
  return ci;
}

coordinates coordinates_from(const field& f) {
  coordinates at;
  for (const auto& [axis, value] : f.object().items()) at.set(axis, coordinate_from(f[axis]));
  return at;
}

/// Files from before cells had a distance have the probes among the noise evidence.
std::optional<double> probe_in(const json& noise) {
  const auto probes = noise.find("probes_ns");
  if (probes == noise.end() || !probes->is_array()) return std::nullopt;
  std::vector<double> all;
  for (const json& around : *probes)
    if (around.is_array())
      for (const json& one : around)
        if (one.is_number()) all.push_back(one.get<double>());
  return all.empty() ? std::nullopt : std::optional{median(all)};
}

/// What was added to the format later, and may be missing.
void add_later_fields(cell& c, const field& f) {
  const json& all = f.object();
  if (all.contains("probe_ns")) {
    if (!f["probe_ns"].null()) c.probe_ns = f["probe_ns"].number();
    if (c.probe_ns && !(*c.probe_ns > 0)) c.probe_ns.reset();
  } else {
    c.probe_ns = probe_in(c.noise);
  }
  if (!all.contains("conditions")) return;
  const field conditions = f["conditions"];
  for (const auto& [name, v] : conditions.object().items())
    if (!v.is_null()) c.conditions[name] = conditions[name].number();
}

cell cell_from(const field& f) {
  cell c;
  c.experiment = f["experiment"].text();
  c.at = coordinates_from(f["at"]);
  c.metric = metric_of_today(f["metric"].text());
  c.unit = f["unit"].text();
  c.direction = one_of(f["better"], {better::higher, better::lower, better::neither});
  if (!f["value"].null()) c.value = f["value"].number();
  if (!f["ci"].null()) c.ci = interval_from(f["ci"]);
  c.n = f["n"].count();
  c.quality = one_of(f["flag"], {flag::ok, flag::noisy, flag::unreliable, flag::clock_limited, flag::emulated});
  if (!f["reason"].null()) c.reason = f["reason"].text();
  c.valid = f["valid"].truth();
  for (const field& v : f["samples"].items()) c.samples.push_back(v.null() ? std::nan("") : v.number());
  const field quantiles = f["quantiles"];
  for (const auto& [name, v] : quantiles.object().items())
    if (!v.is_null()) c.quantiles[name] = quantiles[name].number();
  c.noise = f["noise"].object();
  add_later_fields(c, f);
  if (!c.valid && c.value) throw std::runtime_error("the cell failed its self-check and yet has a value");
  if (!c.value && c.ci) throw std::runtime_error("the cell has an interval but no value");
  return c;
}

}  // namespace

std::string metric_of_today(const std::string& name) {
  if (name == "hand_over") return "handoff_time";
  if (name == "hand_off") return "handoff_share";
  return name;
}

coordinate coordinate_from(const field& f) {
  if (f.raw().is_string()) return f.text();
  if (!f.raw().is_number()) f.must_be("a whole number or text");
  return f.integer();
}

cell cell_from_json(const json& j) { return cell_from(field{j, ""}); }

}  // namespace synchro::results
