// Sections that other threads run, on the simulated machine.

#include "experiments/delegation/delegation.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cells.hpp"
#include "experiments/framework/axes.hpp"

namespace synchro::tests {
namespace {

using words = std::vector<experiments::coordinate>;

/// The throughput by the delegate of this model's cells, none of which is wrong.
std::map<std::string, double> rates(const char* machine, std::int64_t threads, std::int64_t lines, words by = {},
                                    std::uint64_t seed = 1) {
  axes chosen{{"threads", {threads}}, {"lines", {lines}}, {"gap", {0}}};
  if (!by.empty()) chosen["delegate"] = std::move(by);
  std::map<std::string, double> found;
  for (const results::cell& c : cells_of(built_in(machine), "delegation.throughput", chosen, seed)) {
    EXPECT_TRUE(c.valid) << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == "throughput" && c.value) found[c.at.word("delegate")] = *c.value;
  }
  return found;
}

TEST(SimulatedDelegation, HasEveryDelegateThatHardwareHas) {
  const experiments::setting s = simulations::setting_of(*built_in("opteron"), experiments::level::quick, 1);
  const words all = experiments::find_axis(experiments::delegation_throughput(), "delegate")->values(s);
  for (const char* machine : {"opteron", "niagara", "tilera"}) {
    const auto found = rates(machine, 5, 2);
    EXPECT_EQ(found.size(), all.size()) << machine;
    for (const auto& [delegate, rate] : found) EXPECT_GT(rate, 0) << machine << ", " << delegate;
  }
}

TEST(SimulatedDelegation, NeedsAProcessorForAServerThatSpins) {
  const auto full = rates("opteron", 48, 1, {"cc_synch", "delegation_server"});
  EXPECT_TRUE(full.contains("cc_synch"));
  EXPECT_FALSE(full.contains("delegation_server"));
}

TEST(SimulatedDelegation, SparesTheDataTheWayFromThreadToThread) {
  for (const char* delegate : {"cc_synch", "delegation_server"}) {
    const auto gain = [&](std::int64_t lines) {
      const auto both = rates("opteron", 30, lines, {"mcs", delegate});
      return both.at(delegate) / both.at("mcs");
    };
    EXPECT_GT(gain(16), 2 * gain(1)) << delegate << ": the lines that a call writes stay where calls are run";
  }
}

TEST(SimulatedDelegation, DependsOnTheSeedAlone) {
  const words some{"flat_combining", "dsm_synch/park", "delegation_server"};
  EXPECT_EQ(rates("xeon", 9, 1, some, 3), rates("xeon", 9, 1, some, 3));
  EXPECT_NE(rates("xeon", 9, 1, some, 3), rates("xeon", 9, 1, some, 4));
}

}  // namespace
}  // namespace synchro::tests
