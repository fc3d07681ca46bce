// How the lock experiments are shown: the paper's figures by the paper's protocol.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/locks/locks.hpp"

namespace synchro::experiments {
namespace {

using json = nlohmann::ordered_json;

/// The chart that is as this figure of the paper; one without a name if there is none.
views::chart as_figure(const experiment& e, const std::string& figure) {
  for (const views::chart& c : e.view.charts)
    if (c.like.substr(0, figure.size()) == figure) return c;
  return {};
}

TEST(locks_charts, with_one_lock_the_paper_pauses) {
  const json only = as_figure(locks_throughput(), "Fig. 5").drawing["only"];
  EXPECT_EQ(only["protocol"], json::array({"paused"}));
  EXPECT_EQ(only["locks"], json::array({"1"}));
}

TEST(locks_charts, with_512_locks_it_does_not) {
  const json only = as_figure(locks_throughput(), "Fig. 7").drawing["only"];
  EXPECT_EQ(only["protocol"], json::array({"saturated"}));
  EXPECT_EQ(only["locks"], json::array({"512"}));
}

TEST(locks_charts, nor_with_4_to_128) {
  const views::chart best = as_figure(locks_throughput(), "Fig. 8");
  EXPECT_EQ(best.drawing["paper"], json::array({4, 16, 32, 128}));
  EXPECT_EQ(best.prefer.word("protocol"), "saturated");
}

}  // namespace
}  // namespace synchro::experiments
