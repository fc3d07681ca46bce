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
  EXPECT_EQ(find_pause(two, made_up({50, 52, 49})), 100);
  EXPECT_EQ(find_pause(two, made_up({108, 111, 105})), 200);
}

TEST(Pause, DoesNotHangOnOneDisturbedProbe) {
  EXPECT_EQ(find_pause(two, made_up({50, 4000, 51})), 100);
  EXPECT_EQ(find_pause(two, made_up({std::nullopt, 50, std::nullopt})), 100);
}

TEST(Pause, IsByTheFarthestProcessorsOfTheMachine) {
  const platform::topology large = platform::topology_from_synthetic("package:2 core:2 pu:2");
  double longest = 0;
  const auto probe = [&](unsigned a, unsigned b) {
    const double ns = large.between(a, b) == large.distances().back() ? 300.0 : 40.0;
    longest = std::max(longest, ns);
    return std::optional{ns};
  };
  EXPECT_EQ(find_pause(large, probe), 800);
  EXPECT_EQ(longest, 300);
}

TEST(Pause, WithoutAProbeIsLong) {
  EXPECT_EQ(find_pause(two, made_up({std::nullopt})), 400);
  EXPECT_EQ(find_pause(platform::topology_from_synthetic("core:1 pu:1"), made_up({50})), 400);
}

}  // namespace
}  // namespace synchro::measure
