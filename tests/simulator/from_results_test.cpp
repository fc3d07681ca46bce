// A model made of what was measured on a machine.

#include "simulator/from_results.hpp"

#include <gtest/gtest.h>

#include <string>

#include "results/experiment_names.hpp"

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

}  // namespace
}  // namespace synchro::tests
