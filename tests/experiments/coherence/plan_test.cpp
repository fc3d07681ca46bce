// What the coherence experiments would measure on machines that are not here, and that they do measure on this one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/coherence/coherence.hpp"
#include "experiments/coherence/vocabulary.hpp"
#include "experiments/framework/runner.hpp"
#include "platform/topology.hpp"

namespace synchro::experiments {
namespace {

setting on(const std::string& description, level how = level::quick) {
  setting s;
  s.machine = platform::topology_from_synthetic(description);
  s.thoroughness = how;
  return s;
}

const char* const one_cpu = "Package:1 Core:1 PU:1";
const char* const two_cpus = "Package:1 L3Cache:1 Core:2 PU:1";
const char* const two_sockets = "Package:2 [NUMANode(memory=1073741824)] L3Cache:1 Core:4 PU:2";

std::vector<planned_cell> cells_of(const experiment& e, const setting& s) { return make_plan(s, {&e}).cells; }

void expect_no_cell_twice(const std::vector<planned_cell>& cells) {
  std::set<std::string> seen;
  for (const planned_cell& c : cells) EXPECT_TRUE(seen.insert(c.at.to_string()).second) << c.at.to_string();
}

class StatesPlan : public testing::TestWithParam<const char*> {};

TEST_P(StatesPlan, HasEveryEventAtEveryDistanceOnce) {
  const setting s = on(GetParam(), level::standard);
  const experiment e = coherence_states();
  const std::vector<planned_cell> cells = cells_of(e, s);
  expect_no_cell_twice(cells);
  std::map<std::string, std::set<std::string>> distances;
  for (const planned_cell& c : cells) distances[c.at.word("event")].insert(c.at.word("distance"));
  for (const coherence::event& known : coherence::events()) {
    const std::size_t others = s.machine.distances().size();
    const std::size_t expected =
        known.mine ? 1 : std::max<std::size_t>(1, others + (known.on == coherence::state::invalid ? 1 : 0));
    EXPECT_EQ(distances[known.name].size(), expected) << known.name;
  }
}

TEST_P(StatesPlan, EstimatesAndNamesProcessorsOfTheMachine) {
  const setting s = on(GetParam());
  const experiment e = coherence_states();
  for (const planned_cell& c : cells_of(e, s)) {
    if (c.unavailable) continue;
    EXPECT_GT(e.seconds(s, c.at), 0) << c.at.to_string();
    const std::vector<unsigned> cpus = e.processors(s, c.at);
    EXPECT_FALSE(cpus.empty());
    for (const unsigned cpu : cpus) EXPECT_NE(s.machine.find(cpu), nullptr);
    EXPECT_EQ(std::set<unsigned>(cpus.begin(), cpus.end()).size(), cpus.size()) << c.at.to_string();
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, StatesPlan, testing::Values(one_cpu, two_cpus, two_sockets));

std::map<std::string, std::string> reasons(const char* machine) {
  std::map<std::string, std::string> by_event;
  static const experiment e = coherence_states();
  const setting s = on(machine);
  for (const planned_cell& c : cells_of(e, s))
    if (c.unavailable) by_event[c.at.word("event")] = *c.unavailable;
  return by_event;
}

TEST(StatesPlan, OneProcessorSaysWhyMostEventsCannotBe) {
  const auto why = reasons(one_cpu);
  EXPECT_EQ(why.at("load_from_modified"), "one processor: there is no other to hold the line");
  EXPECT_EQ(why.at("cas"), "one processor: there is no other to hold the line");
  EXPECT_FALSE(why.contains("load_from_l1"));
  EXPECT_FALSE(why.contains("store_on_exclusive_mine"));
  EXPECT_FALSE(why.contains("pause"));
}

TEST(StatesPlan, TwoProcessorsHaveNoThirdSharer) {
  const auto why = reasons(two_cpus);
  for (const char* const three : {"load_from_shared", "load_from_owned", "store_on_shared", "cas_on_shared",
                                  "fai_on_shared", "tas_on_shared", "swap_on_shared"})
    EXPECT_EQ(why.at(three), "two processors: there is no third one to share the line") << three;
  EXPECT_FALSE(why.contains("load_from_modified"));
  EXPECT_FALSE(why.contains("cas_on_shared_upgrade"));
}

TEST(StatesPlan, HomesAreThoseTheMachineHas) {
  const experiment e = coherence_states();
  const auto homes = [&](const char* machine) {
    std::map<std::string, std::set<std::string>> by_distance;
    for (const planned_cell& c : cells_of(e, on(machine, level::standard)))
      if (c.at.word("event") == "load_from_modified") by_distance[c.at.word("distance")].insert(c.at.word("home"));
    return by_distance;
  };
  EXPECT_EQ(homes(two_cpus).at("same_cache"), std::set<std::string>{"requester"});
  EXPECT_EQ(homes(two_sockets).at("same_cache"), (std::set<std::string>{"requester", "third"}));
  EXPECT_EQ(homes(two_sockets).at("other_package"), (std::set<std::string>{"requester", "holder"}));
}

TEST(PairsPlan, HasEveryOrderedPair) {
  const experiment e = coherence_pairs();
  const setting s = on(two_sockets);
  const std::vector<planned_cell> cells = cells_of(e, s);
  expect_no_cell_twice(cells);
  std::map<std::string, std::set<std::pair<std::int64_t, std::int64_t>>> pairs;
  for (const planned_cell& c : cells) pairs[c.at.word("protocol")].insert({c.at.number("from"), c.at.number("to")});
  for (const char* const p : {"cas", "handover", "oneway"}) EXPECT_EQ(pairs[p].size(), 16U * 15U) << p;
}

TEST(PairsPlan, BothHomesWhereTheyDiffer) {
  const experiment e = coherence_pairs();
  const setting s = on(two_sockets);
  std::size_t both = 0;
  for (const planned_cell& c : cells_of(e, s)) {
    if (c.at.word("home") != "to") continue;
    ++both;
    EXPECT_NE(s.machine.find(static_cast<unsigned>(c.at.number("from")))->node,
              s.machine.find(static_cast<unsigned>(c.at.number("to")))->node);
  }
  EXPECT_EQ(both, 3U * 2U * 8U * 8U);
}

TEST(PairsPlan, OneProcessorHasNoPairAndSaysSo) {
  const experiment e = coherence_pairs();
  const std::vector<planned_cell> cells = cells_of(e, on(one_cpu));
  ASSERT_EQ(cells.size(), 3U);
  for (const planned_cell& c : cells) EXPECT_EQ(c.unavailable, "one processor: there is no pair");
}

TEST(PairsPlan, LargeMachinesAreSampledAtQuickAndCompleteAtFull) {
  const experiment e = coherence_pairs();
  const char* const large = "Package:2 L3Cache:8 Core:4 PU:2";  // 128 processors
  const auto cells = [&](level how) { return cells_of(e, on(large, how)).size() / 3; };
  EXPECT_EQ(cells(level::quick), 32U * 31U);
  EXPECT_EQ(cells(level::standard), 100U * 99U);
  EXPECT_EQ(cells(level::full), 128U * 127U);
}

TEST(LocalPlan, HasFourLevels) {
  const experiment e = coherence_local();
  std::set<std::string> levels;
  for (const planned_cell& c : cells_of(e, on(two_cpus))) levels.insert(c.at.word("level"));
  EXPECT_EQ(levels, (std::set<std::string>{"l1", "l2", "llc", "ram"}));
}

/// One repetition of every cell that this machine can measure; of the atomics, compare-and-swap stands for all.
bool stands_for_all(const coordinates& at) {
  const coordinate* const operation = at.find("operation");
  return operation == nullptr ||
         (*operation != coordinate{"fai"} && *operation != coordinate{"tas"} && *operation != coordinate{"swap"});
}

class Here : public testing::TestWithParam<experiment (*)()> {};

TEST_P(Here, EveryCellThatIsAvailableIsMeasured) {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  if (s.machine.processors.size() > 4) {
    std::vector<unsigned> four;
    for (std::size_t i = 0; i < 4; ++i) four.push_back(s.machine.processors[i].cpu);
    s.machine = s.machine.restricted_to(four);
  }
  const experiment e = GetParam()();
  std::uint64_t seed = 1;
  for (const planned_cell& c : cells_of(e, s)) {
    if (c.unavailable || !stands_for_all(c.at)) continue;
    const repetition r = e.measure(s, c.at, ++seed);
    EXPECT_FALSE(r.broken) << c.at.to_string() << ": " << *r.broken;
    ASSERT_EQ(r.observations.size(), e.metrics.size());
    for (std::size_t i = 0; i < e.metrics.size(); ++i) {
      EXPECT_EQ(r.observations[i].metric, e.metrics[i].name);
      EXPECT_TRUE(std::isfinite(r.observations[i].value)) << c.at.to_string();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Here, testing::Values(coherence_local, coherence_states, coherence_pairs));

TEST(BandwidthPlan, ThreadsHaveAProcessorEachAndMemoryThatNoCacheHolds) {
  const experiment e = coherence_bandwidth();
  for (const char* const machine : {one_cpu, two_cpus, two_sockets}) {
    const setting s = on(machine, level::standard);
    std::set<std::int64_t> threads;
    for (const planned_cell& c : cells_of(e, s)) threads.insert(c.at.number("threads"));
    EXPECT_EQ(*threads.begin(), 1) << machine;
    EXPECT_EQ(*threads.rbegin(), static_cast<std::int64_t>(s.machine.processors.size())) << machine;
  }
  setting s = on(two_sockets);
  s.machine.memory_bytes = std::uint64_t{1} << 20;
  for (const planned_cell& c : cells_of(e, s)) EXPECT_TRUE(c.unavailable) << c.at.to_string();
  s.machine.memory_bytes = std::uint64_t{1} << 40;
  s.machine.memory_limit = std::uint64_t{1} << 20;
  for (const planned_cell& c : cells_of(e, s)) {
    EXPECT_NE(c.unavailable.value_or("").find("a quarter of the 1 MiB that a control group leaves to this process"),
              std::string::npos)
        << c.at.to_string() << ": " << c.unavailable.value_or("");
  }
  s.machine.memory_limit = 0;
  s.chosen["threads"] = {std::int64_t{1}, std::int64_t{64}};
  const std::vector<planned_cell> cells = cells_of(e, s);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_FALSE(cells[0].unavailable);
  EXPECT_TRUE(cells[1].unavailable);
}

/// 16 MiB are least for a thread; what a control group leaves here is room for 12.
TEST(Bandwidth, SaysWhereAControlGroupCutsWhatItReads) {
  const experiment e = coherence_bandwidth();
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  for (platform::cache_level& c : s.machine.caches) c.bytes = std::uint64_t{1} << 20;
  const coordinates one{{"threads", std::int64_t{1}}};
  s.machine.memory_limit = 0;
  const repetition whole = e.measure(s, one, 1);
  EXPECT_EQ(whole.bounded, std::nullopt);
  EXPECT_TRUE(whole.conditions.empty());
  s.machine.memory_limit = std::uint64_t{48} << 20;
  ASSERT_EQ(e.unavailable(s, one), std::nullopt);
  const repetition cut = e.measure(s, one, 1);
  EXPECT_EQ(cut.bounded,
            "each thread went through 12 MiB, not through 16: all take a quarter of the 48 MiB that a control group "
            "leaves to "
            "this process");
  EXPECT_EQ(cut.conditions.at("bytes_of_thread"), 12.0 * 1024 * 1024);
  s.machine.memory_limit = std::uint64_t{28} << 20;
  EXPECT_NE(e.unavailable(s, one), std::nullopt) << "7 MiB are less than half";
}

}  // namespace
}  // namespace synchro::experiments
