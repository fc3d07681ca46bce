// What a judge finds in a document, and how cells compare.

#include "claims/evidence.hpp"

#include <gtest/gtest.h>

#include "claims/book.hpp"

namespace synchro::tests {
namespace {

using namespace claims;

TEST(Evidence, KnowsTheModelAndWhetherThreadsShareCores) {
  const results::document here = book{8}, packed = with_two_threads_a_core(here);
  results::document called_so = here;
  called_so.machine = {{"kind", "hardware"}, {"model_name", "xeon"}};
  const results::document simulated = on_the_model("xeon", here);
  EXPECT_EQ(evidence{simulated}.model(), "xeon");
  EXPECT_EQ(evidence{called_so}.model(), "") << "is a processor's name";
  EXPECT_FALSE(evidence{here}.shares_cores(8));
  EXPECT_FALSE(evidence{packed}.shares_cores(4));
  EXPECT_TRUE(evidence{packed}.shares_cores(5));
}

TEST(Compared, OneOfManyHasToBeSurerToRefute) {
  const auto constant = [](double value) {
    return results::samples::made("x", {}, "t", "ns", std::vector<double>(6, value));
  };
  const results::cell a = constant(99), b = constant(100);
  EXPECT_EQ(compared(&a, &b, from(1), {}, "").is, verdict::fails);
  EXPECT_DOUBLE_EQ(compared(&a, &b, from(1), {}, "").off->times, 0.99);
  EXPECT_DOUBLE_EQ(compared(&a, &b, from(0.9), {}, "").off->times, 1);
  EXPECT_EQ(compared(&a, &b, from(1), {}, "", 70).is, verdict::unresolved);
}

TEST(Compared, SaysWhereTheRatioIsNotThatOfTheValuesBesideIt) {
  const auto repeated = [](const std::string& lock, const std::vector<double>& samples) {
    results::cell c = results::samples::made("x", {{"lock", lock}}, "t", "ns", samples);
    c.noise = {{"repetition", {0, 1, 2, 3, 4, 5, 6}}};
    return c;
  };
  const results::cell a = repeated("a", {10, 20, 30, 40, 50, 60, 70}),
                      twice = repeated("b", {5, 10, 15, 20, 25, 30, 35});
  const std::string plain = compared(&a, &twice, from(1), {"lock"}, "").sentence;
  EXPECT_TRUE(plain.starts_with("a 40.0 ns against b 20.0 ns: ratio 2.00 (") && plain.ends_with(')')) << plain;
  const results::cell turned = repeated("b", {1, 10, 10, 20, 10, 30, 30});
  const std::string paired = compared(&a, &turned, from(1), {"lock"}, "").sentence;
  EXPECT_TRUE(paired.starts_with("a 40.0 ns against b 10.0 ns: ratio 2.33 (")) << paired;
  EXPECT_TRUE(paired.ends_with("), the median of the ratios within each repetition")) << paired;
}

TEST(Evidence, IsOfTheModeInWhichMostWasMeasured) {
  book b{4};
  b.add("x", {{"threads", number(1)}}, "t", "ns", 10);
  b.add("x", {{"threads", number(1)}, {"mode", "far"}}, "t", "ns", 80);
  b.add("x", {{"threads", number(2)}, {"mode", "far"}}, "t", "ns", 90);
  const results::document d = b;
  const auto found = evidence{d}.find("x", "t");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(*found.front()->value, 80);
}

TEST(Evidence, ASocketIsAMemoryNodeOfAPackage) {
  const results::document d = book{8, 2};
  const evidence e{d};
  EXPECT_EQ(e.processors(), 8);
  EXPECT_EQ(e.sockets(), 2);
  EXPECT_EQ(e.socket(), 4);
  EXPECT_TRUE(e.crosses_sockets("one_hop"));
  const results::document single = book{8};
  EXPECT_FALSE(evidence{single}.crosses_sockets("one_hop"));
}

}  // namespace
}  // namespace synchro::tests
