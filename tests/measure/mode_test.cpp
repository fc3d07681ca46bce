#include "measure/mode.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "synchro/domains.hpp"
#include "synchro/os.hpp"

namespace synchro::measure {
namespace {

using probes = std::vector<double>;

TEST(ModeMap, NoProbesMakeNoMode) { EXPECT_TRUE(mode_map{probes{}}.modes().empty()); }

TEST(ModeMap, OneProbeIsAMode) {
  const mode_map map{probes{50}};
  ASSERT_EQ(map.modes().size(), 1U);
  EXPECT_EQ(map.modes()[0].name, "near");
  EXPECT_DOUBLE_EQ(map.modes()[0].probe_ns, 50);
}

TEST(ModeMap, ProbesThatVaryALittleAreOneMode) {
  const mode_map map{probes{45, 57, 50, 33, 47, 52, 40, 36}};
  ASSERT_EQ(map.modes().size(), 1U);
  EXPECT_EQ(map.of(33, 57), 0U);
}

TEST(ModeMap, NearAndFarAreTwoModesWithTheirMedians) {
  const mode_map map{probes{250, 50, 52, 240, 48, 260, 51}};
  ASSERT_EQ(map.modes().size(), 2U);
  EXPECT_EQ(map.modes()[0].name, "near");
  EXPECT_DOUBLE_EQ(map.modes()[0].probe_ns, 50.5);
  EXPECT_EQ(map.modes()[0].probes, 4U);
  EXPECT_EQ(map.modes()[1].name, "far");
  EXPECT_DOUBLE_EQ(map.modes()[1].probe_ns, 250);
  EXPECT_EQ(map.modes()[1].probes, 3U);
}

TEST(ModeMap, FurtherModesAreNumbered) {
  const mode_map map{probes{50, 51, 130, 131, 400, 401, 1200, 1201}};
  ASSERT_EQ(map.modes().size(), 4U);
  EXPECT_EQ(map.modes()[2].name, "far2");
  EXPECT_EQ(map.modes()[3].name, "far3");
}

TEST(ModeMap, ASampleBelongsToTheModeOfBothItsProbes) {
  const mode_map map{probes{50, 52, 48, 240, 250, 260}};
  EXPECT_EQ(map.of(51, 49), 0U);
  EXPECT_EQ(map.of(245, 255), 1U);
  EXPECT_EQ(map.of(50, 250), std::nullopt);
  EXPECT_EQ(map.of(250, 50), std::nullopt);
}

TEST(ModeMap, ALoneProbeBetweenTheModesIsNoMode) {
  const mode_map map{probes{50, 52, 48, 51, 110, 240, 250, 260, 245}};
  ASSERT_EQ(map.modes().size(), 2U);
  EXPECT_EQ(map.of(110), std::nullopt);
  EXPECT_EQ(map.of(110, 110), std::nullopt);
}

TEST(ModeMap, ALoneSlowProbeIsNoMode) {
  const mode_map map{probes{50, 52, 48, 51, 49, 9000}};
  ASSERT_EQ(map.modes().size(), 1U);
  EXPECT_EQ(map.of(50, 9000), std::nullopt);
}

TEST(ModeMap, InALongRunAModeNeedsMoreThanACoupleOfProbes) {
  probes many(200, 50);
  many.insert(many.end(), {9000, 9001, 9002});
  EXPECT_EQ(mode_map{many}.modes().size(), 1U);
}

TEST(ModeMap, WhatIsNoTimeIsLeftOut) {
  const mode_map map{
      probes{0, -1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 50, 51}};
  ASSERT_EQ(map.modes().size(), 1U);
  EXPECT_DOUBLE_EQ(map.modes()[0].probe_ns, 50.5);
}

TEST(ProbePair, AProcessorIsNoDistanceFromItself) {
  const unsigned cpu = os::allowed_cpus().front();
  EXPECT_EQ(probe_pair(cpu, cpu), std::nullopt);
}

TEST(ProbePair, TellsNothingIfAThreadCannotBePinned) {
  EXPECT_EQ(probe_pair(os::allowed_cpus().front(), 1'000'000), std::nullopt);
}

TEST(ProbePair, TellsATimeBetweenTwoProcessors) {
  const std::vector<unsigned> cpus = os::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "one processor";
  // On a busy machine the two threads may not run at the same time for a long while.
  std::optional<double> one_way;
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (!one_way && std::chrono::steady_clock::now() < patience) one_way = probe_pair(cpus.front(), cpus.back());
  ASSERT_TRUE(one_way);
  EXPECT_GT(*one_way, 0);
}

}  // namespace
}  // namespace synchro::measure
