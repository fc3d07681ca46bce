#include "measure/timing.hpp"

#include <gtest/gtest.h>

namespace synchro::measure {
namespace {

TEST(TimedSingly, SaysItsMedianOnce) {
  const timed_singly told = time_singly({40, 50, 50, 50, 60}, 10);
  EXPECT_EQ(told.median, told.quantiles.at("p50"));
  EXPECT_EQ(time_singly({47, 48, 60}, 0).median, 48);
}

TEST(TimedSingly, IsTooShortBelowFourSteps) {
  EXPECT_TRUE(time_singly({30, 30, 30}, 10).too_short);
  EXPECT_FALSE(time_singly({50, 50, 50}, 10).too_short);
  EXPECT_FALSE(time_singly({30, 30, 30}, 0).too_short);
}

}  // namespace
}  // namespace synchro::measure
