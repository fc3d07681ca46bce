// The tables of the paper come back out of executed accesses, to the cycle.

#include <gtest/gtest.h>

#include <algorithm>

#include "cells.hpp"
#include "views/paper/tables.hpp"

namespace synchro::tests {
namespace {

namespace paper = views::paper;

const std::vector<std::string> operations{"load", "store", "cas", "fai", "tas", "swap"};
const std::vector<std::string> states{"modified", "owned", "exclusive", "shared", "invalid"};

using table = std::map<std::string, double>;

/// Cycles by operation, state and distance, of lines that live at their holder.
table simulated_table(const simulations::model_ptr& m) {
  table found;
  for (const results::cell& c : cells_of(m, "coherence.states", {{"home", {"holder"}}}))
    if (c.metric == "latency_cycles" && c.value)
      found[c.at.word("operation") + " " + c.at.word("state") + " " + c.at.word("distance")] = *c.value;
  return found;
}

class Platform : public testing::TestWithParam<const char*> {};

TEST_P(Platform, GivesTable2Back) {
  const table found = simulated_table(built_in(GetParam()));
  unsigned compared = 0;
  for (const paper::place& p : paper::places()) {
    if (p.platform != GetParam()) continue;
    for (const std::string& o : operations)
      for (const std::string& s : states) {
        const auto cycles = paper::remote_cycles(o, s, p);
        if (!cycles) continue;
        ++compared;
        const auto cell = found.find(o + " " + s + " " + p.distance);
        ASSERT_NE(cell, found.end()) << o << " " << s << " " << p.distance;
        EXPECT_EQ(cell->second, *cycles) << o << " " << s << " " << p.distance;
      }
  }
  EXPECT_GE(compared, 30U);
}

TEST_P(Platform, GivesTable3Back) {
  for (const results::cell& c : cells_of(built_in(GetParam()), "coherence.local", {})) {
    if (c.metric != "latency_cycles") continue;
    EXPECT_EQ(c.value, paper::local_cycles(c.at.word("level"), GetParam())) << c.at.to_string();
  }
}

INSTANTIATE_TEST_SUITE_P(Paper, Platform, testing::Values("opteron", "xeon", "niagara", "tilera"));

double one_cell(const char* machine, const char* operation, const char* state, const char* distance, const char* home) {
  for (const results::cell& c :
       cells_of(built_in(machine), "coherence.states",
                {{"operation", {operation}}, {"state", {state}}, {"distance", {distance}}, {"home", {home}}}))
    if (c.metric == "latency_cycles" && c.value) return *c.value;
  return 0;
}

TEST(Text, WhatTheTextSaysBesidesTheTables) {
  EXPECT_EQ(one_cell("opteron", "load", "modified", "two_hops", "third"), 202)
      << "no die of this machine is two hops from both of two that are two hops apart";
  EXPECT_EQ(one_cell("opteron", "load", "modified", "one_hop", "third"), 312);
  EXPECT_EQ(one_cell("opteron", "store", "shared_all", "two_hops", "holder"), 296);
  EXPECT_EQ(one_cell("xeon", "store", "shared_all", "two_hops", "holder"), 445);
  EXPECT_EQ(one_cell("tilera", "store", "shared_all", "max_hops", "holder"), 200);
}

TEST(Text, OneEntryChangesExactlyTheCellsThatTakeThatTransition) {
  using json = nlohmann::ordered_json;
  const json original = json::parse(simulator::built_in_model("xeon"));
  const table before = simulated_table(model_of(original));
  for (const auto& [state, distance] :
       {std::pair{"modified", "one_hop"}, {"shared", "same_die"}, {"invalid", "two_hops"}}) {
    json changed = original;
    json& entry = changed["latency"]["load"][state][distance];
    entry = entry.get<int>() + 7;
    const table after = simulated_table(model_of(changed));
    const std::string taken = "load " + std::string{state} + " " + distance;
    unsigned compared = 0;
    for (const paper::place& p : paper::places())
      for (const std::string& o : operations)
        for (const std::string& s : states) {
          const std::string place = o + " " + s + " " + p.distance;
          if (p.platform != "xeon" || !paper::remote_cycles(o, s, p)) continue;
          EXPECT_EQ(after.at(place) - before.at(place), place == taken ? 7 : 0) << place;
          ++compared;
        }
    EXPECT_GE(compared, 30U);
  }
}

}  // namespace
}  // namespace synchro::tests
