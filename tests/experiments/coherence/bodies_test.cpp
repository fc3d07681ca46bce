#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <set>

#include "experiments/coherence/local_body.hpp"
#include "experiments/coherence/pairs_body.hpp"
#include "experiments/coherence/representatives.hpp"
#include "experiments/coherence/single_body.hpp"
#include "experiments/coherence/working_set.hpp"
#include "measure/host.hpp"
#include "spy.hpp"

namespace synchro::experiments::coherence {
namespace {

using host_line = line<hardware>;
using tests::spying_laboratory;
using tests::spying_machine;

TEST(Lines, LinksMakeOneCycleThroughAll) {
  std::vector<host_line> lines(1000);
  std::mt19937_64 random{7};
  const std::size_t first = link(std::span{lines}, random).front();
  std::set<const host_line*> visited;
  host_line* at = &lines[first];
  for (std::size_t i = 0; i < lines.size(); ++i) {
    visited.insert(at);
    at = chase(at, 1);
  }
  EXPECT_EQ(visited.size(), lines.size());
  EXPECT_EQ(at, &lines[first]);
}

TEST(Lines, ScatteredLinesLieOnFewPagesAndFarApart) {
  const auto f = std::make_unique<field<hardware>>();
  std::mt19937_64 random{7};
  const visit<hardware> chosen = scattered<hardware>(field_lines<hardware>{f->lines}, random);
  std::set<std::size_t> pages;
  std::set<std::size_t> offsets;
  for (const host_line* const l : chosen) {
    const auto index = static_cast<std::size_t>(l - f->lines.data());
    pages.insert(index / field<hardware>::lines_of_page);
    offsets.insert(index % field<hardware>::lines_of_page);
  }
  EXPECT_EQ(chosen.size(), 64U);
  EXPECT_EQ(pages.size(), 32U) << "some processors keep the translations of 48";
  for (std::size_t i = 0; i != chosen.size(); i += 2)
    EXPECT_EQ(chosen[i + 1] - chosen[i], static_cast<std::ptrdiff_t>(field<hardware>::lines_of_page / 2));
  EXPECT_EQ(offsets.size(), std::min<std::size_t>(64, field<hardware>::lines_of_page));
}

TEST(Local, LinesAreVisitedAndBatchesCounted) {
  std::vector<line<spying_machine>> lines(500);
  const batches b = chase_trial<spying_laboratory>(std::span{lines}, 0, 5, 1);
  EXPECT_EQ(b.each_ns.size(), 5U);
  EXPECT_EQ(b.unexpected, 0U);
}

TEST(Single, InstructionsAreRunAsOftenAsSaid) {
  std::size_t runs = 0;
  const batches b = instruction_trial<spying_laboratory>(0, 3, 20, [&] { ++runs; });
  EXPECT_EQ(runs, 3U * 200U);
  EXPECT_EQ(b.each_ns.size(), 3U);
}

TEST(Timing, ShortRegionsAreMarkedAsLimitedByTheClock) {
  batches b;
  for (int i = 0; i < 3; ++i) b.add(199, 10, 9);
  EXPECT_TRUE(b.clock_limited(10));
  EXPECT_FALSE(b.clock_limited(9.9));
  EXPECT_DOUBLE_EQ(b.each_ns.front(), 21);
}

class Pairs : public testing::TestWithParam<protocol> {};

TEST_P(Pairs, EachSideMakesItsTurns) {
  const auto f = std::make_unique<field<spying_machine>>();
  const pair_job job{GetParam(), 0, 1, 5, 20, 10};
  pair_trial<spying_laboratory> trial{job, field_lines<spying_machine>{f->lines}, 3};
  const pair_outcome o = trial.run();
  const std::uint64_t turns = 110;
  EXPECT_EQ(pair_trial<spying_laboratory>::turns_of(job), turns);
  EXPECT_EQ(o.from_turns, turns);
  EXPECT_EQ(o.to_turns, turns);
  EXPECT_EQ(o.word, GetParam() == protocol::cas ? 2 * turns : turns);
  ASSERT_EQ(o.hand_off_ns.size(), 5U);
  for (const double ns : o.hand_off_ns) EXPECT_GT(ns, 0);
}

INSTANTIATE_TEST_SUITE_P(Every, Pairs, testing::Values(protocol::cas, protocol::handover, protocol::oneway));

/// Its counter stands still while several messages could be sent.
struct coarse_laboratory : spying_laboratory {
  static std::uint64_t now() { return 1 + spying_laboratory::now() / 16; }
};

TEST(PairsByStamps, EveryMessageHasAStampOfItsOwn) {
  const auto f = std::make_unique<field<spying_machine>>();
  const pair_job job{protocol::oneway, 0, 1, 5, 20, 10};
  pair_trial<coarse_laboratory> trial{job, field_lines<spying_machine>{f->lines}, 3};
  const pair_outcome o = trial.run();
  EXPECT_EQ(o.from_turns, 110U);
  EXPECT_EQ(o.to_turns, 110U);
}

TEST(Representatives, AreAllProcessorsWhenThereAreFew) {
  const auto machine = platform::topology_from_synthetic("Package:2 L3Cache:1 Core:4 PU:2");
  EXPECT_EQ(representatives(machine, 16).size(), 16U);
  EXPECT_EQ(representatives(machine, 100).size(), 16U);
}

TEST(Representatives, KeepEveryDistance) {
  const auto machine = platform::topology_from_synthetic("Package:2 L3Cache:4 L2Cache:4 Core:2 PU:2");
  const std::vector<unsigned> few = representatives(machine, 12);
  EXPECT_EQ(few.size(), 12U);
  EXPECT_EQ(std::set<unsigned>(few.begin(), few.end()).size(), few.size());
  EXPECT_EQ(machine.restricted_to(few).distances(), machine.distances());
}

TEST(WorkingSet, FitsItsCacheOrIsSeveralTimesTheLast) {
  platform::topology machine;
  machine.caches = {{1, 32 << 10, 64, 1}, {2, 1 << 20, 64, 1}, {3, 32 << 20, 64, 8}};
  EXPECT_EQ(working_set_of(machine, "l1").bytes, 16U << 10);
  EXPECT_EQ(working_set_of(machine, "l2").bytes, 512U << 10);
  EXPECT_EQ(working_set_of(machine, "llc").bytes, 4U << 20);
  EXPECT_EQ(working_set_of(machine, "ram").bytes, 128U << 20);
}

TEST(WorkingSet, OfTheLastLevelIsBeyondTheSecondAndInsideTheLast) {
  platform::topology machine;
  machine.caches = {{1, 32 << 10, 64, 1}, {2, 2 << 20, 64, 2}, {3, 6 << 20, 64, 4}};
  EXPECT_EQ(working_set_of(machine, "llc").bytes, 3U << 20);
  machine.caches.back().bytes = 256U << 20;
  EXPECT_EQ(working_set_of(machine, "llc").bytes, 32U << 20);
}

TEST(WorkingSet, SaysWhatThereIsNot) {
  platform::topology machine;
  EXPECT_TRUE(working_set_of(machine, "l1").unavailable);
  machine.caches = {{1, 32 << 10, 64, 1}, {2, 1 << 20, 64, 2}};
  EXPECT_FALSE(working_set_of(machine, "l2").unavailable);
  EXPECT_TRUE(working_set_of(machine, "llc").unavailable);
  machine.caches.push_back({3, 105 << 20, 64, 64});
  EXPECT_TRUE(working_set_of(machine, "ram").unavailable);
}

}  // namespace
}  // namespace synchro::experiments::coherence
