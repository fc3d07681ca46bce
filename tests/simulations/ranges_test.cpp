// Constants at the ends of their ranges, and what verdicts make of that.

#include "simulations/ranges.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "simulations/sensitivity.hpp"
#include "simulator/model.hpp"

namespace synchro::tests {
namespace {

using claims::verdict;
using simulations::corner, simulations::corners, simulations::over_ranges;
using json = nlohmann::ordered_json;

constexpr verdict yes = verdict::holds, no = verdict::fails, open = verdict::unresolved;

TEST(Ranges, EachTwoGroupsStandTogetherInEveryWay) {
  for (std::size_t a = 0; a < simulations::group_names.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      std::set<std::pair<bool, bool>> seen;
      for (const corner& c : corners) seen.emplace(c[a], c[b]);
      EXPECT_EQ(seen.size(), 4U) << a << " and " << b;
    }
}

TEST(Ranges, ConstantsGoToTheEndsOfTheirGroup) {
  const json as_it_is = json::parse(simulator::built_in_model("opteron"));
  const json least = simulations::at_corner(as_it_is, {false, false, false}),
             mixed = simulations::at_corner(as_it_is, {true, false, true});
  for (const auto& [part, name, moves_with] :
       {std::tuple{"core", "instructions", true}, {"core", "window", false}, {"knobs", "hold", true}}) {
    const json& k = as_it_is.at(part).at(name);
    EXPECT_EQ(least.at(part).at(name).at("value"), k.at("least")) << name;
    EXPECT_EQ(mixed.at(part).at(name).at("value"), k.at(moves_with ? "most" : "least")) << name;
  }
  EXPECT_EQ(mixed.at("local_atomic").at("value"), 20) << "is published, and has no range";
  EXPECT_EQ(mixed.at("latency"), as_it_is.at("latency"));
  EXPECT_NO_THROW(simulator::model{mixed});
}

TEST(Ranges, AConstantGoesToAnEndAlone) {
  const json as_it_is = json::parse(simulator::built_in_model("opteron"));
  json wanted = as_it_is;
  wanted["core"]["misses"]["value"] = as_it_is.at("core").at("misses").at("least");
  EXPECT_EQ(simulations::at_end(as_it_is, "core.misses", false), wanted);
  EXPECT_EQ(simulations::at_end(as_it_is, "network.queue", true), as_it_is) << "has none";
  EXPECT_EQ(simulations::at_end(as_it_is, "local_atomic", true), as_it_is) << "is published, and has no range";
}

/// What is said of sources names constants that there are.
TEST(Ranges, EachSourceIsOfAConstant) {
  const auto known = simulations::constants_with_a_range({"opteron", "xeon", "niagara", "tilera"});
  for (const char* const published : {"core.instructions", "core.window", "core.misses", "network.queue"}) {
    EXPECT_TRUE(known.contains(published)) << published;
    EXPECT_TRUE(simulations::source_of_range(published).starts_with("published")) << published;
  }
  EXPECT_EQ(simulations::source_of_range("knobs.hold"), "none");
  EXPECT_EQ(known.at("core.window"), (std::vector<std::string>{"opteron 36 (24 to 72)", "xeon 64 (32 to 128)"}));
  EXPECT_FALSE(known.contains("local_atomic")) << "is published";
}

/// A range that is told to be half to double is that in every model.
TEST(Ranges, OfSleepGoFromHalfToDouble) {
  for (const char* name : {"opteron", "xeon", "niagara", "tilera"}) {
    const simulator::model m = simulator::load_model(name);
    for (const simulator::knob& k : m.knobs())
      if (k.name.starts_with("wake.")) {
        EXPECT_NEAR(k.least, k.value / 2, 1) << name << ": " << k.name;
        EXPECT_NEAR(k.most, k.value * 2, 1) << name << ": " << k.name;
      }
  }
}

TEST(Ranges, AConstantOfNoGroupIsRefused) {
  EXPECT_EQ(simulations::group_of("wake.call"), 0U);
  EXPECT_EQ(simulations::group_of("network.receive"), 0U);
  EXPECT_EQ(simulations::group_of("core.misses"), 1U);
  EXPECT_EQ(simulations::group_of("core.ahead"), 1U);
  EXPECT_EQ(simulations::group_of("network.queue"), 1U);
  EXPECT_EQ(simulations::group_of("knobs.jitter"), 2U);
  for (const char* const unknown : {"core.misse", "knobs.new", "", "latency"})
    EXPECT_THROW(static_cast<void>(simulations::group_of(unknown)), std::invalid_argument) << unknown;
}

TEST(Ranges, WhatAGroupDoesCannotBeToldFromWhatTheOtherTwoDoTogether) {
  for (const corner& c : corners)
    for (std::size_t g = 0; g < c.size(); ++g) EXPECT_EQ(c[g], c[(g + 1) % 3] == c[(g + 2) % 3]);
}

TEST(Ranges, EveryAssumedConstantMovesInEveryModel) {
  for (const std::string& name : simulator::built_in_models()) {
    const json as_it_is = json::parse(simulator::built_in_model(name));
    const simulator::model low{simulations::at_corner(as_it_is, {false, false, false})},
        high{simulations::at_corner(as_it_is, {true, true, true})};
    for (std::size_t i = 0; i < low.knobs().size(); ++i)
      if (low.knobs()[i].kind == "assumed") {
        EXPECT_LT(low.knobs()[i].value, high.knobs()[i].value) << name << ": " << low.knobs()[i].name;
      }
  }
}

/// One core that reads memory in sequence, near and far: bandwidth times latency, as another program measured them on these
/// machines (github.com/LPD-EPFL/mctop, desc).
TEST(Ranges, HoldTheMissesThatBandwidthTellsOf) {
  struct read_in_sequence {
    const char* machine;
    double gb_per_second, cycles;
  };
  for (const auto& [machine, gb_per_second, cycles] :
       {read_in_sequence{"opteron", 3.66, 141}, {"opteron", 1.36, 342}, {"xeon", 2.0, 367}, {"xeon", 1.40, 603}}) {
    const json as_it_is = json::parse(simulator::built_in_model(machine));
    const double lines = gb_per_second * cycles / as_it_is.at("clock_ghz").get<double>() / 64;
    const json& misses = as_it_is.at("core").at("misses");
    EXPECT_LE(misses.at("least").get<double>(), lines) << machine;
    EXPECT_GE(misses.at("most").get<double>(), lines) << machine;
  }
}

TEST(Ranges, AVerdictStandsOrTheGroupThatDecidesIsNamed) {
  EXPECT_EQ(over_ranges(yes, {yes, yes, yes, yes}), "holds");
  EXPECT_EQ(over_ranges(no, {no, no, no, no}), "does not hold");
  EXPECT_EQ(over_ranges(open, {open, open, open, open}), "not resolved");
  EXPECT_EQ(over_ranges(yes, {yes, yes, no, no}), "holds in 2 of 4, by times of the core");
  EXPECT_EQ(over_ranges(no, {no, yes, no, yes}), "holds in 2 of 4, by overlap");
  EXPECT_EQ(over_ranges(yes, {no, yes, yes, no}), "holds in 2 of 4, by service of lines");
  EXPECT_EQ(over_ranges(yes, {no, yes, yes, yes}), "holds in 3 of 4") << "by no group alone";
  EXPECT_EQ(over_ranges(no, {yes, yes, yes, yes}), "holds in 4 of 4") << "but not as the models are";
}

}  // namespace
}  // namespace synchro::tests
