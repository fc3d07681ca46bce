#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "cli/commands.hpp"
#include "cli/company.hpp"
#include "cli/session.hpp"
#include "measure/mode.hpp"
#include "platform/clock.hpp"
#include "platform/facts.hpp"
#include "platform/placement.hpp"
#include "platform/scheduling.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "statistics/statistics.hpp"
#include "terminal/console.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;
using platform::topology;

/// One thing looked at: what was found, and what would help if it is not well. What this machine cannot do is no fault.
struct finding {
  std::string id;
  std::string found;
  std::optional<std::string> advice;
  bool possible = true;
};

std::vector<unsigned> cpus_of(const topology& t) {
  std::vector<unsigned> cpus;
  for (const auto& p : t.processors) cpus.push_back(p.cpu);
  return cpus;
}

finding check_pinning(const topology& t) {
  const auto cpus = cpus_of(t);
  std::size_t refused = 0;
  for (const unsigned cpu : cpus)
    if (!platform::pin_this_thread(cpu)) ++refused;
  platform::unpin_this_thread(cpus);
  if (refused == 0)
    return {"pinning", fmt::format("threads can be pinned to all of {}", counted(cpus.size(), "processor")), {}};
  return {"pinning", fmt::format("threads cannot be pinned to {}", counted(refused, "processor")),
          "distances between processors will not mean anything: look for a cgroup or sandbox that forbids pinning"};
}

finding check_priority() {
  const auto outcome = platform::highest_priority_allowed();
  return {"priority", fmt::format("the highest priority granted is {}", outcome.granted), outcome.warning};
}

finding check_energy() {
  const platform::energy_meter meter;
  if (meter.available()) return {"energy", "energy per operation can be read", {}};
  return {"energy", fmt::format("energy cannot be read: {}", meter.why_not()), {}, false};
}

/// Is the core clock steady? Compared over half a second.
finding check_speed() {
  std::vector<double> hz;
  for (int i = 0; i < 50; ++i) hz.push_back(platform::core_hz());
  const auto [low, high] = std::minmax_element(hz.begin(), hz.end());
  const double median = results::median(hz);
  const double spread = (*high - *low) / median;
  finding f{"speed", fmt::format("the core clock is {:.2f} GHz, within {:.0f} %", median / 1e9, spread * 100), {}};
  if (spread > 0.1)
    f.advice =
        "the core's speed varies: other programs share it, or its frequency is being changed; close other "
        "programs, and see cpupower frequency-set --governor performance";
  return f;
}

/// What the cores did at once, as shares of what each did in its best twentieth; all are looked at in turn for a second.
std::vector<double> looks_at_cores(const topology& t) {
  const auto cpus = cpus_of(t);
  std::vector<std::vector<double>> looks(cpus.size());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{1};
  do
    for (std::size_t i = 0; i != cpus.size(); ++i)
      if (platform::pin_this_thread(cpus[i])) looks[i].push_back(platform::additions_at_once());
  while (std::chrono::steady_clock::now() < end);
  platform::unpin_this_thread(cpus);
  std::vector<double> shares;
  for (const std::vector<double>& of_one : looks) {
    const double best = results::quantile(of_one, 0.95).value_or(0);
    for (const double n : of_one) shares.push_back(n / best);
  }
  return shares;
}

/// Does something else use the cores?
finding check_cores(const topology& t) {
  const std::vector<double> shares = looks_at_cores(t);
  if (shares.empty()) return {"cores", "who else uses the cores cannot be seen: no thread can be pinned", {}, false};
  const auto less = std::count_if(shares.begin(), shares.end(), [](double share) { return share < 0.9; });
  const double often = static_cast<double>(less) / static_cast<double>(shares.size());
  if (often < 0.05) return {"cores", "the cores do as many additions at once all the time", {}};
  const double least = *std::min_element(shares.begin(), shares.end());
  return {
      "cores",
      fmt::format("in {:.0f} % of the looks a core did fewer additions at once than at its best, down to {:.0f} %",
                  often * 100, least * 100),
      "something uses the other hardware threads of these cores, here or in another virtual machine: what one thread "
      "does takes longer meanwhile; measure at another time, and compare runs that were measured in turn"};
}

