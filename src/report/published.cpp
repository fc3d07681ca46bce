#include "report/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/experiment_names.hpp"
#include "views/paper/tables.hpp"

namespace synchro::report {

namespace {

namespace paper = views::paper;
using results::cell;
using results::document;

constexpr std::array operations{"load", "store", "cas", "fai", "tas", "swap"};
constexpr std::array states{"modified", "owned", "exclusive", "shared", "invalid"};
constexpr std::array levels{"l1", "l2", "llc", "ram"};

cell value_of(const std::string& experiment, results::coordinates at, const char* metric, const char* unit,
              double value) {
  cell c;
  c.experiment = experiment;
  c.at = std::move(at);
  c.metric = metric;
  c.unit = unit;
  c.direction = results::better::lower;
  c.value = value;
  c.reason = "as published; the paper gives no interval";
  return c;
}

cell cycles(const std::string& experiment, results::coordinates at, double value) {
  return value_of(experiment, std::move(at), "latency_cycles", "cycle", value);
}

void add_table2(document& d, const std::string& platform) {
  for (const char* operation : operations)
    for (const char* state : states)
      for (const paper::place& p : paper::places())
        if (p.platform == platform)
          if (const auto value = paper::remote_cycles(operation, state, p))
            d.cells.push_back(cycles(results::experiment_names::coherence_states,
                                     {{"operation", std::string{operation}},
                                      {"state", std::string{state}},
                                      {"distance", p.distance},
                                      {"home", std::string{"requester"}}},
                                     *value));
}

void add_table3(document& d, const std::string& platform) {
  for (const char* level : levels)
    if (const auto value = paper::local_cycles(level, platform))
      d.cells.push_back(cycles(results::experiment_names::coherence_local, {{"level", std::string{level}}}, *value));
}

document platform_document(const std::string& platform) {
  const auto fact = [&](const char* name) { return paper::platform_fact(platform, name); };
  document d;
  d.complete = true;
  d.id = "published-" + platform;
  d.label = paper::title(platform);
  d.machine = {{"kind", "published"},
               {"model_name", fact("processors")},
               {"processors", fmt::format("{} cores, {} hardware threads, {} GHz", fact("cores"),
                                          fact("hardware_threads"), fact("core_clock_ghz"))},
               {"coherence", fact("coherence")},
               {"interconnect", fact("interconnect")},
               {"memory", fact("memory")}};
  d.os = {{"name", fact("os")}};
  add_table2(d, platform);
  add_table3(d, platform);
  return d;
}

document system_document(const std::string& system) {
  document d;
  d.complete = true;
  d.id = "published-" + system;
  d.label = paper::system_title(system);
  d.machine = {{"kind", "published"}, {"model_name", paper::system_title(system)}};
  d.os = {{"name", paper::system_title(system)}};
  constexpr double ns_per_us = 1000;
  for (const std::string& call : paper::calls())
    if (const auto us = paper::call_microseconds(call, system)) {
      d.cells.push_back(
          value_of(results::experiment_names::overhead_calls, {{"call", call}}, "delay", "ns", *us * ns_per_us));
      // The paper's shortest time is its clock's step.
      if (*us <= 1) d.cells.back().reason = "as published: 1 us or less; the paper gives no interval";
    }
  return d;
}

document log_document(const paper::throttle_log& log) {
  document d;
  d.complete = true;
  d.id = "published-" + log.machine;
  d.label = log.machine.substr(0, log.machine.find(" ("));
  d.machine = {{"kind", "published"}, {"model_name", log.machine}};
  d.os = {{"name", nullptr}};
  constexpr double ns_per_s = 1e9;
  for (const auto& [permits, seconds] : log.seconds) {
    d.cells.push_back(
        value_of(results::experiment_names::throttle_sum, {{"permits", permits}}, "time", "ns", seconds * ns_per_s));
    d.cells.back().reason = "as published; the article gives no interval";
  }
  return d;
}

bool share_an_experiment(const document& a, const document& b) {
  return std::any_of(a.cells.begin(), a.cells.end(), [&](const cell& x) {
    return std::any_of(b.cells.begin(), b.cells.end(), [&](const cell& y) { return x.experiment == y.experiment; });
  });
}

}  // namespace

std::vector<document> published() {
  std::vector<document> all;
  for (const std::string& platform : paper::platforms()) all.push_back(platform_document(platform));
  for (const std::string& system : paper::systems()) all.push_back(system_document(system));
  for (const paper::throttle_log& log : paper::throttle_logs()) all.push_back(log_document(log));
  return all;
}

std::vector<document> published_beside(const std::vector<document>& documents) {
  std::vector<document> beside = published();
  std::erase_if(beside, [&](const document& p) {
    return std::none_of(documents.begin(), documents.end(),
                        [&](const document& d) { return share_an_experiment(p, d); });
  });
  return beside;
}

}  // namespace synchro::report
