#include "cli/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <stdexcept>

#include "experiments/framework/axes.hpp"
#include "terminal/failure.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

using experiments::add_new;
using experiments::coordinate;
using experiments::experiment;
using experiments::find_axis;
using experiments::known_values;
using experiments::level;
using experiments::setting;
using json = nlohmann::ordered_json;

[[noreturn]] void fail_without_axis(const std::string& axis, const std::vector<const experiment*>& which) {
  std::vector<std::string> owners;
  for (const experiment& e : experiments::all_experiments())
    if (find_axis(e, axis) != nullptr) owners.push_back(e.name);
  fail_usage(fmt::format("{} axis '{}'; {} {}",
                         which.size() == 1 ? which[0]->name + " has no" : "none of these experiments has an", axis,
                         enumerate(owners), owners.size() == 1 ? "has" : "have"));
}

/// Words and patterns; what is no name of a value stays as it is, for the experiments to refuse.
std::vector<coordinate> read_words(const std::string& text, const std::vector<coordinate>& known) {
  std::vector<std::string> names;
  for (const coordinate& k : known) names.push_back(results::to_string(k));
  std::vector<coordinate> values;
  for (const std::string& word : split(text)) {
    const auto meant = matching(word, names);
    if (meant.empty()) values.emplace_back(word);
    for (const std::string& name : meant)
      add_new(values, known[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())]);
  }
  return values;
}

/// An axis all of whose own values are numbers takes sweeps of numbers, others take words.
std::vector<coordinate> read_axis(const std::string& axis, const std::string& text,
                                  const std::vector<const experiment*>& which, const setting& s) {
  std::vector<coordinate> known;
  for (const experiment* e : which)
    if (const auto* a = find_axis(*e, axis))
      for (const coordinate& v : known_values(*a, s)) add_new(known, v);
  const bool numbers = std::all_of(known.begin(), known.end(),
                                   [](const coordinate& v) { return std::holds_alternative<std::int64_t>(v); });
  if (known.empty()) fail_without_axis(axis, which);
  if (!numbers) return read_words(text, known);
  const auto sweep = parse_sweep(text, "--" + axis);
  return {sweep.begin(), sweep.end()};
}

/// Headers among the names of locks are loaded, and the names of what they define stand in their place.
std::string with_own_locks(const std::string& locks, own_lock_use use) {
  std::vector<std::string> names;
  for (const std::string& word : split(locks))
    if (names_header(word))
      for (const std::string& name : load_own_lock(word, use)) names.push_back(name);
    else
      names.push_back(word);
  return fmt::format("{}", fmt::join(names, ","));
}

/// A number, or the decimal text that one beyond 2^53 is written as.
std::uint64_t seed_from(const json& seed) {
  if (seed.is_number_unsigned()) return seed.get<std::uint64_t>();
  const std::string text = seed.is_string() ? seed.get<std::string>() : "";
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty())
    throw std::runtime_error("its seed is not a number");
  return value;
}

std::string joined(const json& list) {
  std::string text;
  for (const json& v : list) text += (text.empty() ? "" : ",") + (v.is_string() ? v.get<std::string>() : v.dump());
  return text;
}

platform::topology restricted(const platform::topology& machine, const std::string& cpus) {
  try {
    return machine.restricted_to(platform::parse_cpus(cpus, machine));
  } catch (const std::invalid_argument& e) {
    fail_usage(e.what());
  }
}

}  // namespace

std::string to_string(level l) {
  switch (l) {
    case level::quick:
      return "quick";
    case level::full:
      return "full";
    case level::standard:
      break;
  }
  return "standard";
}

level level_from(const std::string& name) {
  for (const level l : levels)
    if (to_string(l) == name) return l;
  throw std::runtime_error("there is no level '" + name + "'");
}

std::vector<std::string> experiment_names(const std::vector<experiment>& all) {
  std::vector<std::string> names;
  for (const experiment& e : all) names.push_back(e.name);
  return names;
}

std::vector<const experiment*> select(const std::vector<std::string>& patterns, const std::vector<experiment>& all) {
  const auto names = experiment_names(all);
  std::vector<std::string> meant;
  for (const std::string& pattern : patterns) {
    const auto some = matching(pattern, names);
    if (some.empty()) fail_usage(no_such("experiment", pattern, names));
    meant.insert(meant.end(), some.begin(), some.end());
  }
  std::vector<const experiment*> which;
  for (const experiment& e : all)
    if (patterns.empty() || std::find(meant.begin(), meant.end(), e.name) != meant.end()) which.push_back(&e);
  return which;
}

std::vector<std::pair<std::string, std::string>> all_axes() {
  std::vector<std::pair<std::string, std::string>> axes;
  for (const experiment& e : experiments::all_experiments())
    for (const auto& a : e.axes)
      if (std::none_of(axes.begin(), axes.end(), [&](const auto& seen) { return seen.first == a.name; }))
        axes.emplace_back(a.name, a.line);
  return axes;
}

resolved_request resolve(const request& r, const platform::topology& machine, const std::vector<experiment>& all) {
  resolved_request out;
  out.tour = r.tour;
  out.which = select(r.experiments, all);
  out.setting.machine = r.cpus ? restricted(machine, *r.cpus) : machine;
  out.setting.thoroughness = r.thoroughness.value_or(level::standard);
  // Seeds stay below 2^53, where every reader of JSON agrees on a number.
  out.setting.seed = r.seed ? *r.seed : std::random_device{}();
  std::map<std::string, std::vector<coordinate>> chosen;
  for (const auto& [axis, text] : r.axes)
    chosen[axis] = read_axis(axis, axis == "lock" ? with_own_locks(text, r.use) : text, out.which, out.setting);
  out.setting.chosen = std::move(chosen);
  return out;
}

json to_json(const resolved_request& r) {
  json out;
  out["tour"] = r.tour;
  out["experiments"] = json::array();
  for (const experiment* e : r.which) out["experiments"].push_back(e->name);
  out["level"] = to_string(r.setting.thoroughness);
  out["cpus"] = json::array();
  for (const auto& p : r.setting.machine.processors) out["cpus"].push_back(p.cpu);
  out["axes"] = json::object();
  for (const auto& [axis, values] : r.setting.chosen) {
    out["axes"][axis] = json::array();
    for (const coordinate& v : values)
      std::visit([&, &list = out["axes"][axis]](const auto& x) { list.push_back(x); }, v);
  }
  out["seed"] = r.setting.seed;
  return out;
}

request request_from_json(const json& j) {
  try {
    request r;
    r.tour = j.at("tour").get<bool>();
    r.experiments = j.at("experiments").get<std::vector<std::string>>();
    r.thoroughness = level_from(j.at("level").get<std::string>());
    r.cpus = joined(j.at("cpus"));
    for (const auto& [axis, values] : j.at("axes").items()) r.axes[axis] = joined(values);
    r.seed = seed_from(j.at("seed"));
    return r;
  } catch (const json::exception&) {
    throw std::runtime_error("it does not say what was to be measured");
  }
}

request overlay(request now, const request& then) {
  if (now.experiments.empty()) {
    now.tour = then.tour;
    now.experiments = then.experiments;
  }
  if (!now.thoroughness) now.thoroughness = then.thoroughness;
  if (!now.cpus) now.cpus = then.cpus;
  for (const auto& [axis, text] : then.axes) now.axes.emplace(axis, text);
  if (!now.seed) now.seed = then.seed;
  return now;
}

}  // namespace synchro::cli
