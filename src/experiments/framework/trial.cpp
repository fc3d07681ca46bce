#include "experiments/framework/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

#include "results/json_fields.hpp"

namespace synchro::experiments {

namespace {

using json = nlohmann::ordered_json;

json json_of(const coordinates& at) {
  json j = json::object();
  for (const auto& [axis, value] : at.entries()) std::visit([&, &name = axis](const auto& v) { j[name] = v; }, value);
  return j;
}

coordinates coordinates_from(const json& j) {
  coordinates at;
  for (const auto& [axis, value] : j.items()) {
    if (value.is_string())
      at.set(axis, value.get<std::string>());
    else
      at.set(axis, results::field{value, axis}.integer());
  }
  return at;
}

template <class T>
json json_of(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <class T>
std::optional<T> optional_from(const json& j, const char* name) {
  const auto found = j.find(name);
  if (found == j.end() || found->is_null()) return std::nullopt;
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return results::field{*found, name}.count();
  else
    return found->get<T>();
}

json json_of(const std::vector<observation>& observations) {
  json list = json::array();
  for (const observation& o : observations) {
    json one{{"metric", o.metric}, {"value", o.value}};
    if (!o.quantiles.empty()) one["quantiles"] = o.quantiles;
    if (o.clock_limited) one["clock_limited"] = true;
    if (!o.within.entries().empty()) one["within"] = json_of(o.within);
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<observation> observations_from(const json& list) {
  std::vector<observation> observations;
  for (const json& one : list)
    observations.push_back({results::metric_of_today(one.at("metric").get<std::string>()),
                            one.at("value").get<double>(), one.value("quantiles", std::map<std::string, double>{}),
                            one.value("clock_limited", false), coordinates_from(one.value("within", json::object()))});
  return observations;
}

repetition repetition_from(const json& j) {
  repetition r;
  r.observations = observations_from(j.at("observations"));
  r.broken = optional_from<std::string>(j, "broken");
  r.bounded = optional_from<std::string>(j, "bounded");
  r.clock_limited = j.value("clock_limited", false);
  r.involuntary_switches = optional_from<std::uint64_t>(j, "involuntary_switches").value_or(0);
  r.run_delay_ns = optional_from<std::uint64_t>(j, "run_delay_ns").value_or(0);
  r.migrations = optional_from<std::uint64_t>(j, "migrations").value_or(0);
  r.warnings = j.value("warnings", std::vector<std::string>{});
  for (const auto& [metric, why] : j.value("untold", std::map<std::string, std::string>{}))
    r.unavailable[results::metric_of_today(metric)] = why;
  r.conditions = j.value("conditions", std::map<std::string, double>{});
  r.void_because = optional_from<std::string>(j, "void");
  return r;
}

}  // namespace

std::string key_of(const std::string& experiment, const coordinates& at) { return experiment + ' ' + at.to_string(); }

json entry_of(const planned_cell& cell, const trial& t) {
  const repetition& r = t.result;
  json j{{"experiment", cell.what->name}, {"at", json_of(cell.at)}, {"repetition", t.index}};
  j["observations"] = json_of(r.observations);
  if (r.broken) j["broken"] = *r.broken;
  if (r.bounded) j["bounded"] = *r.bounded;
  if (r.clock_limited) j["clock_limited"] = true;
  j["involuntary_switches"] = r.involuntary_switches;
  j["run_delay_ns"] = r.run_delay_ns;
  j["migrations"] = r.migrations;
  if (!r.warnings.empty()) j["warnings"] = r.warnings;
  if (!r.unavailable.empty()) j["untold"] = r.unavailable;
  if (!r.conditions.empty()) j["conditions"] = r.conditions;
  if (r.void_because) j["void"] = *r.void_because;
  j["before"] = json_of(t.before);
  j["after"] = json_of(t.after);
  j["seconds"] = t.seconds;
  j["steal_ns"] = json_of(t.steal_ns);
  j["core_hz"] = json_of(t.core_hz);
  j["joules"] = json_of(t.joules);
  return j;
}

std::optional<journaled> journaled_from(const json& entry) {
  try {
    trial t;
    const std::uint64_t index = results::field{entry.at("repetition"), "repetition"}.count();
    if (!std::in_range<unsigned>(index)) return std::nullopt;
    t.index = static_cast<unsigned>(index);
    t.result = repetition_from(entry);
    t.before = optional_from<double>(entry, "before");
    t.after = optional_from<double>(entry, "after");
    t.seconds = entry.value("seconds", 0.0);
    t.steal_ns = optional_from<std::uint64_t>(entry, "steal_ns");
    t.core_hz = optional_from<double>(entry, "core_hz");
    t.joules = optional_from<double>(entry, "joules");
    return journaled{key_of(entry.at("experiment").get<std::string>(), coordinates_from(entry.at("at"))), std::move(t)};
  } catch (const json::exception&) {
    return std::nullopt;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

std::string ended_early(std::size_t made, std::size_t planned, const std::string& why) {
  return fmt::format("ended after {} of {} repetitions: {}", made, planned, why);
}

std::optional<std::string> without_ended_early(const std::string& remark) {
  const std::size_t at = remark.find("ended after ");
  const bool ended = at != std::string::npos && remark.find(" repetitions: ", at) != std::string::npos;
  if (ended && at == 0) return std::nullopt;
  const std::string between = "; ";
  if (ended && at >= between.size() && remark.compare(at - between.size(), between.size(), between) == 0)
    return remark.substr(0, at - between.size());
  return remark;
}

namespace {

/// The repetitions of one planned cell, gathered from its metrics and modes.
struct gathered {
  coordinates at;
  std::map<std::size_t, json> entries;
  std::map<std::string, std::string> unavailable;
  std::optional<std::string> broken;
};

/// The coordinates of a result: those of the planned cell, and those of a place within it.
struct split_coordinates {
  coordinates cell, within;
};

split_coordinates split(const results::cell& c) {
  const auto names = c.noise.find("within");
  const auto is_within = [&](const std::string& name) {
    return names != c.noise.end() && std::find(names->begin(), names->end(), json(name)) != names->end();
  };
  split_coordinates parts;
  for (const auto& [name, value] : c.at.entries())
    if (name != "mode") (is_within(name) ? parts.within : parts.cell).set(name, value);
  return parts;
}

/// Element i of a list that stands in the noise evidence beside the samples; null if there is none.
json beside(const results::cell& c, const char* list, std::size_t i) {
  const auto found = c.noise.find(list);
  return found != c.noise.end() && found->is_array() && i < found->size() ? (*found)[i] : json(nullptr);
}

/// What no other metric of the cell has brought in yet: the evidence around a repetition.
void set_evidence(json& entry, const results::cell& c, std::size_t i) {
  const json probes = beside(c, "probes_ns", i);
  if (probes.is_array() && probes.size() == 2) entry["before"] = probes[0], entry["after"] = probes[1];
  if (const json seconds = beside(c, "seconds", i); seconds.is_number()) entry["seconds"] = seconds;
  if (const json mhz = beside(c, "core_mhz", i); mhz.is_number()) entry["core_hz"] = mhz.get<double>() * 1e6;
  entry["joules"] = beside(c, "joules", i);
  if (const auto remark = c.reason ? without_ended_early(*c.reason) : std::nullopt) entry["bounded"] = *remark;
  if (!c.conditions.empty()) entry["conditions"] = c.conditions;
  // Of these the cell has the sums: its first repetition brings them along.
  for (const char* sum : {"involuntary_switches", "run_delay_ns", "migrations", "steal_ns"})
    if (const auto found = c.noise.find(sum); found != c.noise.end() && found->is_number())
      entry[sum] = i == 0 ? *found : json(0);
}

void gather(gathered& g, const results::cell& c, const coordinates& within) {
  for (std::size_t i = 0; i < c.samples.size(); ++i) {
    const json number = beside(c, "repetition", i);
    const std::size_t index = number.is_number_unsigned() ? number.get<std::size_t>() : i;
    const auto [place, is_new] = g.entries.try_emplace(index, json::object());
    json& entry = place->second;
    if (is_new) {
      entry["observations"] = json::array();
      set_evidence(entry, c, i);
    }
    json seen{{"metric", c.metric}, {"value", c.samples[i]}};
    if (!c.quantiles.empty()) seen["quantiles"] = c.quantiles;
    if (c.quality == results::flag::clock_limited) seen["clock_limited"] = true;
    if (!within.entries().empty()) seen["within"] = json_of(within);
    entry["observations"].push_back(std::move(seen));
  }
  if (!c.valid) g.broken = c.reason.value_or("a self-check failed");
  if (c.samples.empty() && c.valid && c.reason) g.unavailable[c.metric] = *c.reason;
}

}  // namespace

std::vector<json> entries_of(const results::document& d) {
  std::vector<std::string> order;
  std::map<std::string, std::pair<std::string, gathered>> cells;
  for (const results::cell& c : d.cells) {
    const auto [at, within] = split(c);
    const std::string key = key_of(c.experiment, at);
    const auto [place, is_new] = cells.try_emplace(key, c.experiment, gathered{at, {}, {}, {}});
    if (is_new) order.push_back(key);
    gather(place->second.second, c, within);
  }
  std::vector<json> entries;
  for (const std::string& key : order) {
    auto& [experiment, g] = cells.at(key);
    if (g.broken) g.entries = {{0, json{{"observations", json::array()}, {"broken", *g.broken}}}};
    for (auto& [index, entry] : g.entries) {
      json full{{"experiment", experiment}, {"at", json_of(g.at)}, {"repetition", index}};
      full.update(entry);
      if (!g.unavailable.empty()) full["untold"] = g.unavailable;
      entries.push_back(std::move(full));
    }
  }
  return entries;
}

}  // namespace synchro::experiments
