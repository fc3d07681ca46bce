// How much woken sleepers of one object delay each other, found in mean wake times by the size of a group.

#include "simulator/sleepers_delay.hpp"

#include <gtest/gtest.h>

namespace synchro::simulator {
namespace {

constexpr unsigned sleepers = 11;
constexpr double call = 400, each = 1000, latency = 3000;

/// One after the other: calls, wake-ups, and what those of the own group who come before add.
double mean_of(unsigned group, double delay) {
  double sum = 0, now = 0;
  for (unsigned i = 0; i < sleepers; ++i) {
    now += (i % group == 0 ? call : 0) + each;
    sum += now + latency + i % group * delay;
  }
  return sum / sleepers;
}

/// Off by so much, now up, now down.
std::vector<mean_wake> measured(double delay, double off,
                                std::initializer_list<unsigned> groups = {1, 2, 3, 4, 5, 8, 11}) {
  std::vector<mean_wake> all;
  for (const unsigned group : groups) {
    all.push_back({group, mean_of(group, delay) + off});
    off = -off;
  }
  return all;
}

TEST(SleepersDelay, IsFoundExactlyWhereNothingIsOff) {
  for (const double delay : {0.0, 176.0, 2500.0}) {
    const auto fit = delay_of(sleepers, call, measured(delay, 0));
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->value, delay, 1e-6);
    EXPECT_NEAR(fit->high - fit->low, 0, 1e-3);
  }
}

TEST(SleepersDelay, HasAnIntervalAsWideAsTheMeansAreOff) {
  const auto fit = delay_of(sleepers, call, measured(400, 30));
  ASSERT_TRUE(fit);
  EXPECT_LT(fit->low, 400);
  EXPECT_GT(fit->high, 400);
  EXPECT_GT(fit->low, 300) << "resolved";
  EXPECT_LT(delay_of(sleepers, call, measured(400, 3000))->low, 0) << "not resolved";
  EXPECT_LT(delay_of(sleepers, call, measured(0, 30))->low, 0) << "there is none";
}

TEST(SleepersDelay, NeedsFourSizes) {
  EXPECT_FALSE(delay_of(sleepers, call, measured(400, 0, {1, 5, 11})));
  EXPECT_TRUE(delay_of(sleepers, call, measured(400, 0, {1, 3, 5, 11})));
}

}  // namespace
}  // namespace synchro::simulator
