#include "cli/session.hpp"

#include <gtest/gtest.h>

#include <set>

#include "experiments/framework/tour.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

results::cell cell_with(results::flag quality) {
  results::cell c;
  c.value = 1;
  c.quality = quality;
  return c;
}

TEST(Verdict, IsDoneWhenNothingIsWrong) {
  EXPECT_EQ(verdict({{}, false, false}, false), status::done);
  EXPECT_EQ(verdict({{}, false, false}, true), status::done);
}

TEST(Verdict, IsBrokenWhenASelfCheckFailed) { EXPECT_EQ(verdict({{}, true, false}, false), status::broken); }

TEST(Verdict, MindsUnreliableValuesOnlyWhenStrict) {
  measured m{{}, false, false};
  m.document.cells = {cell_with(results::flag::ok), cell_with(results::flag::noisy)};
  EXPECT_EQ(verdict(m, true), status::done);
  m.document.cells.push_back(cell_with(results::flag::unreliable));
  EXPECT_EQ(verdict(m, false), status::done);
  EXPECT_EQ(verdict(m, true), status::unreliable);
}

TEST(TourPlan, FitsIntoAMinuteOnAnyMachine) {
  for (const char* machine : {"package:1 core:1 pu:1", "package:1 core:2 pu:1", "package:1 core:8 pu:2",
                              "package:2 numa:1 core:16 pu:2", "package:2 numa:4 l3:8 core:9 pu:1"}) {
    experiments::setting s;
    s.machine = platform::topology_from_synthetic(machine);
    const auto p = experiments::tour_plan(s);
    EXPECT_FALSE(p.cells.empty()) << machine;
    EXPECT_LT(p.seconds(), 40) << machine;
  }
}

TEST(TourPlan, StopsAtWhatThisSystemOffers) {
  experiments::setting s;
  s.machine = platform::topology_from_synthetic("package:1 core:8 pu:1");
  std::set<std::string> woken, called;
  for (const auto& cell : experiments::tour_plan(s).cells) {
    if (cell.what->name == "wake.broadcast") woken.insert(cell.at.word("primitive"));
    if (cell.what->name == "overhead.calls") called.insert(cell.at.word("primitive"));
  }
  EXPECT_EQ(woken, (std::set<std::string>{"event", "linux/futex", "std/condition_variable", "spin/pause"}));
  EXPECT_EQ(called, (std::set<std::string>{"pthread/mutex"}));
}

TEST(TourPlan, KeepsAPairForEachDistance) {
  experiments::setting s;
  s.machine = platform::topology_from_synthetic("package:2 core:8 pu:2");
  std::set<platform::distance> seen;
  for (const auto& cell : experiments::tour_plan(s).cells)
    if (cell.what->name == "coherence.pairs")
      seen.insert(s.machine.between(static_cast<unsigned>(cell.at.number("from")),
                                    static_cast<unsigned>(cell.at.number("to"))));
  EXPECT_EQ(seen.size(), s.machine.distances().size());
}

}  // namespace
}  // namespace synchro::cli
