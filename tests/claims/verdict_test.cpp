// The rule by which an interval and a range come to a verdict.

#include "claims/verdict.hpp"

#include <gtest/gtest.h>

#include "claims/book.hpp"

namespace synchro::tests {
namespace {

using namespace claims;

estimate between(double low, double high) { return {(low + high) / 2, std::pair{low, high}}; }

TEST(Verdict, IsOfTheWholeInterval) {
  const range two_to_seven{2, 7.5};
  EXPECT_EQ(within(between(2.1, 7.4), two_to_seven), verdict::holds);
  EXPECT_EQ(within(between(1.1, 1.9), two_to_seven), verdict::fails);
  EXPECT_EQ(within(between(90, 110), two_to_seven), verdict::fails);
  EXPECT_EQ(within(between(1.9, 2.1), two_to_seven), verdict::unresolved);
  EXPECT_EQ(within(between(1, 100), two_to_seven), verdict::unresolved);
  EXPECT_EQ(within({3, std::nullopt}, two_to_seven), verdict::unresolved);
}

TEST(Verdict, OfMoreIsNotDecidedByExactlyAsMuch) {
  EXPECT_EQ(within(between(1, 1), from(1)), verdict::unresolved);
  EXPECT_EQ(within(between(1, 1), up_to(1)), verdict::unresolved);
  EXPECT_EQ(within(between(1, 1), {0.9, 1.1}), verdict::holds);
}

TEST(Estimate, InWordsHasAnIntervalWhoseEndsArePrintedApart) {
  EXPECT_EQ(in_words(between(2.08, 2.16)), "2.12 (2.08 to 2.16)");
  EXPECT_EQ(in_words(between(1.2401, 1.2402)), "1.24");
  EXPECT_EQ(in_words({302, std::pair{302.0, 302.1}, "cycle"}), "302 cycles");
  EXPECT_EQ(in_words({1.24, std::nullopt}), "1.24 (no interval)");
}

TEST(Verdict, OfTheWholeIsThatOfTheParts) {
  const auto f = [](verdict v) { return finding{v, to_string(v)}; };
  EXPECT_EQ(all_of({f(verdict::holds), f(verdict::holds)}, "").is, verdict::holds);
  EXPECT_EQ(all_of({f(verdict::holds), f(verdict::unresolved)}, "").is, verdict::unresolved);
  EXPECT_EQ(all_of({f(verdict::holds), f(verdict::unresolved), f(verdict::unmeasured)}, "").is, verdict::unmeasured);
  EXPECT_EQ(all_of({f(verdict::fails), f(verdict::unresolved), f(verdict::unmeasured)}, "").is, verdict::fails);
  EXPECT_EQ(all_of({}, "why").sentence, "why");
}

TEST(Parts, WhatIsMissingIsSaidOnce) {
  EXPECT_EQ(all_of({missing("no locks"), missing("no locks")}, "").sentence, "no locks");
  EXPECT_EQ(all_of({missing("no locks"), missing("no tables"), missing("no locks")}, "").sentence,
            "no locks; no tables");
}

TEST(Parts, NothingIsCountedWhereNothingWasCompared) {
  EXPECT_EQ(all_of(std::vector<finding>(4, missing("no locks")), "").sentence, "no locks");
  std::vector<finding> some(4, missing("no locks"));
  some[0].is = verdict::holds;
  EXPECT_TRUE(all_of(some, "").sentence.starts_with("of 1 comparison 1 agrees, 0 disagree, "));
  for (finding& f : some) f.is = verdict::fails;
  some[0].is = verdict::unresolved;
  EXPECT_TRUE(all_of(some, "").sentence.starts_with("of 4 comparisons 0 agree, 3 disagree, 1 is not resolved; "));
}

TEST(Parts, WhatTheProtocolDecidesIsThatOfTheWhole) {
  const finding paused{.is = verdict::unresolved, .sentence = "", .by_the_protocol = true};
  const finding holds{verdict::holds, ""}, fails{verdict::fails, ""};
  EXPECT_TRUE(all_of({holds, paused}, "").by_the_protocol);
  EXPECT_FALSE(all_of({fails, paused}, "").by_the_protocol) << "it fails by something else";
  EXPECT_FALSE(all_of({holds, {verdict::unresolved, ""}}, "").by_the_protocol);
}

TEST(Off, IsFoundOverTheNumberOrTheEndOfTheRange) {
  EXPECT_DOUBLE_EQ(off_number(5, 10)->times, 0.5);
  EXPECT_DOUBLE_EQ(off_number(5, 10)->factor(), 2);
  EXPECT_FALSE(off_number(0, 10));
  EXPECT_DOUBLE_EQ(off_range(1.5, {2, 7.5})->times, 0.75);
  EXPECT_DOUBLE_EQ(off_range(15, {2, 7.5})->times, 2);
  EXPECT_EQ(off_range(3, {2, 7.5})->times, 1);
  EXPECT_EQ(off_range(0.3, up_to(1))->times, 1);
  EXPECT_EQ(off_range(3, from(1))->times, 1);
}

TEST(Off, OfTheWholeIsThatOfTheFarthestPart) {
  const auto f = [](double found) { return judged(estimate{found, std::pair{found, found}}, {2, 8}, "", ""); };
  EXPECT_DOUBLE_EQ(all_of({f(3), f(16), f(0.5)}, "").off->times, 0.25);
  const finding set_by_something_else{verdict::unresolved, "", estimate{3, std::nullopt}};
  EXPECT_FALSE(all_of({f(16), set_by_something_else}, "").off);
  EXPECT_TRUE(all_of({f(16), finding{verdict::holds, "no figure"}}, "").off);
}

results::cell sampled(std::vector<double> samples) { return results::samples::made("x", {}, "t", "ns", samples); }

TEST(Ratio, IsOfPairsWhereTheyPairAndElseOfTwoSamples) {
  // A drift that both share cancels by pairs only.
  results::cell a = sampled({100, 120, 140, 160, 180, 200, 220}), b = sampled({50, 60, 70, 80, 90, 100, 110});
  a.quality = b.quality = results::flag::noisy;
  ASSERT_TRUE(ratio_of(a, b)->ci);
  EXPECT_DOUBLE_EQ(ratio_of(a, b)->ci->first, 2);
  EXPECT_DOUBLE_EQ(ratio_of(a, b)->ci->second, 2);
  a.noise = {{"repetition", std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6}}};
  b.noise = {{"repetition", std::vector<unsigned>{7, 8, 9, 10, 11, 12, 13}}};
  ASSERT_TRUE(ratio_of(a, b)->ci);
  EXPECT_LT(ratio_of(a, b)->ci->first, 1.5);
  EXPECT_GT(ratio_of(a, b)->ci->second, 2.5);
  a.quality = results::flag::unreliable;
  EXPECT_FALSE(ratio_of(a, b)->ci);
}

}  // namespace
}  // namespace synchro::tests
