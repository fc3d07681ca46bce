#include "experiments/framework/drawn_again.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace synchro::experiments {
namespace {

TEST(DrawnAgain, GoesThroughTheListAsItIsFirst) {
  const std::vector<int> all{4, 8, 15, 16};
  drawn_again<int> drawn{all};
  for (const int each : all) {
    const auto [where, what] = drawn.next();
    EXPECT_EQ(where, each);
    EXPECT_EQ(what, each);
  }
}

TEST(DrawnAgain, InAsManyRoundsAsThereAreEntriesEachIsDoneAtEachPlaceOnce) {
  for (const std::size_t entries : {1U, 2U, 5U, 12U}) {
    std::vector<std::size_t> all(entries);
    for (std::size_t i = 0; i != entries; ++i) all[i] = i;
    drawn_again<std::size_t> drawn{all};
    std::map<std::pair<std::size_t, std::size_t>, int> done;
    for (std::size_t i = 0; i != entries * entries; ++i) {
      const auto [where, what] = drawn.next();
      EXPECT_EQ(where, i % entries);
      ++done[{where, what}];
    }
    EXPECT_EQ(done.size(), entries * entries);
  }
}

}  // namespace
}  // namespace synchro::experiments
