// Transactions on the simulated machine.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cells.hpp"
#include "experiments/stm/means.hpp"

namespace synchro::tests {
namespace {

using words = std::vector<experiments::coordinate>;

const std::string bank = "stm.bank", list = "stm.list", table = "stm.hashtable";

axes some(words means, std::int64_t threads, std::int64_t elements, std::int64_t updates) {
  return {{"means", std::move(means)}, {"threads", {threads}}, {"elements", {elements}}, {"updates", {updates}}};
}

/// Values of a metric by the means, on a model; no transaction was wrong.
std::map<std::string, double> values(const char* machine, const std::string& experiment, const axes& chosen,
                                     const std::string& metric = "throughput", std::uint64_t seed = 1) {
  std::map<std::string, double> found;
  for (const results::cell& c : cells_of(built_in(machine), experiment, chosen, seed)) {
    EXPECT_TRUE(c.valid) << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == metric && c.value) found[c.at.word("means")] = *c.value;
  }
  return found;
}

TEST(SimulatedTransactions, AreWholeByEachOfTheLibrarysMeans) {
  words ours;
  for (const auto& one : experiments::transactions::all_means())
    if (one.name.starts_with("stm") || one.name.starts_with("messages")) ours.emplace_back(one.name);
  for (const std::string& experiment : {bank, list, table}) {
    const auto rates = values(experiment == bank ? "niagara" : "opteron", experiment, some(ours, 6, 16, 50));
    EXPECT_EQ(rates.size(), ours.size()) << experiment;
    for (const auto& [means, rate] : rates) EXPECT_GT(rate, 0) << experiment << ", " << means;
  }
}

TEST(SimulatedTransactions, ByOthersAreNotSimulated) {
  std::set<std::string> names;
  for (const results::cell& c : cells_of(built_in("xeon"), bank, {{"threads", {2}}})) names.insert(c.at.word("means"));
  EXPECT_EQ(names, (std::set<std::string>{"stm", "stm/back_off_retry", "stm/mutex", "messages"}));
}

TEST(SimulatedTransactions, BeginAgainWhereTheyMeet) {
  const auto aborts = [](std::int64_t threads, std::int64_t accounts) {
    return values("xeon", bank, some({"stm"}, threads, accounts, 100), "aborts").at("stm");
  };
  EXPECT_EQ(aborts(1, 16), 0);
  EXPECT_GT(aborts(10, 4), 0.05);
  EXPECT_LT(aborts(10, 1024), aborts(10, 4) / 2);
}

TEST(SimulatedTransactions, ThatOnlyReadScaleWhereThoseThatWriteFewKeysDoNot) {
  const auto gain = [](std::int64_t keys, std::int64_t updates) {
    const auto rate = [&](std::int64_t threads) {
      return values("xeon", table, some({"stm/wholly"}, threads, keys, updates)).at("stm/wholly");
    };
    return rate(10) / rate(1);
  };
  EXPECT_GT(gain(1024, 0), 2);
  EXPECT_LT(gain(8, 100), gain(1024, 0) / 2);
}

/// Locks are found by address, and taken in the order of addresses.
TEST(SimulatedTransactions, DependOnTheSeedAlone) {
  for (const std::string& experiment : {bank, table}) {
    const axes few = some({"stm", "stm/ticket", "messages"}, 8, experiment == bank ? 16 : 4096, 100);
    const auto once = values("opteron", experiment, few, "throughput", 3);
    const std::vector<std::vector<char>> in_the_way(7, std::vector<char>(333'333));
    EXPECT_EQ(once, values("opteron", experiment, few, "throughput", 3)) << experiment;
    EXPECT_NE(once, values("opteron", experiment, few, "throughput", 4)) << experiment;
  }
}

}  // namespace
}  // namespace synchro::tests
