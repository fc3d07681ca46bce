// All locks, machines of a thousand cores, and what no team can exceed.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cells.hpp"
#include "simulations/simulated_locks.hpp"

namespace synchro::tests {
namespace {

/// In all their forms: /yield and /park, too.
std::vector<experiments::coordinate> every_lock() {
  std::vector<experiments::coordinate> names;
  for (const experiments::lock_bodies& row : simulations::simulated_locks()) names.emplace_back(row.name);
  return names;
}

TEST(Simulation, EveryLockOfTheCatalogExcludes) {
  for (const char* machine : {"xeon", "tilera"}) {
    const auto m = built_in(machine);
    const auto cells = cells_of(m, "locks.throughput", {{"lock", every_lock()}, {"locks", {1}}, {"threads", {16}}});
    std::set<std::string> seen;
    for (const results::cell& c : cells) {
      seen.insert(c.at.word("lock"));
      EXPECT_TRUE(c.valid && (c.value || c.reason)) << c.at.to_string() << ": " << c.reason.value_or("no value");
    }
    EXPECT_EQ(seen.size(), simulations::simulated_locks().size());
  }
}

TEST(Simulation, AThousandCores) {
  auto document = nlohmann::ordered_json::parse(simulator::built_in_model("xeon-x5660"));
  document["topology"] = {{"packages", 2}, {"dies", 1}, {"cores", 512}, {"threads", 1}};
  document.erase("threads");
  const auto cells =
      cells_of(model_of(document), "locks.throughput", {{"lock", {"mcs"}}, {"locks", {1}}, {"threads", {1024}}});
  ASSERT_FALSE(cells.empty());
  EXPECT_TRUE(cells.front().value && *cells.front().value > 0);
}

/// A thread that takes a lock again at once is not served before the other each time.
TEST(Simulation, NoThreadKeepsAFreeLockForEver) {
  for (const char* machine : {"opteron", "epyc-7742", "graviton3", "m1-pro"})
    for (const results::cell& c :
         cells_of(built_in(machine), "locks.throughput",
                  {{"lock", {"tas"}}, {"locks", {1}}, {"threads", {2}}, {"protocol", {"saturated"}}}))
      if (c.metric == "fairness") {
        EXPECT_GT(c.value.value_or(0), 0.9) << machine;
      }
}

/// Two threads and more, each of which pauses after each operation.
TEST(Simulation, NoTeamThatPausesDoesMoreThanItsPauseAllows) {
  for (const char* machine : {"xeon", "niagara"}) {
    std::map<std::string, double> did, may;
    for (const results::cell& c :
         cells_of(built_in(machine), "atomics.throughput", {{"threads", {2, 8}}, {"protocol", {"paused"}}}))
      if (c.metric == "successes" || c.metric == "ceiling")
        (c.metric == "ceiling" ? may : did)[c.at.to_string()] = c.value.value_or(-1);
    EXPECT_GE(did.size(), 10U);
    for (const auto& [at, successes] : did) {
      EXPECT_GT(successes, 0) << at;
      EXPECT_LE(successes, 1.001 * may.at(at)) << at;
    }
  }
}

}  // namespace
}  // namespace synchro::tests
