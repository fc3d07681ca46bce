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
row made(const char* id, char letter, verdict is, std::optional<verdict> by_another_seed, std::string over_ranges) {
  return {claims::claim_of(id), {"Opteron", letter, {is, "5"}}, by_another_seed, std::move(over_ranges)};
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Ledger, WhatTwoSeedsDoNotAgreeOnIsCountedApart) {
  ledger sums;
  sums.add(made("S24", 'J', verdict::holds, verdict::holds, "holds"));
  sums.add(made("S25", 'J', verdict::holds, verdict::unresolved, "holds"));
  sums.add(made("S26", 'P', verdict::fails, verdict::fails, "holds in 3 of 4"));
  const std::string text = sums.text();
  EXPECT_TRUE(says(text,
                   "\npredicted, and held out, at all four corners that were tried: another seed says otherwise 1, "
                   "depends on assumed constants 1, holds 1\n"))
      << text;
  EXPECT_TRUE(text.starts_with("predicted, and held out: another seed says otherwise 1, does not hold 1, holds 1\n"))
      << text;
  EXPECT_TRUE(says(text, "\nclass J, predicted: another seed says otherwise 1, holds 1\n")) << text;
}

TEST(Ledger, ARowSaysBothVerdicts) {
  const std::string agree = made("S24", 'J', verdict::holds, verdict::holds, "holds").text();
  EXPECT_TRUE(says(agree, " | J, held out | holds | holds | ")) << agree;
  const std::string differ = made("S23", 'P', verdict::holds, verdict::fails, "holds").text();
  EXPECT_TRUE(says(differ, " | P | another seed says otherwise (holds; does not hold) | holds | ")) << differ;
}

TEST(Ledger, WhatIsGivenNeedsNoSeed) {
  row given = made("S1", 'J', verdict::holds, {}, "-");
  given.nominal.given = true;
  EXPECT_TRUE(says(given.text(), " | J, given | holds | - | ")) << given.text();
  ledger sums;
  sums.add(given);
  EXPECT_TRUE(sums.text().starts_with("given to the models: holds 1\n")) << sums.text();
}

}  // namespace
