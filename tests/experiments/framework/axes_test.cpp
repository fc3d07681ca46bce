#include "experiments/framework/axes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fakes.hpp"

namespace synchro::experiments {
namespace {

std::vector<std::int64_t> counts(unsigned processors, level l) {
  setting s = quick_setting(processors);
  s.thoroughness = l;
  std::vector<std::int64_t> numbers;
  for (const coordinate& c : thread_counts(s)) numbers.push_back(std::get<std::int64_t>(c));
  return numbers;
}

using numbers = std::vector<std::int64_t>;

TEST(ThreadCounts, ByLevel) {
  EXPECT_EQ(counts(2, level::quick), (numbers{1, 2}));
  EXPECT_EQ(counts(2, level::standard), (numbers{1, 2, 4}));
  EXPECT_EQ(counts(2, level::full), (numbers{1, 2, 4, 16}));
  EXPECT_EQ(counts(6, level::quick), (numbers{1, 2, 6}));
  EXPECT_EQ(counts(6, level::standard), (numbers{1, 2, 4, 6, 12}));
  EXPECT_EQ(counts(12, level::full), (numbers{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 24, 96}));
}

TEST(ThreadCounts, OneProcessorStillHasTwoThreadsToShareIt) { EXPECT_EQ(counts(1, level::quick), (numbers{1, 2})); }

TEST(ThreadCounts, AHugeMachineHasAHandfulAtStandardLevel) {
  EXPECT_EQ(counts(576, level::standard), (numbers{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 576, 1152}));
}

TEST(Processors, OfACellAreThoseOfItsThreadsOnce) {
  const setting s = quick_setting(2);
  EXPECT_EQ(team_of(s, {{"threads", 5}, {"placement", "compact"}}).size(), 5U);
  std::vector<unsigned> distinct = processors_of(s, {{"threads", 5}, {"placement", "compact"}});
  std::sort(distinct.begin(), distinct.end());
  EXPECT_EQ(distinct, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(processors_of(s, {{"threads", 1}, {"placement", "compact"}}).size(), 1U);
  EXPECT_TRUE(processors_of(s, {{"threads", 5}, {"placement", "unpinned"}}).empty());
}

TEST(Placement, SpreadIsLeftOutWhereItIsTheSameAsCompactUnlessAskedFor) {
  setting s = quick_setting(2);
  const coordinates spread{{"threads", 2}, {"placement", "spread"}};
  EXPECT_TRUE(same_as_compact(s, spread));
  EXPECT_FALSE(same_as_compact(s, {{"threads", 2}, {"placement", "compact"}}));
  s.chosen["placement"] = {"spread"};
  EXPECT_FALSE(same_as_compact(s, spread));
}

TEST(Placement, SpreadOverTwoPackagesIsNotCompact) {
  setting s = quick_setting(4);
  for (unsigned cpu : {2U, 3U}) s.machine.processors[cpu].package = s.machine.processors[cpu].cache = 1;
  EXPECT_FALSE(same_as_compact(s, {{"threads", 2}, {"placement", "spread"}}));
  EXPECT_TRUE(same_as_compact(s, {{"threads", 4}, {"placement", "spread"}}));
}

TEST(TeamReport, IsAddedToTheRepetition) {
  repetition r;
  add_to(r, {{"thread 0 could not be pinned", "thread 1 could not be pinned"}, 3, 500, 1});
  add_to(r, {{}, 2, 100, 0});
  EXPECT_EQ(r.involuntary_switches, 5U);
  EXPECT_EQ(r.run_delay_ns, 600U);
  EXPECT_EQ(r.migrations, 1U);
  EXPECT_EQ(r.void_because, "thread 0 could not be pinned (and 1 more of its team)");
}

TEST(TeamReport, AThreadThatWasMovedMakesTheRepetitionVoid) {
  repetition r, unpinned;
  add_to(r, {{}, 0, 0, 1});
  EXPECT_EQ(r.void_because, "a thread was moved from the processor to which it was pinned");
  add_to(unpinned, {{}, 5, 100, 0});
  EXPECT_FALSE(unpinned.void_because);
}

}  // namespace
}  // namespace synchro::experiments
