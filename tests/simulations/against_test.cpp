// How far predictions are from what was measured.

#include "simulations/against.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace synchro::tests {
namespace {

using simulations::forecast;

TEST(Against, NineOfTenAreOffByNoMoreThanIsSaidUpOrDown) {
  std::vector<forecast> all;
  for (int i = 0; i < 19; ++i) all.push_back({"locks", {}, 100, {i % 2 == 0 ? 110.0 : 100 / 1.1}});
  EXPECT_FALSE(simulations::error_of_most(all, "locks")) << "of few nothing is said";
  all.push_back({"locks", {}, 100, {900}});
  EXPECT_NEAR(*simulations::error_of_most(all, "locks"), 1.1, 1e-9);
  all[0].predicted = {50}, all[1].predicted = {25};
  EXPECT_NEAR(*simulations::error_of_most(all, "locks"), 2, 1e-9) << "too slow by twice, the third worst of twenty";
  EXPECT_FALSE(simulations::error_of_most(all, "atomics"));
}

}  // namespace
}  // namespace synchro::tests
