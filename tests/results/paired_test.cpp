#include "results/paired.hpp"

#include <gtest/gtest.h>

#include "results/samples.hpp"
#include "statistics/vectors.hpp"

namespace synchro::results {
namespace {

/// A cell of repetitions, each a number and a sample.
cell repeated(const nlohmann::json& repetitions) {
  std::vector<double> samples;
  auto numbers = nlohmann::ordered_json::array();
  for (const auto& r : repetitions)
    numbers.push_back(r.at(0).get<unsigned>()), samples.push_back(r.at(1).get<double>());
  cell c = samples::made("x", {}, "t", "ns", samples);
  c.noise = {{"repetition", numbers}};
  return c;
}

TEST(PairedCells, HaveTheRatioOfTheRepetitionsThatBothHave) {
  for (const char* group : {"pairs", "cells"})
    for (const auto& both : tests::vectors(group)) {
      const auto found = paired_ratio(repeated(both.at("a")), repeated(both.at("b")));
      ASSERT_TRUE(found) << both;
      tests::expect_equal(*found, both);
    }
}

TEST(PairedCells, NeedARepetitionThatBothHave) {
  EXPECT_FALSE(paired_ratio(repeated({{0, 1.0}, {1, 2.0}}), repeated({{2, 1.0}, {3, 2.0}})));
}

}  // namespace
}  // namespace synchro::results
