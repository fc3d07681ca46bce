#include "measure/pause.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace synchro::measure {
namespace {

/// Probes that come out as given, in turn.
pair_probe made_up(std::vector<std::optional<double>> outcomes) {
  return [=, i = std::size_t{0}](unsigned, unsigned) mutable { return outcomes[i++ % outcomes.size()]; };
}

const platform::topology two = platform::topology_from_synthetic("core:2 pu:1");

TEST(Pause, IsHalfAsMuchAgainAsATransferRoundedUp) {
  EXPECT_EQ(pause_for(27), 100);
  EXPECT_EQ(pause_for(66), 100);
  EXPECT_EQ(pause_for(67), 200);
  EXPECT_EQ(pause_for(250), 400);
}

TEST(Pause, FollowsTheModeOfTheMoment) {
  EXPECT_EQ(find_pause(two, {0, 1}, made_up({50, 52, 49})), 100);
  EXPECT_EQ(find_pause(two, {0, 1}, made_up({108, 111, 105})), 200);
}

TEST(Pause, DoesNotHangOnOneDisturbedProbe) {
  EXPECT_EQ(find_pause(two, {0, 1}, made_up({50, 4000, 51})), 100);
  EXPECT_EQ(find_pause(two, {0, 1}, made_up({std::nullopt, 50, std::nullopt})), 100);
}

TEST(Pause, IsByTheFarthestProcessorsOfTheTeam) {
  const platform::topology large = platform::topology_from_synthetic("package:2 core:2 pu:2");
  const auto probe = [&](unsigned a, unsigned b) {
    return std::optional{large.between(a, b) == large.distances().back() ? 300.0 : 40.0};
  };
  const auto [near, other] = large.pair_at(large.distances().front()).value();
  const auto [here, there] = large.pair_at(large.distances().back()).value();
  EXPECT_EQ(find_pause(large, {near, other}, probe), 100);
  EXPECT_EQ(find_pause(large, {here, there}, probe), 800);
  EXPECT_EQ(find_pause(large, {near, other, here, there}, probe), 800);
  EXPECT_EQ(find_pause(large, {near}, probe), 100) << "one thread pauses like two neighbours";
  EXPECT_EQ(find_pause(large, {}, probe), 800) << "threads that nobody pinned can be anywhere";
}

TEST(Pause, WithoutAProbeIsLong) {
  EXPECT_EQ(find_pause(two, {0, 1}, made_up({std::nullopt})), 400);
  EXPECT_EQ(find_pause(platform::topology_from_synthetic("core:1 pu:1"), {0}, made_up({50})), 400);
}

}  // namespace
}  // namespace synchro::measure
