// By how many seeds a claim is judged.

#include "simulations/settled.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "claims/verdict.hpp"

namespace synchro::tests {
namespace {

using claims::finding, claims::verdict;
using simulations::looks, simulations::prover, simulations::score, simulations::settled;

constexpr verdict yes = verdict::holds, no = verdict::fails, open = verdict::unresolved;

/// What comes of such verdicts, one for each look.
simulations::settled_score after(const std::vector<verdict>& each) {
  std::size_t i = 0;
  return settled([&](unsigned) { return score{"a machine", 'P', {each.at(i++), "found"}}; });
}

TEST(Settled, AVerdictIsOneThatTwoLooksSay) {
  EXPECT_EQ(after({no, no}).is.found.is, no);
  EXPECT_EQ(after({no, no}).seeds, looks[1]);
  EXPECT_EQ(after({no, yes, yes}).is.found.is, yes);
  EXPECT_EQ(after({no, yes, yes}).seeds, looks[2]);
  EXPECT_EQ(after({yes, open, yes}).is.found.is, open) << "what is open confirms nothing";
}

TEST(Settled, WhatIsNeverSaidTwiceIsNotResolved) {
  EXPECT_EQ(after({open, open, open}).is.found.is, open);
  const auto last = after({yes, no, yes});
  EXPECT_EQ(last.is.found.is, open);
  EXPECT_EQ(last.seeds, looks.back());
  EXPECT_EQ(last.is.found.sentence, "found (holds by 24 seeds, but not by half as many)");
}

TEST(Settled, WhatNoSeedResolvesIsJudgedOnce) {
  const auto once = [](score s) { return settled([&](unsigned) { return s; }).seeds; };
  EXPECT_EQ(once({"a machine", 'J', {open, "pauses", {}, {}, true}}), looks[0]);
  EXPECT_EQ(once({"a machine", 'J', {yes, "prices"}, "", simulations::origin::prices}), looks[0]) << "given";
  EXPECT_EQ(once({"-", '-', {open, "a set-up"}}), looks[0]);
}

TEST(Settled, APartThatRepetitionsMayResolveLeavesTheWholeOpen) {
  const finding by_pauses{open, "pauses", {}, {}, true}, by_chance{open, "chance"}, sure{yes, "sure"};
  EXPECT_TRUE(claims::all_of({by_pauses, sure}, "").by_the_protocol);
  EXPECT_FALSE(claims::all_of({by_pauses, by_chance}, "").by_the_protocol);
}

double rate(prover& p) { return p.atomic("opteron", "fai", 12); }

/// Found to be at most so many times the usual one.
auto at_most(double limit) {
  return [limit](prover& p) { return finding{rate(p) <= limit ? yes : no, "found"}; };
}

TEST(Settled, AFigureAtItsLimitIsNotResolvedByAFewSeeds) {
  prover p{1};
  const double usual = rate(p);
  EXPECT_EQ(simulations::sure_finding(at_most(usual), p).is, open);
  EXPECT_EQ(simulations::sure_finding(at_most(2 * usual), p).is, yes);
  EXPECT_EQ(simulations::sure_finding(at_most(usual / 2), p).is, no);
  EXPECT_EQ(rate(p), usual) << "draws do not stay";
}

TEST(Settled, MoreSeedsKeepTheFirst) {
  prover p{1}, whole{1};
  const double six = rate(p);
  p.take(12);
  whole.take(12);
  EXPECT_EQ(rate(p), rate(whole));
  EXPECT_NE(rate(p), six);
  p.take(6);
  EXPECT_EQ(rate(p), six);
}

}  // namespace
}  // namespace synchro::tests
