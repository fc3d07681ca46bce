// A model made of what was measured on a machine.

#include "simulator/from_results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "results/experiment_names.hpp"
#include "simulator/model.hpp"

namespace synchro::tests {
namespace {

using results::cell;
using results::document;

void put(document& d, const std::string& operation, const std::string& state, const std::string& distance,
         const std::string& mode, double cycles) {
  for (const char* metric : {"latency", "latency_cycles"}) {
    cell c;
    c.experiment = results::experiment_names::coherence_states;
    c.metric = metric;
    for (const auto& [axis, value] :
         {std::pair{"operation", operation}, {"state", state}, {"distance", distance}, {"home", std::string{"holder"}}})
      c.at.set(axis, value);
    if (!mode.empty()) c.at.set("mode", mode);
    c.value = cycles;
    d.cells.push_back(c);
  }
}

/// Two processors of a core each; without the cells between them.
document measured_alone() {
  document d;
  d.machine = {{"kind", "hardware"}};
  const auto processor = [](int n) {
    return nlohmann::ordered_json{{"cpu", n},   {"core", n}, {"smt", 0},     {"cluster", n},
                                  {"cache", 0}, {"die", 0},  {"package", 0}, {"node", 0}};
  };
  d.topology = {{"cpus", {processor(0), processor(1)}}};
  put(d, "load", "modified", "same_cpu", "", 5);
  put(d, "load", "invalid", "same_cpu", "", 300);
  put(d, "fai", "modified", "same_cpu", "", 20);
  return d;
}

void put_between(document& d, const std::string& mode, double cycles) {
  for (const char* operation : {"load", "store", "cas", "fai", "tas", "swap"})
    put(d, operation, "modified", "same_cache", mode, cycles);
  put(d, "load", "invalid", "same_cache", mode, 2 * cycles);
}

double load_of(const nlohmann::ordered_json& model) {
  return model.at("latency").at("load").at("modified").at("same_cache").get<double>();
}

TEST(ModelFromResults, TakesTheModeInWhichMostWasMeasured) {
  document d = measured_alone();
  put(d, "fai", "modified", "same_cache", "", 11);  // for a moment the processors were near
  put_between(d, "far", 230);
  const auto far = simulator::model_from_results(d);
  EXPECT_EQ(load_of(far), 230);
  EXPECT_NE(far.at("assumptions").dump().find("the mode far"), std::string::npos) << far.at("assumptions");

  put_between(d, "", 12);
  EXPECT_EQ(load_of(simulator::model_from_results(d)), 12) << "the near mode has more now";
  EXPECT_EQ(load_of(simulator::model_from_results(d, "far")), 230) << "the mode that is asked for";
}

TEST(ModelFromResults, OfModesWithAsManyCellsTheNearOneIsTaken) {
  document d = measured_alone();
  put_between(d, "far", 230);
  put_between(d, "", 12);
  EXPECT_EQ(load_of(simulator::model_from_results(d)), 12);
}

TEST(ModelFromResults, NamesWhatIsMissing) {
  document d = measured_alone();
  put(d, "load", "modified", "same_cache", "far", 230);
  try {
    static_cast<void>(simulator::model_from_results(d));
    FAIL() << "a model without the cost of memory";
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(e.what(), std::string{"the results have no "} + results::experiment_names::coherence_states +
                            " of load on invalid at every distance (same_cache)");
  }
}

/// So many additions a second by two threads that never rest.
void put_counters(document& d, const std::string& mode, double per_second) {
  cell c;
  c.experiment = results::experiment_names::atomics_throughput;
  c.metric = "successes";
  for (const auto& [axis, value] : {std::pair{"operation", "fai"}, {"protocol", "saturated"}, {"placement", "compact"}})
    c.at.set(axis, std::string{value});
  c.at.set("threads", std::int64_t{2});
  if (!mode.empty()) c.at.set("mode", mode);
  c.value = per_second;
  d.cells.push_back(c);
}

nlohmann::ordered_json hold_of(const document& d, const std::string& mode) {
  return simulator::model_from_results(d, mode).at("knobs").at("hold");
}

TEST(ModelFromResults, TwoCountersTellHowLongALineIsKept) {
  document d = measured_alone();
  put_between(d, "", 100);
  put_between(d, "far", 230);
  EXPECT_EQ(hold_of(d, "").at("value"), 0.5);
  EXPECT_EQ(hold_of(d, "").at("kind"), "assumed");
  put_counters(d, "", 3e7);  // 3 in 100 ns: two of 23 each while the holder keeps it
  EXPECT_NEAR(hold_of(d, "").at("value").get<double>(), 2 * 23 / 100.0, 0.01);
  EXPECT_EQ(hold_of(d, "").at("kind"), "measured");
  EXPECT_EQ(hold_of(d, "far").at("kind"), "assumed") << "in that mode they were not measured";
  put_counters(d, "far", 1e6);
  EXPECT_EQ(hold_of(d, "far").at("value"), 0) << "less than one in a transfer";
}

TEST(ModelFromResults, WhatSetsAConstantIsToldApart) {
  document d = measured_alone();
  put_counters(d, "far", 3e7);
  EXPECT_TRUE(std::all_of(d.cells.begin(), d.cells.end(), simulator::sets_a_constant));
  d.cells.back().at.set("threads", std::int64_t{4});
  EXPECT_FALSE(simulator::sets_a_constant(d.cells.back()));
}

TEST(ModelFromResults, HasACoreThatAsksAhead) {
  document d = measured_alone();
  put_between(d, "", 100);
  const simulator::model m{simulator::model_from_results(d)};
  EXPECT_EQ(m.ahead(), 3U);
  EXPECT_GT(m.misses(), 1U);
  EXPECT_GT(m.window(), 0U);
}

}  // namespace
}  // namespace synchro::tests
