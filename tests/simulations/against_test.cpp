// How far predictions are from what was measured.

#include "simulations/against.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace synchro::tests {
namespace {

using simulations::forecast;

TEST(Against, NineOfTenAreOffByNoMoreThanIsSaidUpOrDown) {
  std::vector<forecast> all;
  for (int i = 0; i < 19; ++i) all.push_back({"locks", {}, 100, {i % 2 == 0 ? 110.0 : 100 / 1.1}});
  EXPECT_FALSE(simulations::error_of_most(all, "locks")) << "of few nothing is said";
  all.push_back({"locks", {}, 100, {900}});
  EXPECT_NEAR(*simulations::error_of_most(all, "locks"), 1.1, 1e-9);
  all[0].predicted = {50}, all[1].predicted = {25};
  EXPECT_NEAR(*simulations::error_of_most(all, "locks"), 2, 1e-9) << "too slow by twice, the third worst of twenty";
  EXPECT_FALSE(simulations::error_of_most(all, "atomics"));
}

/// Off by 1, 2, ... percent, up and down in turn.
std::vector<forecast> off_by_percents(int n, const std::string& experiment) {
  std::vector<forecast> all;
  for (int i = 1; i <= n; ++i) all.push_back({experiment, {}, 200, {200 * (1 + (i % 2 == 0 ? 0.01 : -0.01) * i)}});
  return all;
}

TEST(Against, OfTenErrorsTheMedianAndTheNinthAreTold) {
  const auto rows = simulations::errors_of(off_by_percents(10, "locks"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].cells, 10U);
  EXPECT_NEAR(rows[0].median, 0.055, 1e-9);
  EXPECT_NEAR(rows[0].ninth.value(), 0.09, 1e-9);
  EXPECT_FALSE(simulations::errors_of(off_by_percents(9, "locks"))[0].ninth) << "of fewer it would be the largest";
}

TEST(Against, WhatWasFittedAndWhatWasMeasuredInAnotherModeStandsApart) {
  std::vector<forecast> all = off_by_percents(6, "states");
  all[0].fitted = all[1].fitted = true;
  all[2].mode = "far";
  const std::vector<forecast> others = off_by_percents(3, "atomics");
  all.insert(all.end(), others.begin(), others.end());
  const auto rows = simulations::errors_of(all);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].experiment, "atomics");
  EXPECT_NEAR(rows[0].median, 0.02, 1e-9);
  EXPECT_EQ(rows[1].mode, "far");
  EXPECT_EQ(rows[2].mode, "near");
  EXPECT_EQ(rows[2].cells, 3U);
  EXPECT_NEAR(rows[2].median, 0.05, 1e-9);
  EXPECT_TRUE(rows[3].fitted);
  EXPECT_EQ(rows[3].cells, 2U);
  EXPECT_NEAR(rows[3].median, 0.015, 1e-9);
}

}  // namespace
}  // namespace synchro::tests
