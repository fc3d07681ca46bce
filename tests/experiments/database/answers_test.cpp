// What becomes of answers, and what is asked.

#include "experiments/database/answers.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace synchro::experiments {
namespace {

database::answers some() {
  database::answers all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {1000.0 * static_cast<double>(i + 1), 70 + i, 3};
  return all;
}

TEST(Answers, AreATimeForEachQueryAndTheirSum) {
  const repetition r = database::recorded(some(), some());
  EXPECT_FALSE(r.broken);
  ASSERT_EQ(r.observations.size(), 23U);
  EXPECT_EQ(r.observations[4].metric, "time");
  EXPECT_EQ(r.observations[4].value, 5000);
  EXPECT_EQ(r.observations[4].within.number("query"), 5);
  EXPECT_EQ(r.observations[22].metric, "total");
  EXPECT_EQ(r.observations[22].value, 253'000);
}

TEST(Answers, ThatDifferBreakTheRepetition) {
  database::answers wrong = some();
  wrong[6].digest += 1;
  EXPECT_NE(database::recorded(wrong, some()).broken.value_or("").find("the answer to query 7"), std::string::npos);
  wrong = some();
  wrong[21].rows += 1;
  EXPECT_NE(database::recorded(wrong, some()).broken.value_or("").find("the answer to query 22"), std::string::npos);
}

TEST(Queries, AreTwentyTwoThatDiffer) {
  std::set<std::string> all;
  for (std::size_t i = 1; i <= tpch::query_count; ++i) all.insert(tpch::query(i, 1));
  EXPECT_EQ(all.size(), 22U);
  EXPECT_THROW(static_cast<void>(tpch::query(0, 1)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(tpch::query(23, 1)), std::out_of_range);
}

TEST(Queries, OneHasAFractionOfTheScaleFactor) {
  EXPECT_NE(tpch::query(11, 1).find("* 0.0001000000 from"), std::string::npos);
  EXPECT_NE(tpch::query(11, 0.01).find("* 0.0100000000 from"), std::string::npos);
}

}  // namespace
}  // namespace synchro::experiments
