#include "statistics/look.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace synchro::statistics {
namespace {

using values = std::vector<double>;

TEST(Look, CountsThePairsThatWereCompared) {
  EXPECT_EQ(pairs_among(2), 1);
  EXPECT_EQ(pairs_among(7), 21);
  EXPECT_EQ(pairs_among(20), 190);
  EXPECT_EQ(pairs_among(1), 1) << "nobody to choose from";
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

/// Of 15 repetitions order statistics suffice for 20, so that a single outlier hides nothing.
TEST(Look, AssumesNoDistributionWhereRepetitionsSuffice) {
  values ratios(15, 1.1);
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] += 0.001 * static_cast<double>(i);
  ratios.back() = 1000;
  EXPECT_GT(ratio_p_value(ratios), 0.05);
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
