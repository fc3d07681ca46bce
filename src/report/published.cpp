#include "report/published.hpp"

#include <fmt/format.h>

#include <array>

#include "results/paper/tables.hpp"

namespace synchro::report {

namespace {

namespace paper = results::paper;
using results::cell;
using results::document;

constexpr std::array operations{"load", "store", "cas", "fai", "tas", "swap"};
constexpr std::array states{"modified", "owned", "exclusive", "shared", "invalid"};
constexpr std::array levels{"l1", "l2", "llc", "ram"};

cell cycles(const std::string& experiment, results::coordinates at, double value) {
  cell c;
  c.experiment = experiment;
  c.at = std::move(at);
  c.metric = "latency_cycles";
  c.unit = "cycle";
  c.direction = results::better::lower;
  c.value = value;
  c.reason = "as published; the paper gives no interval";
  return c;
}

void add_table2(document& d, const std::string& platform) {
  for (const char* operation : operations)
    for (const char* state : states)
      for (const paper::place& p : paper::places())
        if (p.platform == platform)
          if (const auto value = paper::remote_cycles(operation, state, p))
            d.cells.push_back(cycles("coherence.states",
                                     {{"operation", std::string{operation}},
                                      {"state", std::string{state}},
                                      {"distance", p.distance},
                                      {"home", std::string{"requester"}}},
                                     *value));
}

void add_table3(document& d, const std::string& platform) {
  for (const char* level : levels)
    if (const auto value = paper::local_cycles(level, platform))
      d.cells.push_back(cycles("coherence.local", {{"level", std::string{level}}}, *value));
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

}  // namespace

std::vector<document> published_platforms() {
  std::vector<document> all;
  for (const std::string& platform : paper::platforms()) all.push_back(platform_document(platform));
  return all;
}

}  // namespace synchro::report
