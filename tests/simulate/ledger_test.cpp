// How claims are told and counted.

#include "simulate/ledger.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace synchro;
using claims::verdict;
using simulate::ledger;
using simulate::row;

/// S24 is held out, a constant may be set from S23.
row made(const char* id, char letter, verdict is, unsigned seeds, std::string over_ranges) {
  return {claims::claim_of(id), {"Opteron", letter, {is, "5"}, "more than 4"}, seeds, std::move(over_ranges)};
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Ledger, VerdictsAreCountedByOriginClassAndOverTheRanges) {
  ledger sums;
  sums.add(made("S24", 'J', verdict::holds, 12, "holds"));
  sums.add(made("S39", 'J', verdict::unresolved, 24, "not resolved"));
  sums.add(made("S38", 'P', verdict::fails, 12, "holds in 3 of 4"));
  const std::string text = sums.text();
  EXPECT_TRUE(text.starts_with("predicted, and held out: does not hold 1, holds 1, not resolved 1\n")) << text;
  EXPECT_TRUE(says(text,
                   "\npredicted, and held out, at all four corners that were tried: depends on assumed constants 1, "
                   "holds 1, not resolved 1\n"))
      << text;
  EXPECT_TRUE(says(text, "\nclass J, predicted: holds 1, not resolved 1\n")) << text;
  EXPECT_TRUE(says(text, "\nclass P, assumed: does not hold 1\n")) << text;
  EXPECT_TRUE(says(text, "\nseeds that verdicts took: 12 (2 claims), 24 (1 claim)\n")) << text;
}

TEST(Ledger, EachRowCountsOnceByClassAndOrigin) {
  ledger sums;
  const auto from = [](char letter, verdict is, simulations::origin o) {
    row r = made("S24", letter, is, 12, "-");
    r.nominal.from = o;
    return r;
  };
  using simulations::origin;
  sums.add(from('T', verdict::holds, origin::prices));
  sums.add(from('R', verdict::holds, origin::prices));
  sums.add(from('T', verdict::holds, origin::fitted));
  sums.add(from('J', verdict::unresolved, origin::by_the_protocol));
  sums.add(from('-', verdict::unmeasured, origin::simulated));
  sums.add(made("S52", 'J', verdict::fails, 12, "does not hold"));
  sums.add(made("S24", 'B', verdict::holds, 12, "holds"));
  const std::string text = sums.text();
  EXPECT_TRUE(
      text.starts_with("decided by the protocol, not by a model: not resolved 1\n"
                       "fitted: a constant was set so that it holds: holds 1\n"
                       "given to the models: holds 2\n"
                       "not predicted, for it has shaped a model: does not hold 1\n"
                       "not put to a model: not measured 1\n"
                       "predicted, and held out: holds 1\n\n"))
      << text;
  EXPECT_TRUE(says(text,
                   "\nclass -, not put to a model: not measured 1\n"
                   "class B, predicted: holds 1\n"
                   "class J, has shaped a model: does not hold 1\n"
                   "class J, the protocol decides: not resolved 1\n"
                   "class R, given: holds 1\n"
                   "class T, fitted: holds 1\n"
                   "class T, given: holds 1\n"))
      << text;
}

TEST(Ledger, ARowSaysWhatWasAsked) {
  EXPECT_TRUE(says(made("S24", 'B', verdict::holds, 12, "-").text(), " | more than 4 | B, held out | "));
  row protocol = made("S24", 'J', verdict::unresolved, 6, "-");
  protocol.nominal.from = simulations::origin::by_the_protocol;
  EXPECT_TRUE(says(protocol.text(), " | J, the protocol decides | not resolved | ")) << protocol.text();
}

TEST(Ledger, ARowSaysWhenItTookMoreSeedsThanUsual) {
  const std::string usual = made("S24", 'J', verdict::holds, 12, "holds").text();
  EXPECT_TRUE(says(usual, " | J, held out | holds | holds | - | ")) << usual;
  const std::string more = made("S23", 'P', verdict::fails, 24, "holds").text();
  EXPECT_TRUE(says(more, " | P | does not hold, 24 seeds | holds | - | ")) << more;
}

TEST(Ledger, WhatIsGivenNeedsNoSeed) {
  row given = made("S1", 'J', verdict::holds, 6, "-");
  given.nominal.from = simulations::origin::prices;
  EXPECT_TRUE(says(given.text(), " | J, given | holds | - | - | ")) << given.text();
  ledger sums;
  sums.add(given);
  EXPECT_TRUE(sums.text().starts_with("given to the models: holds 1\n")) << sums.text();
}

TEST(Ledger, WhatHasShapedAModelIsNoPrediction) {
  const row r = made("S52", 'J', verdict::holds, 12, "holds");
  EXPECT_TRUE(says(r.text(), " | J, has shaped a model | holds | holds | ")) << r.text();
  ledger sums;
  sums.add(r);
  EXPECT_TRUE(sums.text().starts_with("not predicted, for it has shaped a model: holds 1\n")) << sums.text();
  EXPECT_TRUE(says(sums.text(), "\nclass J, has shaped a model: holds 1\n")) << sums.text();
}

row off_by(char letter, claims::deviation off) {
  row r = made("S24", letter, verdict::fails, 12, "does not hold");
  r.nominal.found.off = off;
  return r;
}

TEST(Ledger, ARowSaysHowWrongItIs) {
  EXPECT_EQ(off_by('P', {0.8, false}).off_by(), "0.8 times");
  EXPECT_EQ(off_by('J', {1.25, true}).off_by(), "1.25 times the end of the range");
  EXPECT_EQ(off_by('J', {1, true}).off_by(), "within the range");
  EXPECT_EQ(made("S24", 'J', verdict::fails, 12, "").off_by(), "-");
  row given = off_by('T', {1, false});
  given.nominal.from = simulations::origin::prices;
  EXPECT_EQ(given.off_by(), "-") << "what comes out went in";
}

TEST(Ledger, TheMedianIsOfFactorsToEitherSideAndOfThoseThatHaveOne) {
  ledger sums;
  sums.add(off_by('P', {0.5, false}));
  sums.add(off_by('P', {1.25, false}));
  sums.add(off_by('P', {3, false}));
  sums.add(off_by('R', {1, true}));
  sums.add(off_by('R', {0.25, true}));
  sums.add(made("S39", 'J', verdict::fails, 12, "does not hold"));
  EXPECT_TRUE(
      sums.text().ends_with("\noff by, of 3 with a number: 2 times to either side in the median\n"
                            "off by, of 2 with a range: within 1, beyond an end 1, those by 4 times in the median\n"))
      << sums.text();
}

}  // namespace
