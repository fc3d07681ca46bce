#include "experiments/throttle/best_throttle.hpp"

#include <gtest/gtest.h>

#include "results/samples.hpp"
#include "views/as_declared.hpp"

namespace synchro::experiments::throttle {

using namespace results;
using namespace views;
namespace {

using samples::around;
using samples::made;
using samples::whole;

cell timed(std::int64_t permits, double seconds, const std::string& variant = "integer") {
  return made("throttle.sum", {{"variant", variant}, {"threads", whole(64)}, {"permits", whole(permits)}}, "time", "ns",
              around(seconds * 1e9));
}

cells all_of(const std::vector<cell>& list) {
  cells all;
  for (const cell& c : list) all.push_back(&c);
  return all;
}

TEST(Throttle, TheBestIsComparedWithNoLimit) {
  const std::vector<cell> list{timed(1, 4), timed(2, 2), timed(64, 2.5), timed(0, 2.4)};
  const auto best = best_throttle(all_of(list));
  ASSERT_TRUE(best && best->gain);
  EXPECT_EQ(best->permits, 2);
  EXPECT_NEAR(best->gain->value, 1.2, 1e-9);
  EXPECT_NE(in_words(*best).find("20 % longer"), std::string::npos) << in_words(*best);
}

TEST(Throttle, NoLimitIsNeverTheBestNumber) {
  const std::vector<cell> list{timed(2, 2), timed(0, 1)};
  const auto best = best_throttle(all_of(list));
  ASSERT_TRUE(best);
  EXPECT_EQ(best->permits, 2);
  EXPECT_NE(in_words(*best).find("Limiting concurrency did not help 64 threads that only compute: a limit of 2 was 100 "
                                 "% slower than none."),
            std::string::npos)
      << in_words(*best);
  EXPECT_FALSE(best_throttle(cells{}));
}

/// Every second repetition takes so much more, every other as much less.
cell scattered(std::int64_t permits, double seconds, double by) {
  cell c = timed(permits, seconds);
  for (std::size_t i = 0; i < c.samples.size(); ++i) c.samples[i] *= i % 2 == 0 ? 1 + by : 1 - by;
  summarize(c);
  return c;
}

TEST(Throttle, WhatIsNotResolvedIsNotSaidToHelpNorNotTo) {
  const cell with = timed(2, 2), without = scattered(0, 2, 0.06);
  const std::string text = in_words(*best_throttle({&with, &without}));
  EXPECT_EQ(text,
            "Limiting concurrency of 64 threads that only compute: no difference is resolved between a limit of 2 and "
            "none: 6.0 % faster (6.4 % "
            "slower to 6.0 % faster).");
}

TEST(Throttle, NothingIsFoundInCellsThatAreNotSure) {
  const cell with = timed(2, 2), other = timed(4, 3), without = timed(0, 2.4);
  const cell unsure = scattered(4, 1, 0.4), unsure_without = scattered(0, 1.1, 0.4);
  EXPECT_FALSE(best_throttle({&with, &unsure_without}));
  EXPECT_FALSE(best_throttle({&unsure, &without}));
  const auto best = best_throttle({&with, &unsure, &other, &without});
  ASSERT_TRUE(best);
  EXPECT_EQ(best->permits, 2) << "the one that is not sure is no rival";
  EXPECT_NE(in_words(*best).find("finish sooner when at most 2"), std::string::npos)
      << "but it may be first: " << in_words(*best);
  const cell behind = scattered(4, 9, 0.4);
  EXPECT_NE(in_words(*best_throttle({&with, &behind, &other, &without})).find("finish first when at most 2"),
            std::string::npos)
      << "wherever it lies, that is behind";
  const cell pool = timed(2, 2, "pool"), another = timed(4, 3, "pool");
  cell unsure_pool = unsure;
  unsure_pool.at.set("variant", "pool");
  EXPECT_EQ(in_words(*best_throttle({&pool, &another, &unsure_pool})).find("fastest"), std::string::npos);
}

/// Each of nine limits makes the crowd faster in all of so many repetitions.
std::string best_of_nine(std::size_t repetitions) {
  std::vector<cell> list;
  for (std::int64_t permits = 1; permits <= 9; ++permits) list.push_back(timed(permits, permits == 3 ? 2 : 2.2));
  list.push_back(timed(0, 2.4));
  for (cell& c : list) {
    while (c.samples.size() < repetitions) c.samples.push_back(c.samples[c.samples.size() % 11]);
    c.samples.resize(repetitions);
    summarize(c);
  }
  cells all;
  for (const cell& c : list) all.push_back(&c);
  return in_words(*best_throttle(all));
}

TEST(Throttle, ALimitChosenAmongManyIsNotToldAsCertain) {
  EXPECT_EQ(best_of_nine(6),
            "Limiting concurrency seems to help: 64 threads that only compute finish sooner when at most 3 run at a "
            "time; without a limit they took "
            "20 % longer. The limit was chosen among 9 by the same repetitions: confirm it by --permits "
            "3,0.");
  EXPECT_EQ(best_of_nine(22),
            "Limiting concurrency helps: 64 threads that only compute finish first when at most 3 run at a time; "
            "without a limit they take 20 % "
            "longer.")
      << "so many repetitions bear the choice";
}

TEST(Throttle, EachKindOfWorkIsCalledWhatItIs) {
  const auto words = [](const std::string& variant) {
    const std::vector<cell> list{timed(2, 2, variant), timed(4, 3, variant), timed(0, 3, variant)};
    return in_words(*best_throttle(all_of(list)));
  };
  EXPECT_NE(words("integer").find("64 threads that only compute finish first when at most 2"), std::string::npos);
  EXPECT_NE(words("memory").find("64 threads that read memory"), std::string::npos) << words("memory");
  EXPECT_EQ(words("pool"), "A pool does the work of 64 threads fastest with 2 threads of its own.");
}

TEST(Throttle, OneNumberIsNotTheBestOfSeveral) {
  const std::vector<cell> one{timed(2, 2), timed(0, 3)}, alike{timed(2, 2), timed(4, 2), timed(0, 3)};
  EXPECT_NE(in_words(*best_throttle(all_of(one))).find("finish sooner when"), std::string::npos);
  EXPECT_NE(in_words(*best_throttle(all_of(alike))).find("finish sooner when"), std::string::npos);
  const std::vector<cell> limited{timed(2, 2), timed(4, 3)}, pools{timed(2, 2, "pool"), timed(4, 2, "pool")};
  EXPECT_NE(in_words(*best_throttle(all_of(limited))).find("not measured without one"), std::string::npos);
  EXPECT_EQ(in_words(*best_throttle(all_of(pools))),
            "No pool size measurably did the work of 64 threads faster than the others.");
}

TEST(Throttle, TheTableHasTheFormOfTheArticlesLogAndItsFourLogs) {
  const std::vector<cell> list{timed(2, 55.44), timed(10, 0.25), timed(0, 67.55)};
  const std::string text = show(list, {.width = 0});
  EXPECT_NE(text.find("-- 55.44"), std::string::npos) << text;
  EXPECT_NE(text.find("-- 0.250"), std::string::npos);
  EXPECT_NE(text.find("-- 109.17"), std::string::npos);  // with one permit, on the author's machine
  EXPECT_NE(text.find("-- 29.79"), std::string::npos);   // without a semaphore, on the last reader's
  EXPECT_LT(text.find("\n   10"), text.find("\n    0"));
}

TEST(Throttle, FilesOfOtherShapesAreShownAllTheSame) {
  const cell odd = made("throttle.sum", {{"variant", "integer"}, {"permits", "many"}}, "time", "ns", around(1e9));
  EXPECT_FALSE(show({odd}, {}).empty());
  EXPECT_NO_THROW(static_cast<void>(summary(samples::complete_document({odd}))));
}

}  // namespace
}  // namespace synchro::experiments::throttle
