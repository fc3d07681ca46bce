// One assumed constant alone at an end of its range, and one claim there.

#include "simulations/sensitivity.hpp"

#include <gtest/gtest.h>

namespace synchro::tests {
namespace {

using claims::verdict;
using simulations::effect;
using simulations::said;

/// What the models say to a claim as they are, or as it is told here.
said what_is_said(const char* id, verdict is, double off = 1) {
  return {claims::claim_of(id),
          {"Opteron", 'P', {is, "", std::nullopt, claims::deviation{off, false}}, "", simulations::origin::simulated}};
}

/// A plain ticket lock with 48 threads: whoever looks at the lock while it is taken holds the line up for as long as reads do.
TEST(Sensitivity, OfOneConstantAndOneClaim) {
  simulations::prover as_it_is{1};
  const claims::claim& plain = claims::claim_of("S23");
  const simulations::score nominal = simulations::score_of(plain, as_it_is);
  const effect moved = simulations::effect_of("read_occupancy", false, {{plain, nominal}}, 1),
               unmoved = simulations::effect_of("network.send", true, {{plain, nominal}}, 1);
  ASSERT_EQ(nominal.found.is, verdict::holds) << nominal.found.sentence;
  EXPECT_EQ(moved.lost, std::vector<std::string>{"S23"});
  EXPECT_LT(moved.off_now.at(0).times, moved.off_as_it_is.at(0).times) << "reads that are sooner over take less time";
  EXPECT_TRUE(unmoved.lost.empty() && unmoved.gained.empty() && unmoved.other.empty());
  EXPECT_EQ(unmoved.off_now.at(0).times, nominal.found.off->times) << "the Opteron has no network of messages";
}

/// Verdicts that change, against what is said here of the models as they are.
TEST(Sensitivity, TellsWhatIsLostGainedAndOther) {
  EXPECT_EQ(simulations::effect_of("network.send", true, {what_is_said("S23", verdict::fails)}, 1).gained,
            std::vector<std::string>{"S23"});
  EXPECT_EQ(simulations::effect_of("network.send", true, {what_is_said("S32", verdict::holds)}, 1).lost,
            std::vector<std::string>{"S32"});
  EXPECT_EQ(simulations::effect_of("network.send", true, {what_is_said("S32", verdict::unresolved)}, 1).other,
            std::vector<std::string>{"S32"});
}

TEST(Sensitivity, ARowNamesTheClaims) {
  const effect e{"knobs.hold", true, {"S3", "S23"}, {}, {"S42"}, {{0.5, false}, {4, true}, {1, true}}, {{3, false}}};
  EXPECT_EQ(simulations::in_words(e, {"opteron 0.5 (0.25 to 0.75)"}),
            "| `knobs.hold` | opteron 0.5 (0.25 to 0.75) | none | most | 2: S3, S23 | 0 | 1: S42 | 2, 3 |\n");
}

}  // namespace
}  // namespace synchro::tests
