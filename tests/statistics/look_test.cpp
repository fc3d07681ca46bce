#include "statistics/look.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "statistics/vectors.hpp"

namespace synchro::statistics {
namespace {

using values = std::vector<double>;

TEST(Look, CountsThePairsThatWereCompared) {
  EXPECT_EQ(pairs_among(2), 1);
  EXPECT_EQ(pairs_among(7), 21);
  EXPECT_EQ(pairs_among(20), 190);
  EXPECT_EQ(pairs_among(1), 1) << "nobody to choose from";
}

/// The expected ends: the density of Student's distribution with 5 degrees of freedom, summed by Simpson's rule, leaves a chance
/// of 0.05 / 190 beyond 9.1365.
TEST(Look, HasTheIntervalOfStudentsTestWhereRepetitionsAreFew) {
  const values ratios{1.02, 1.05, 0.99, 1.04, 1.03, 1.01};
  const auto usual = interval_among(ratios, 2);
  ASSERT_TRUE(usual);
  EXPECT_EQ(*usual, std::pair(0.99, 1.05)) << "order statistics suffice for two";
  const auto surer = interval_among(ratios, 20);
  ASSERT_TRUE(surer);
  EXPECT_NEAR(surer->first, 0.945406, 1e-6);
  EXPECT_NEAR(surer->second, 1.107270, 1e-6);
  for (const double times : {0.94, 0.95, 1.0, 1.05, 1.06}) {
    values others = ratios;
    for (double& r : others) r /= times;
    const auto ci = interval_among(others, 20);
    EXPECT_EQ(resolved_among(others, 20), ci->first > 1 || ci->second < 1) << times;
  }
  EXPECT_FALSE(interval_among(values{2, 2, 2, 2, 2}, 2));
  EXPECT_THROW((void)interval_among(values{1, 1, 1, 1, 1, 0}, 20), std::invalid_argument);
}

/// Logarithms of which one is far off have a mean with a wide interval, but never one that leaves out the usual one of the median.
TEST(Look, IsNeverNarrowerThanTheUsualInterval) {
  const values ratios{1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.2};
  const auto usual = interval_among(ratios, 2), surer = interval_among(ratios, 7);
  ASSERT_TRUE(usual && surer);
  EXPECT_LE(surer->first, usual->first);
  EXPECT_GE(surer->second, usual->second);
}

TEST(Look, OfSeveralContestsPaysForAllTheirPairs) {
  EXPECT_EQ(fewest_with_pairs(0), 2U);
  EXPECT_EQ(fewest_with_pairs(1), 2U);
  EXPECT_EQ(fewest_with_pairs(2), 3U) << "two contests of two";
  for (const std::size_t k : {2U, 3U, 7U, 20U, 1000U}) EXPECT_EQ(fewest_with_pairs(pairs_among(k)), k);
  EXPECT_EQ(fewest_with_pairs(191), 21U);
}

/// The expected values: the density of Student's distribution, summed by Simpson's rule.
TEST(Look, IsStudentsTestOfTheLogarithms) {
  EXPECT_NEAR(ratio_p_value(values{1.02, 1.05, 0.99, 1.04, 1.03, 1.01}), 0.0456824323, 1e-9);
  EXPECT_NEAR(ratio_p_value(values{0.9, 0.91, 0.95, 0.99, 1.01, 0.88, 0.93, 0.92}), 0.0051768145, 1e-9);
  EXPECT_NEAR(ratio_p_value(values{2, 2.1, 1.9, 2.05, 1.95, 2.2, 1.8}), 1.50879e-7, 1e-10);
  EXPECT_EQ(ratio_p_value(values{3}), 1) << "one ratio shows no scatter";
  EXPECT_EQ(ratio_p_value(values{}), 1);
  EXPECT_THROW((void)ratio_p_value(values{1, 0}), std::invalid_argument);
}

TEST(Look, CostsMoreTheMoreWereLookedAt) {
  const values behind{0.9, 0.91, 0.95, 0.99, 0.98, 0.88, 0.93, 0.92};
  EXPECT_TRUE(resolved_among(behind, 2)) << "named beforehand";
  EXPECT_TRUE(resolved_among(behind, 4));
  EXPECT_FALSE(resolved_among(behind, 20)) << "the least and the most of 20";
}

/// The page reads the same (tests/report/stats.test.ts).
TEST(Look, IsThatOfTheVectors) {
  for (const auto& look : tests::vectors("looks")) {
    const auto ratios = look.at("ratios").get<values>();
    EXPECT_NEAR(ratio_p_value(ratios), look.at("p").get<double>(), 2e-9) << look;
    EXPECT_EQ(resolved_among(ratios, look.at("among").get<std::size_t>()), look.at("resolved").get<bool>()) << look;
  }
}

/// Of 15 repetitions order statistics suffice for 20, so that a single outlier hides nothing.
TEST(Look, AssumesNoDistributionWhereRepetitionsSuffice) {
  values ratios(15, 1.1);
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] += 0.001 * static_cast<double>(i);
  ratios.back() = 1000;
  EXPECT_TRUE(resolved_among(ratios, 20));
  ratios.front() = 0.9;
  EXPECT_TRUE(resolved_among(ratios, 2));
  EXPECT_FALSE(resolved_among(ratios, 20)) << "all 15 have to agree";
}

TEST(Look, ResolvesNothingFromTooFewRepetitions) {
  EXPECT_FALSE(resolved_among(values{2, 2, 2, 2, 2}, 2));
  EXPECT_FALSE(resolved_among(values{}, 2));
}

}  // namespace
}  // namespace synchro::statistics
