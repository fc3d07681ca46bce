// What requests of different lines share: links between dies, and homes.

#include "simulator/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "simulator/laboratory.hpp"

namespace synchro::simulator {
namespace {

using json = nlohmann::ordered_json;

constexpr ticks message = 10 * per_cycle, line_of_data = 100 * per_cycle, at_home = 1000 * per_cycle;

json constant(ticks t) { return {{"value", t / per_cycle}, {"kind", "assumed"}, {"from", "a test"}}; }

/// A Xeon with such links, and no rate of a home. Of socket 0 the neighbours are 1, 2 and 5; of socket 1, 0, 3 and 6.
json with_links(const char* snoops, ticks of_message = message) {
  json m = json::parse(built_in_model("xeon"));
  m["traffic"] = {{"snoops", snoops},
                  {"links", {{"one_hop", {{"message", constant(of_message)}, {"line", constant(line_of_data)}}}}}};
  return m;
}

/// Between a requester and a holder of the same line's home.
transfer read(unsigned requester, unsigned holder) { return {requester, holder, holder, false, true}; }

/// The delay of the second of two transfers at the same moment.
ticks second(const model& m, const transfer& first, const transfer& then, ticks later = 0) {
  traffic t{m};
  EXPECT_EQ(t.delay(first, 1000), 0U) << "what is alone is not delayed, by itself either";
  return t.delay(then, 1000 + later);
}

TEST(Traffic, ALinkServesInTurnInEachDirection) {
  const model m{with_links("home")};
  EXPECT_EQ(second(m, read(1, 0), read(1, 0)), line_of_data) << "the data wait; the request has waited meanwhile";
  EXPECT_EQ(second(m, read(1, 0), read(1, 0), line_of_data), 0U) << "when the first is over";
  EXPECT_EQ(second(m, read(1, 0), read(0, 1)), line_of_data) << "its request waits for the data of the first";
  EXPECT_EQ(second(m, read(1, 0), read(2, 0)), 0U) << "over other links";
  EXPECT_EQ(second(m, read(1, 0), read(0, 0)), 0U) << "inside a die";
}

TEST(Traffic, WhatATransferSendsOverALinkAddsUp) {
  const model m{with_links("home")};
  const transfer without_data{1, 0, 0, false, false};
  EXPECT_EQ(second(m, without_data, without_data), 2 * message) << "the request, and the word that it is over";
}

TEST(Traffic, ALongWayKeepsEachLinkOnIt) {
  const model m{with_links("home")};
  ASSERT_EQ(m.route(0, 3).size(), 2U);
  const unsigned between = m.route(0, 3).front() == m.route(0, 1).front() ? 1 : 2;
  EXPECT_GT(second(m, read(0, 3), read(0, between)), 0U);
  EXPECT_GT(second(m, read(0, 3), read(between, 3)), 0U);
}

TEST(Traffic, AMissKeepsLinksOfAllDiesBusyWhereAllAreAsked) {
  EXPECT_EQ(second(model{with_links("home")}, read(0, 1), read(0, 2)), 0U);
  const model all{with_links("all")};
  EXPECT_GT(second(all, read(0, 1), read(0, 2)), 0U);
  EXPECT_EQ(second(all, read(0, 1), read(2, 2)), 0U) << "what stays in its die asks nobody";
}

TEST(Traffic, ADirectoryAsksAllWhenASharedLineIsWritten) {
  const model m{with_links("home")};
  EXPECT_EQ(second(m, read(0, 1), read(4, 3)), 0U);
  EXPECT_GT(second(m, {0, 1, 1, true, true}, read(1, 3)), 0U);
}

TEST(Traffic, AHomeServesInTurn) {
  json document = with_links("home");
  document["traffic"].erase("links");
  EXPECT_FALSE(traffic{model{document}}.counts());
  document["traffic"]["home"] = constant(at_home);
  document["traffic"]["snoops"] = "all";
  EXPECT_EQ(second(model{document}, read(1, 0), read(2, 0)), at_home);
  document["traffic"]["snoops"] = "home";
  const model m{document};
  EXPECT_TRUE(traffic{m}.counts());
  EXPECT_EQ(second(m, read(1, 0), read(2, 0)), at_home);
  EXPECT_EQ(second(m, read(1, 0), read(0, 0)), at_home) << "its own die asks it, too";
  EXPECT_EQ(second(m, read(1, 0), read(2, 1)), 0U) << "another home";
}

/// Cycles in which a thread of each other socket writes lines of its own that one of socket 0 has.
/// `shared`: another thread of that socket has read them.
double cycles_of_writers(const json& document, bool shared = false) {
  const model m{document};
  world w{m, 1};
  struct alignas(line_table::bytes) cell {
    simulated::atomic<std::uint64_t> value;
  };
  constexpr unsigned writers = 7, each = 16;
  laboratory::fresh<std::array<std::array<cell, each>, writers>> cells;
  laboratory::team({0}, 1, [&](unsigned) {
    for (auto& of_one : *cells)
      for (cell& c : of_one) c.value.store(1, memory_order::relaxed);
  });
  if (shared)
    laboratory::team({1}, 1, [&](unsigned) {
      for (auto& of_one : *cells)
        for (cell& c : of_one) (void)c.value.load(memory_order::relaxed);
    });
  std::uint64_t longest = 0;
  laboratory::team({10, 20, 30, 40, 50, 60, 70}, writers, [&](unsigned me) {
    const std::uint64_t begin = laboratory::now();
    for (cell& c : (*cells)[me]) c.value.fetch_add(1, memory_order::relaxed);
    longest = std::max(longest, laboratory::now() - begin);
  });
  return static_cast<double>(longest) / per_cycle;
}

TEST(SimulatedTraffic, RequestsOfDifferentLinesMeetWhereTheyShareLinks) {
  json none = with_links("all");
  none.erase("traffic");
  const double alone = cycles_of_writers(none), home = cycles_of_writers(with_links("home", line_of_data)),
               all = cycles_of_writers(with_links("all", line_of_data));
  EXPECT_GT(home, alone);
  EXPECT_GT(all, home);
  const double shared = cycles_of_writers(with_links("home", line_of_data), true);
  EXPECT_GT(shared - cycles_of_writers(none, true), 2 * (home - alone)) << "all dies are asked";
}

}  // namespace
}  // namespace synchro::simulator
