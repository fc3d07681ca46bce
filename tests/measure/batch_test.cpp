#include "measure/batch.hpp"

#include <gtest/gtest.h>

namespace synchro::measure {
namespace {

/// A thread whose operations take so many ticks each.
void work(batch& b, std::uint64_t ticks_each, int batches) {
  for (int i = 0; i < batches; ++i) b.took(b.size() * ticks_each);
}

TEST(Batch, GrowsUntilItTakesASpan) {
  batch b{10'000};
  work(b, 4, 30);
  EXPECT_GE(4 * b.size(), 10'000U);
  EXPECT_LE(4 * b.size(), 20'000U);
}

TEST(Batch, ShrinksAtOnceWhereOperationsBecomeDear) {
  batch b{10'000};
  work(b, 4, 30);
  work(b, 400, 1);
  EXPECT_LE(400 * b.size(), 40'000U);
}

TEST(Batch, IsNeverEmptyAndNeverEndless) {
  batch b{10};
  work(b, 1'000'000, 50);
  EXPECT_EQ(b.size(), 1U);
  batch quick{~std::uint64_t{0}};
  work(quick, 0, 100);
  EXPECT_LE(quick.size(), std::uint64_t{1} << 20);
}

}  // namespace
}  // namespace synchro::measure
