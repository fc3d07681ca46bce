#include "fleet/outliers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "made_hosts.hpp"
#include "statistics/statistics.hpp"

namespace synchro::fleet {
namespace {

TEST(Peers, MiddleAndSpreadBearWildValues) {
  const std::vector<double> values{0, 0.1, -0.1, 0.2, -0.2, 50, -70};
  const peers p = peers_of(values);
  EXPECT_DOUBLE_EQ(p.middle, 0);
  EXPECT_DOUBLE_EQ(p.spread, 0.2);
  EXPECT_EQ(p.count, 7U);
}

TEST(Peers, EqualValuesHaveASpreadAllTheSame) {
  const std::vector<double> values(20, 3.0);
  const peers p = peers_of(values);
  EXPECT_NEAR(p.spread, 0.0068, 0.0002);  // the middle half of a standard deviation of a percent
  EXPECT_EQ(p_value(3.005, p, tails_for(30, 20), 0), 1);
}

TEST(Tails, AreThoseOfTheDistributionThatWasDrawn) {
  statistics::random_numbers r{1};
  std::vector<double> five, normal;
  for (int i = 0; i < 100'000; ++i) five.push_back(std::abs(made::student(r, 5)));
  for (int i = 0; i < 100'000; ++i) normal.push_back(std::abs(made::normal(r)));
  for (auto* const drawn : {&five, &normal}) {
    const double half = results::median(*drawn);
    for (double& v : *drawn) v /= half;
  }
  EXPECT_NEAR(freedom_of(five), 5, 0.5);
  for (std::size_t i = 0; i < 10'000; ++i) five[i] = 100;
  EXPECT_NEAR(freedom_of(five), 5, 0.5) << "what is in question does not count";
  EXPECT_GT(freedom_of(normal), 20);
}

TEST(Tails, AreHeavierWhereFewValuesSayTheScale) {
  EXPECT_EQ(tails_for(30, 1000).freedom, 27.5);
  EXPECT_EQ(tails_for(30, 8).freedom, 2.25);
}

TEST(PValue, IsThatOfStudentsDistributionBeyondWhatIsAllowed) {
  peers p;
  p.middle = 1, p.spread = 0.1, p.count = 100;
  const tails fall = tails_for(10, 100);
  const double scale = 0.1 / fall.half;
  EXPECT_NEAR(p_value(1 + 5 * scale, p, fall, 0), results::student_beyond(5, fall.freedom), 1e-12);
  EXPECT_NEAR(p_value(1 - 5 * scale - 0.05, p, fall, 0.05), results::student_beyond(5, fall.freedom), 1e-12);
}

TEST(PValue, ASideThatReachesFarIsGivenItsDue) {
  peers p;
  p.middle = 0, p.spread = 0.1, p.above = 2, p.count = 100;
  const tails fall = tails_for(10, 100);
  EXPECT_GT(p_value(2.5, p, fall, 0), 0.01);
  EXPECT_LT(p_value(-2, p, fall, 0), 1e-6);
}

TEST(WeightedMedian, IsWhereHalfOfTheWeightIsReached) {
  EXPECT_EQ(weighted_median({{3, 1}, {1, 1}, {2, 1}}), 2);
  EXPECT_EQ(weighted_median({{3, 5}, {1, 1}, {2, 1}}), 3);
}

}  // namespace
}  // namespace synchro::fleet
