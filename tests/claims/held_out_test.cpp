// What was drawn once stays drawn.

#include "claims/held_out.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "claims/claim.hpp"

namespace synchro::tests {
namespace {

using claims::may_set_constants;

// The names stand here so that neither the seed nor the rule can change unseen. Whoever adds a claim adds its id where
// the draw puts it.
const std::set<std::string> may{"S1",   "S2",  "S8",  "S9",  "S12", "S13", "S18", "S19", "S20", "S23", "S27",
                                "S27b", "S28", "S29", "S31", "S32", "S33", "S34", "S35", "S36", "S37", "S40",
                                "S40b", "S42", "S44", "S46", "S49", "S50", "S53", "S56", "S59", "S64", "S65"};

TEST(HeldOut, TheDrawIsTheOneThatWasRecorded) {
  std::set<std::string> drawn;
  for (const claims::claim& c : claims::catalog())
    if (c.id.starts_with('S') && may_set_constants(c.id)) drawn.insert(std::string{c.id});
  EXPECT_EQ(drawn, may);
}

TEST(HeldOut, OfTheTablesTwoMaySetConstants) {
  std::set<std::string> drawn;
  for (const std::string_view table : claims::drawn_tables())
    if (may_set_constants(table)) drawn.insert(std::string{table});
  EXPECT_EQ(drawn,
            (std::set<std::string>{"mctop: latencies of the Opteron 6172", "mctop: latencies of the Xeon E7-8867L"}));
}

TEST(HeldOut, TheCurvesOfLocksOnlyScore) { EXPECT_FALSE(may_set_constants(claims::lock_curves)); }

}  // namespace
}  // namespace synchro::tests
