// Levels of made matrices, found exactly.

#include "statistics/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>

namespace synchro::statistics {
namespace {

using numbers = std::vector<std::size_t>;
using rule = std::function<double(std::size_t, std::size_t)>;

distances made(std::size_t n, const rule& between) {
  distances d{n};
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < a; ++b) d.set(a, b, between(a, b));
  return d;
}

/// Two threads a core, four cores a die, three dies a package, two packages.
double large_machine(std::size_t a, std::size_t b) {
  return a / 2 == b / 2 ? 8 : a / 8 == b / 8 ? 25 : a / 24 == b / 24 ? 100 : 240;
}

numbers groups_of(const std::vector<level>& levels) {
  numbers all;
  for (const level& l : levels) all.push_back(l.groups);
  return all;
}

TEST(Levels, AreFoundThroughScatterWhateverTheOrder) {
  constexpr std::size_t n = 48;
  std::mt19937_64 random{7};
  numbers place(n);
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::shuffle(place.begin(), place.end(), random);
  std::uniform_real_distribution<double> scatter{0.85, 1.15};
  const auto levels = levels_of(
      made(n, [&](std::size_t a, std::size_t b) { return scatter(random) * large_machine(place[a], place[b]); }));
  ASSERT_EQ(groups_of(levels), (numbers{24, 6, 2, 1}));
  const numbers sizes{2, 8, 24, 48};
  for (std::size_t l = 0; l < levels.size(); ++l) {
    EXPECT_TRUE(levels[l].regular());
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        EXPECT_EQ(levels[l].group_of[a] == levels[l].group_of[b], place[a] / sizes[l] == place[b] / sizes[l]);
  }
  EXPECT_NEAR(levels[1].median, 25, 2);
}

TEST(Levels, TellTheMedianAndTheEndsOfWhatIsNewInThem) {
  distances d = made(4, [](std::size_t a, std::size_t b) { return a / 2 == b / 2 ? 10. : 50. + double(a + b); });
  const auto levels = levels_of(d);
  ASSERT_EQ(groups_of(levels), (numbers{2, 1}));
  EXPECT_EQ(levels[0].median, 10);
  EXPECT_EQ(levels[1].least, 52);
  EXPECT_EQ(levels[1].median, 53);
  EXPECT_EQ(levels[1].most, 54);
}

TEST(Levels, OfOneLevelAreOne) {
  EXPECT_EQ(groups_of(levels_of(made(6, [](std::size_t, std::size_t) { return 40; }))), (numbers{1}));
  EXPECT_EQ(groups_of(levels_of(made(2, [](std::size_t, std::size_t) { return 40; }))), (numbers{1}));
  EXPECT_TRUE(levels_of(distances{1}).empty());
}

TEST(Levels, NeedNotBeAlike) {
  const numbers cluster{0, 0, 1, 1, 1, 2, 2, 2};
  const auto levels =
      levels_of(made(8, [&](std::size_t a, std::size_t b) { return cluster[a] == cluster[b] ? 40 : 145; }));
  ASSERT_EQ(groups_of(levels), (numbers{3, 1}));
  EXPECT_EQ(levels[0].group_of, cluster);
  EXPECT_FALSE(levels[0].regular());
}

/// One core's threads that look farther apart than all others' are in the same level.
TEST(Levels, AreNotMadeByAnOutlier) {
  distances d = made(16, [](std::size_t a, std::size_t b) { return a / 2 == b / 2 ? 7 : 45; });
  d.set(4, 5, 13);
  EXPECT_EQ(groups_of(levels_of(d)), (numbers{8, 1}));
}

/// Neither the farthest pair of two groups decides nor the nearest one.
TEST(Levels, AreNotMadeByAStrayPair) {
  distances d = made(32, [](std::size_t a, std::size_t b) { return a / 16 == b / 16 ? 45 : 130; });
  d.set(0, 1, 130);
  d.set(2, 20, 45);
  const auto levels = levels_of(d);
  ASSERT_EQ(groups_of(levels), (numbers{2, 1}));
  EXPECT_EQ(levels[0].group_of[0], levels[0].group_of[1]);
  EXPECT_NE(levels[0].group_of[2], levels[0].group_of[20]);
}

TEST(Levels, DoNotNeedEveryPair) {
  distances d = made(48, large_machine);
  for (std::size_t a = 0; a + 9 < 48; a += 3) d.set(a, a + 9, 0);
  const auto levels = levels_of(d);
  EXPECT_EQ(groups_of(levels), (numbers{24, 6, 2, 1}));
  EXPECT_EQ(levels[2].median, 100);
  EXPECT_THROW((void)levels_of(distances{3}), std::invalid_argument);
}

TEST(Levels, WhatIsNotKnownIsAsFarAsTheBestWayOverOthers) {
  distances d = made(48, large_machine);
  d.set(0, 9, 0);
  d.set(0, 30, 0);
  EXPECT_TRUE(complete(d));
  EXPECT_EQ(d.between(9, 0), 100);
  EXPECT_EQ(d.between(0, 30), 240);
  distances apart{2};
  EXPECT_FALSE(complete(apart));
}

}  // namespace
}  // namespace synchro::statistics
