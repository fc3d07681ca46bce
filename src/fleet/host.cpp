#include "fleet/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>

#include "results/comparable.hpp"
#include "results/comparison.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"

namespace synchro::fleet {

namespace {

using json = nlohmann::ordered_json;
using results::document;

json fact_in(const json& section, const char* name) {
  if (!section.is_object()) return nullptr;
  const auto found = section.find(name);
  return found == section.end() ? json(nullptr) : *found;
}

std::string in_words(const json& j) {
  if (j.is_null()) return "unknown";
  return results::printable(j.is_string() ? j.get<std::string>() : results::dump(j), 200);
}

std::string text_in(const json& section, const char* name) {
  const json j = fact_in(section, name);
  return j.is_string() ? results::printable(j.get<std::string>(), 200) : "";
}

/// What may make one host differ from the next of its kind, and stays while it runs: what changes by itself (load,
/// temperature) is no cause that somebody could remove.
struct told {
  const char* name;  ///< In sentences.
  json document::*section;
  const char* field;
};
constexpr std::array<told, 22> all_facts{{{"microcode", &document::machine, "microcode"},
                                          {"stepping", &document::machine, "stepping"},
                                          {"firmware", &document::machine, "firmware"},
                                          {"virtualization", &document::machine, "virtualization"},
                                          {"container", &document::machine, "container"},
                                          {"system", &document::os, "name"},
                                          {"kernel", &document::os, "kernel"},
                                          {"kernel options", &document::os, "cmdline_subset"},
                                          {"mitigations", &document::os, "mitigations"},
                                          {"governor", &document::os, "governor"},
                                          {"energy preference", &document::os, "epp"},
                                          {"turbo", &document::os, "turbo"},
                                          {"idle driver", &document::os, "cpuidle_driver"},
                                          {"idle governor", &document::os, "cpuidle_governor"},
                                          {"huge pages", &document::os, "thp"},
                                          {"power source", &document::os, "power_source"},
                                          {"limits of its group", &document::os, "cgroup"},
                                          {"kernel's clock", &document::os, "clocksource"},
                                          {"clock", &document::clock, "source"},
                                          {"program", &document::tool, "version"},
                                          {"program's commit", &document::tool, "git"},
                                          {"program's compiler", &document::tool, "compiler"}}};

std::size_t processors_in(const json& topology) {
  const json cpus = fact_in(topology, "cpus");
  return cpus.is_array() ? cpus.size() : 0;
}

std::string name_without_ending(const std::string& file) {
  return results::printable(std::filesystem::path{file}.stem().string(), 200);
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Half of the interval, as a logarithm of its own.
double half_width_of(const results::cell& c) {
  const auto half = results::half_width(c);
  return half && *half > 0 && std::isfinite(*half) ? std::log(*half) : unknown;
}

bool can_be_compared(const results::cell& c) {
  return c.valid && c.value && *c.value > 0 && std::isfinite(*c.value) && c.quality != results::flag::clock_limited;
}

}  // namespace

std::uint32_t places::number_of(const results::cell& c) {
  std::multimap<double, std::uint32_t>& same = known_[results::place_of(c)];
  const double first = c.conditions.empty() ? 0 : c.conditions.begin()->second;
  const auto [least, most] = results::alike_within(first);
  std::optional<std::uint32_t> oldest;
  for (auto at = same.lower_bound(least); at != same.end() && at->first <= most; ++at)
    if (results::alike(all_[at->second].conditions, c.conditions))
      oldest = std::min(at->second, oldest.value_or(at->second));
  if (oldest) return *oldest;
  cell_key p{c.experiment, c.metric, c.unit, {}, c.direction, c.conditions};
  for (const auto& [axis, value] : c.at.entries())
    if (axis != "mode") p.at.set(axis, value);
  const auto number = static_cast<std::uint32_t>(all_.size());
  same.emplace(first, number);
  all_.push_back(std::move(p));
  return number;
}

std::vector<std::uint32_t> places::of(const std::vector<results::cell>& cells) {
  const std::scoped_lock hold{busy_};
  std::vector<std::uint32_t> numbers;
  numbers.reserve(cells.size());
  for (const results::cell& c : cells) numbers.push_back(number_of(c));
  return numbers;
}

answer answer_of(const document& d, const std::string& file, places& known) {
  const std::string kind = text_in(d.machine, "kind");
  if (!kind.empty() && kind != "hardware")
    throw std::runtime_error(fmt::format("holds no host's measurements: its machine is {}", kind));
  if (const auto why = results::why_no_evidence(d)) throw std::runtime_error(*why);
  answer a;
  a.file = file;
  a.id = d.id;
  const std::string name = text_in(d.os, "hostname");
  a.host = name.empty() ? name_without_ending(file) : name;
  a.started = text_in(d.invocation, "started");
  if (const json seconds = fact_in(d.invocation, "wall_s"); seconds.is_number()) a.took = seconds.get<double>();
  const std::string model = text_in(d.machine, "model_name");
  a.model = model.empty() ? "unknown processor" : model;
  a.processors = processors_in(d.topology);
  if (const json bytes = fact_in(d.machine, "memory_bytes"); bytes.is_number()) a.memory = bytes.get<double>();
  a.complete = d.complete;
  for (const told& t : all_facts) a.facts.emplace_back(t.name, in_words(fact_in(d.*t.section, t.field)));
  const std::vector<std::uint32_t> numbers = known.of(d.cells);
  for (std::size_t i = 0; i < d.cells.size(); ++i)
    if (const results::cell& c = d.cells[i]; can_be_compared(c))
      a.cells.push_back({numbers[i], std::log(*c.value), half_width_of(c), c.probe_ns.value_or(unknown)});
  if (a.cells.empty()) throw std::runtime_error("holds no value that could be compared");
  return a;
}

}  // namespace synchro::fleet
