#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "statistics/statistics.hpp"

namespace synchro::results {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

TEST(Histogram, IsNeverTooSmallAndAtMostOneThirtySecondTooLarge) {
  std::mt19937_64 random{11};
  for (const unsigned bits : {4U, 6U, 12U, 30U, 52U}) {
    histogram h;
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t v = random() >> (64 - 1 - random() % bits);
      all.push_back(v);
      h.record(v);
    }
    std::sort(all.begin(), all.end());
    for (const double q : {0.001, 0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999}) {
      const auto exact = static_cast<double>(all[static_cast<std::size_t>(std::ceil(q * 20'000 - 1e-6)) - 1]);
      const double told = h.quantile(q).value();
      EXPECT_GE(told, exact) << "bits " << bits << ", q " << q;
      EXPECT_LE(told, exact + exact / 32) << "bits " << bits << ", q " << q;
    }
  }
}

TEST(Histogram, TakesEveryValue) {
  for (const std::uint64_t v :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{31}, std::uint64_t{32}, std::uint64_t{33}, std::uint64_t{63},
        std::uint64_t{64}, std::uint64_t{65}, largest / 2, largest / 2 + 1, largest}) {
    histogram h;
    h.record(v);
    EXPECT_EQ(h.count(), 1U);
    EXPECT_EQ(h.max(), v);
    EXPECT_EQ(h.quantile(0.5), static_cast<double>(v)) << "never above the largest value seen";
  }
}

TEST(Histogram, IsExactBelowSixtyFour) {
  for (std::uint64_t v = 0; v < 64; ++v) {
    histogram h;
    for (int i = 0; i < 3; ++i) h.record(v);
    h.record(1000);
    EXPECT_EQ(h.quantile(0.5), static_cast<double>(v));
  }
}

TEST(Histogram, MergesAsIfAllHadBeenRecordedInOne) {
  std::mt19937_64 random{3};
  histogram one;
  histogram left;
  histogram right;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t v = random() >> (random() % 64);
    one.record(v);
    (i % 3 == 0 ? left : right).record(v);
  }
  left.merge(right);
  EXPECT_EQ(left.count(), one.count());
  EXPECT_EQ(left.max(), one.max());
  EXPECT_EQ(left.summary(), one.summary());
}

TEST(Histogram, TellsOnlyTheQuantilesThatMayBeTold) {
  histogram h;
  EXPECT_TRUE(h.summary().empty());
  EXPECT_FALSE(h.quantile(0.5));
  const auto names_after = [&h](std::uint64_t count) {
    while (h.count() < count) h.record(h.count());
    std::string names;
    for (const auto& [name, value] : h.summary()) names += name + " ";
    return names;
  };
  EXPECT_EQ(names_after(1), "p50 ");
  EXPECT_EQ(names_after(99), "p50 ");
  EXPECT_EQ(names_after(100), "p50 p90 ");
  EXPECT_EQ(names_after(1000), "p50 p90 p99 ");
  EXPECT_EQ(names_after(10'000), "p50 p90 p99 p99.9 ");
  EXPECT_EQ(names_after(100'000), "p50 p90 p99 p99.9 p99.99 ");
}

}  // namespace
}  // namespace synchro::results