/// Does the distance between two processors stay the same? Probed for a second.
std::optional<finding> check_modes(const topology& t) {
  const auto distances = t.distances();
  if (distances.empty()) return std::nullopt;
  const auto pair = t.pair_at(distances.front());
  if (!pair) return std::nullopt;
  std::vector<double> probes;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{1};
  while (std::chrono::steady_clock::now() < end)
    if (const auto ns = measure::probe_pair(pair->first, pair->second)) probes.push_back(*ns);
  if (probes.empty())
    return finding{"distance",
                   fmt::format("processors {} and {} never ran at the same time", pair->first, pair->second),
                   "nothing that several threads do can be measured here: another program holds these processors"};
  const measure::mode_map map{probes};
  const auto& modes = map.modes();
  std::vector<std::string> texts;
  for (const auto& m : modes) texts.push_back(fmt::format("{:.0f} ns", m.probe_ns));
  finding f{"distance",
            fmt::format("a line goes from processor {} to {} in {}", pair->first, pair->second, enumerate(texts)),
            {}};
  if (modes.size() > 1)
    f.advice =
        "this is a virtual machine whose processors are moved between cores while it runs; results are reported "
        "for each distance apart";
  return f;
}

/// Which other programs have the processors?
std::optional<finding> check_company(const topology& t) {
  const auto others = company_now(t);
  if (!others) return std::nullopt;
  finding f{"company", company_text(*others, t.processors.size()), {}};
  if (platform::disturbs(*others, t.processors.size())) f.advice = "end them, or measure when they are done";
  return f;
}

/// "virtual machine: virtualization kvm"
std::string in_words(std::string id, const json& evidence) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : evidence.items())
    parts.push_back(name + " " + (value.is_string() ? value.get<std::string>() : value.dump()));
  std::string text = id + (parts.empty() ? "" : ": ") + enumerate(parts);
  std::replace(text.begin(), text.end(), '_', ' ');
  return results::printable(text, 200);
}

std::string one_finding(const finding& f, const views::style& style) {
  const std::string mark = f.advice      ? views::painted("look  ", views::tone::warn, style)
                           : !f.possible ? views::painted("no    ", views::tone::dim, style)
                                         : views::painted("ok    ", views::tone::heading, style);
  return mark + f.found + "\n" + (f.advice ? "      " + views::painted(*f.advice, views::tone::dim, style) + "\n" : "");
}

json to_json(const finding& f) {
  return {{"id", f.id}, {"ok", !f.advice}, {"found", f.found}, {"advice", f.advice ? json(*f.advice) : json(nullptr)}};
}

status check(bool as_json, bool strict) {
  const topology t = this_machine();
  const platform::clock_facts clock = platform::tick_clock::calibrate(cpus_of(t)).facts();
  std::vector<finding> findings{check_pinning(t), check_priority(), check_energy(), check_speed(), check_cores(t)};
  if (const auto others = check_company(t)) findings.push_back(*others);
  if (const auto modes = check_modes(t)) findings.push_back(*modes);
  for (const json& w : platform::environment_warnings(t, clock))
    findings.push_back({w.at("id"), in_words(w.at("id"), w.at("evidence")), w.at("advice")});
  const bool quiet = std::none_of(findings.begin(), findings.end(), [](const finding& f) { return f.advice; });

  json all = json::array();
  std::string text;
  const views::style style = style_for(standard_output());
  for (const finding& f : findings) {
    all.push_back(to_json(f));
    text += one_finding(f, style);
  }
  as_json ? print(results::dump(all, 2) + "\n") : tell(text);
  return strict && !quiet ? status::unreliable : status::done;
}

}  // namespace

command check_command() {
  return {"check", "Check how quiet this machine is, and what would make it quieter", [](options& its) -> deed {
            struct check_options {
              bool json = false, strict = false;
            };
            const auto typed = std::make_shared<check_options>();
            its.flag("--json", typed->json, "Print a JSON object");
            its.flag("--strict", typed->strict, "Exit status 4 if something would help");
            return [typed](const words&) { return check(typed->json, typed->strict); };
          }};
}

}  // namespace synchro::cli
