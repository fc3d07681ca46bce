// What a judge finds in a document, and how cells compare.

#include "claims/evidence.hpp"

#include <gtest/gtest.h>

#include "claims/book.hpp"

namespace synchro::tests {
namespace {

using namespace claims;

TEST(Compared, OneOfManyHasToBeSurerToRefute) {
  const auto constant = [](double value) {
    return results::samples::made("x", {}, "t", "ns", std::vector<double>(6, value));
  };
  const results::cell a = constant(99), b = constant(100);
  EXPECT_EQ(compared(&a, &b, from(1), {}, "").is, verdict::fails);
  EXPECT_EQ(compared(&a, &b, from(1), {}, "", 70).is, verdict::unresolved);
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
