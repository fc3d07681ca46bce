// The statistics against vectors.json.

#include "statistics/vectors.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace synchro::results {
namespace {

using tests::interval_of;
using tests::vectors;

TEST(Vectors, OfMediansAndTheirIntervals) {
  for (const auto& sample : vectors("samples")) {
    const auto values = sample.at("values").get<std::vector<double>>();
    tests::expect_equal(median(values), sample.at("median").get<double>());
    for (const auto& expected : sample.at("intervals"))
      EXPECT_EQ(median_interval(values, expected.at(0).get<double>()), interval_of(expected.at(1)))
          << expected << " of " << values.size() << " values";
  }
}

TEST(Vectors, OfQuantiles) {
  for (const auto& sample : vectors("samples"))
    for (const auto& expected : sample.at("quantiles")) {
      const auto found = quantile(sample.at("values").get<std::vector<double>>(), expected.at(0).get<double>());
      ASSERT_TRUE(found) << expected;
      tests::expect_equal(*found, expected.at(1).get<double>());
    }
}

TEST(Vectors, OfPairedRatios) {
  for (const auto& pair : vectors("pairs")) {
    std::vector<double> a, b;
    for (const auto& repetition : pair.at("a")) a.push_back(repetition.at(1).get<double>());
    for (const auto& repetition : pair.at("b")) b.push_back(repetition.at(1).get<double>());
    tests::expect_equal(paired_ratio(a, b), pair);
  }
}

}  // namespace
}  // namespace synchro::results
