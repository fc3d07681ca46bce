// A model made of what was measured on a machine.

#include "simulator/from_results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

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

constexpr std::int64_t sleepers = 11;

void put_wakes(document& d, const std::string& metric, double ns, std::int64_t group = 0) {
  cell c;
  c.experiment = results::experiment_names::wake_groups;
  c.metric = metric;
  c.at.set("primitive", std::string{"event"});
  c.at.set("threads", sleepers);
  c.at.set("placement", std::string{"compact"});
  if (group != 0) c.at.set("group", group);
  c.value = ns;
  d.cells.push_back(c);
}

/// Groups, woken by calls of 400 ns, whose sleepers delay each other by so much; a mean is off by so much, up or down.
document with_groups(double delay, double off, const std::vector<std::int64_t>& groups, unsigned processors = 12) {
  document d = measured_alone();
  put_between(d, "", 100);
  for (unsigned n = 2; n < processors; ++n) {
    auto next = d.topology["cpus"][1];
    next["cpu"] = next["core"] = n;
    d.topology["cpus"].push_back(next);
  }
  put_wakes(d, "call_cost", 400);
  put_wakes(d, "thread_cost", 1000);
  put_wakes(d, "latency", 3000);
  for (const std::int64_t group : groups) {
    double sum = 0;
    for (std::int64_t i = 0; i < sleepers; ++i)
      sum += 400. * static_cast<double>(i / group + 1) + delay * static_cast<double>(i % group);
    put_wakes(d, "wake_mean", 9000 + sum / sleepers + off, group);
    off = -off;
  }
  return d;
}

const std::vector<std::int64_t> all_groups{1, 2, 3, 4, 5, 6, 9, 11};

/// What the model says of a delay that it does not have.
std::string why_none(const document& d) {
  const auto model = simulator::model_from_results(d);
  EXPECT_FALSE(model.at("wake").contains("contend"));
  for (const auto& a : model.at("assumptions"))
    if (a.get<std::string>().starts_with("wake.contend")) return a;
  return {};
}

TEST(ModelFromResults, GroupsTellHowSleepersDelayEachOther) {
  const auto contend = simulator::model_from_results(with_groups(180, 5, all_groups)).at("wake").at("contend");
  EXPECT_NEAR(contend.at("value").get<double>(), 180, 5);
  EXPECT_EQ(contend.at("kind"), "measured");
  EXPECT_NE(contend.at("from").dump().find("11 sleepers in groups of 8 sizes, by least squares"), std::string::npos)
      << contend;
}

TEST(ModelFromResults, SaysNothingOfADelayThatIsNotResolved) {
  const std::string unresolved = "do not resolve it";
  EXPECT_NE(why_none(with_groups(0, 20, all_groups)).find(unresolved), std::string::npos);
  EXPECT_NE(why_none(with_groups(100, 2000, all_groups)).find(unresolved), std::string::npos);
  EXPECT_NE(why_none(with_groups(180, 0, {1, 5, 11})).find("3 sizes of a group were measured"), std::string::npos);
  EXPECT_NE(why_none(with_groups(180, 0, all_groups, 11)).find("did not have a processor each"), std::string::npos);
  document without = measured_alone();
  put_between(without, "", 100);
  EXPECT_EQ(why_none(without), "") << "no groups were measured";
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
