// What statistics have to give, as vectors.py computed it; the tests of the report's statistics read the same file.

#ifndef SYNCHRO_TESTS_STATISTICS_VECTORS_HPP
#define SYNCHRO_TESTS_STATISTICS_VECTORS_HPP

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "statistics/statistics.hpp"

namespace synchro::tests {

/// A group of the file: "samples", "pairs", "cells", "flags" or "looks". Throws if there is none.
inline nlohmann::json vectors(const char* group) {
  std::ifstream file{SYNCHRO_VECTORS};
  return nlohmann::json::parse(file).at(group);
}

inline std::optional<std::pair<double, double>> interval_of(const nlohmann::json& j) {
  if (j.is_null()) return std::nullopt;
  return std::pair{j.at(0).get<double>(), j.at(1).get<double>()};
}

/// But for rounding.
inline void expect_equal(double found, double expected) { EXPECT_NEAR(found, expected, 1e-12 * std::abs(expected)); }

inline void expect_equal(const results::ratio& found, const nlohmann::json& expected) {
  SCOPED_TRACE(expected.dump());
  expect_equal(found.value, expected.at("ratio").get<double>());
  const auto ci = interval_of(expected.at("interval"));
  ASSERT_TRUE(found.ci && ci);
  expect_equal(found.ci->first, ci->first);
  expect_equal(found.ci->second, ci->second);
  EXPECT_EQ(found.resolved(), expected.at("resolved").get<bool>());
}

}  // namespace synchro::tests

#endif
