// What predicted curves of locks score against measured ones.

#include "simulations/lock_curves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cells.hpp"
#include "simulations/program.hpp"
#include "simulations/simulated_locks.hpp"

namespace synchro::tests {
namespace {

using simulations::lock_point;

const std::vector<lock_point> made_up{{"a", "slow", 2, 100, 10}, {"a", "slow", 4, 50, 10},  {"a", "fast", 2, 200, 30},
                                      {"a", "fast", 4, 100, 5},  {"a", "alike", 2, 110, 9}, {"b", "slow", 2, 1, 1}};

TEST(LockCurves, LocksAreComparedWithAsManyThreadsOfOneMachine) {
  const auto ratios = simulations::between_locks(made_up);
  ASSERT_EQ(ratios.size(), 4U);
  EXPECT_EQ(ratios[0].what, "slow over fast, 2 threads on a");
  EXPECT_DOUBLE_EQ(ratios[0].measured, 0.5);
  EXPECT_DOUBLE_EQ(ratios[0].predicted, 1.0 / 3);
}

TEST(LockCurves, OnlyWhatDiffersHasARank) {
  const auto s = simulations::ranked(simulations::between_locks(made_up));
  EXPECT_EQ(s.all, 3U) << "slow and alike are within 20 %";
  EXPECT_EQ(s.right, 2U) << "with 4 threads the slow one was said to be faster";
}

TEST(LockCurves, ThreadsAreComparedWithTheFewest) {
  const auto ratios = simulations::between_threads(made_up);
  ASSERT_EQ(ratios.size(), 2U);
  EXPECT_DOUBLE_EQ(ratios[0].measured, 0.5);
  EXPECT_DOUBLE_EQ(ratios[0].predicted, 1);
  EXPECT_NEAR(simulations::median_error_of(ratios), (1 + 2.0 / 3) / 2, 1e-9);
}

TEST(LockCurves, TheLevelIsToldFromLeastToMost) {
  const std::string text = simulations::lock_curves_in_words(made_up);
  EXPECT_NE(text.find(" The level is 0.05 to 1 times the measured one, in the median 0.1"), std::string::npos) << text;
}

TEST(LockCurves, EveryPublishedPointCanBeSimulated) {
  const auto& rows = simulations::simulated_locks();
  std::set<std::tuple<std::string, std::string, unsigned>> seen;
  for (const lock_point& p : simulations::published_curves()) {
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const auto& r) { return r.name == p.lock; })) << p.lock;
    EXPECT_LE(p.threads, built_in(p.machine)->processors());
    EXPECT_GT(p.measured, 0);
    EXPECT_TRUE(seen.emplace(p.machine, p.lock, p.threads).second);
  }
  EXPECT_EQ(seen.size(), 40U);
}

TEST(LockCurves, AreHowFarAPredictionOfAProgramIsSaidToBeOff) {
  std::vector<double> times;
  for (const simulations::lock_ratio& r : simulations::between_threads(simulations::predicted_curves(1)))
    times.push_back(std::max(r.predicted / r.measured, r.measured / r.predicted));
  std::sort(times.begin(), times.end());
  ASSERT_EQ(times.size(), 30U);
  EXPECT_NEAR(times[26], simulations::model_error{}.times, 0.05) << "nine of ten; a model that changes has another";
}

}  // namespace
}  // namespace synchro::tests
