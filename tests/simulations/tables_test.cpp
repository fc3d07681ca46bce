// Hash tables on the simulated machine.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "cells.hpp"

namespace synchro::tests {
namespace {

using words = std::vector<experiments::coordinate>;

axes shape_of(words locks, std::int64_t threads, std::int64_t buckets, std::int64_t load) {
  return {{"lock", std::move(locks)}, {"threads", {threads}}, {"buckets", {buckets}}, {"load", {load}}};
}

/// The throughput by the table.
std::map<std::string, double> rates(const char* machine, const axes& chosen) {
  std::map<std::string, double> found;
  for (const results::cell& c : cells_of(built_in(machine), "hashtable.throughput", chosen)) {
    EXPECT_TRUE(c.valid) << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == "throughput") found[c.at.word("lock")] = c.value.value_or(0);
  }
  return found;
}

TEST(SimulatedTables, HaveALineForEachLockAndTwoForNone) {
  std::set<std::string> names;
  for (const auto& [name, rate] : rates("xeon", {{"threads", {4}}, {"buckets", {12}}, {"load", {12}}})) {
    names.insert(name);
    EXPECT_GT(rate, 0) << name;
  }
  for (const char* name : {"optimistic", "messages", "tas", "mcs", "hclh", "mutex"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("std/unordered_map")) << "others' tables are not written for this machine";
}

TEST(SimulatedTables, WaitForEachOtherWhereBucketsAreFew) {
  const words locks{"optimistic", "ticket"};
  const auto few = rates("niagara", shape_of(locks, 32, 2, 12)), many = rates("niagara", shape_of(locks, 32, 512, 12));
  for (const char* lock : {"optimistic", "ticket"}) EXPECT_GT(many.at(lock), 3 * few.at(lock)) << lock;
}

TEST(SimulatedTables, TakeLongerToFindOneOfMore) {
  const auto short_ones = rates("opteron", shape_of({"mcs"}, 1, 512, 12)),
             long_ones = rates("opteron", shape_of({"mcs"}, 1, 512, 48));
  EXPECT_GT(short_ones.at("mcs"), 1.5 * long_ones.at("mcs"));
}

TEST(SimulatedTables, ByMessagesHaveAServerForThreeThreads) {
  // One thread alone asks a server beside it; six are four that ask two.
  const auto alone = rates("xeon", shape_of({"messages"}, 1, 512, 12)),
             six = rates("xeon", shape_of({"messages"}, 6, 512, 12));
  EXPECT_GT(six.at("messages"), 2 * alone.at("messages"));
  EXPECT_LT(six.at("messages"), 6 * alone.at("messages"));
}

TEST(SimulatedTables, ByTheNetworkAreServedAsThoseByMessages) {
  const auto alone = rates("tilera", shape_of({"messages/network"}, 1, 512, 12)),
             six = rates("tilera", shape_of({"messages/network", "messages"}, 6, 512, 12));
  EXPECT_GT(six.at("messages/network"), alone.at("messages/network"));
  EXPECT_LT(six.at("messages/network"), 6 * alone.at("messages/network"));
  EXPECT_GT(six.at("messages/network"), 2 * six.at("messages"));
}

TEST(SimulatedTables, ByTheNetworkAreOfModelsThatHaveOne) {
  const auto names = [](const char* machine) {
    std::set<std::string> all;
    for (const auto& [name, rate] : rates(machine, {{"threads", {1}}, {"buckets", {12}}, {"load", {12}}}))
      all.insert(name);
    return all;
  };
  EXPECT_TRUE(names("tilera").contains("messages/network"));
  EXPECT_FALSE(names("xeon").contains("messages/network"));
}

TEST(SimulatedTables, WithMoreThreadsThanProcessorsAreNotSimulated) {
  for (const results::cell& c :
       cells_of(built_in("opteron"), "hashtable.throughput", shape_of({"optimistic", "mcs"}, 96, 12, 12)))
    EXPECT_EQ(c.reason, "threads that only spin need a processor each") << c.at.to_string();
}

}  // namespace
}  // namespace synchro::tests
