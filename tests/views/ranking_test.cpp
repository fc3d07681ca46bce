// A machine among published ones.

#include "views/ranking.hpp"

#include <gtest/gtest.h>

#include "experiments/coherence/among_published.hpp"
#include "views/cells.hpp"

namespace synchro::views {

using namespace results;
namespace {

TEST(Rankings, SayWhereAMachineStandsAmongPublishedOnes) {
  const auto of = [](const list& cells) { return to_json(experiments::among_published(on_two(cells)).value()); };
  const auto own = [](const nlohmann::ordered_json& ranking) {
    for (const auto& m : ranking.at("machines"))
      if (m.at("name") == "") return m;
    return nlohmann::ordered_json{};
  };
  // Two cores of two threads each.
  const auto times = [](double thread, double core) {
    list all;
    for (int from = 0; from < 4; ++from)
      for (int to = 0; to < 4; ++to)
        if (from != to) all.push_back(pair(from, to, from / 2 == to / 2 ? thread : core));
    return all;
  };
  const auto fast = of(times(1, 2)), slow = of(times(9, 9000));
  EXPECT_EQ(fast.at("machines").size(), 38U);
  EXPECT_EQ(fast.at("figures").at(1).dump(), R"({"title":"Nearest cores","rank":1,"of":38})");
  EXPECT_EQ(slow.at("figures").at(1).at("rank"), 38);
  EXPECT_FALSE(slow.at("figures").at(3).contains("rank")) << "it has no farther cores";
  EXPECT_EQ(fast.at("machines").at(0), own(fast)) << "the shortest first";
  EXPECT_EQ(slow.at("machines").at(37), own(slow));
  EXPECT_EQ(own(slow).dump(), R"({"name":"","processors":4,"values":[[9.0],[9000.0],[],[]]})");
  EXPECT_NE(fast.at("note").dump().find("MIT licence"), std::string::npos);
  EXPECT_FALSE(experiments::among_published(on_two(list{pair(0, 1, 26, 0.5)}))) << "nothing is sure";
}

}  // namespace
}  // namespace synchro::views
