// Policies that are proved once, and named together.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "model_checker/harnesses/wake_harnesses.hpp"
#include "model_checker/search.hpp"
#include "synchro/wakes/auto_event.hpp"
#include "synchro/wakes/cascade.hpp"
#include "synchro/wakes/event.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/rendezvous.hpp"

namespace synchro::model_checker {
namespace {

using found = std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t>>;

/// What a short search of each program of the primitive meets: states, executions and steps.
template <template <class, class> class Wake, class Waiting>
found met_under() {
  subjects only;
  add_line<catalog::wake_line<"only", Wake, Waiting>>(only);
  found all;
  for (const check& c : only.front().checks) {
    const search_result r = explore(c.what, {.preemptions = {}, .most_states = 500});
    all.emplace_back(c.what.name, r.states, r.executions, r.steps);
  }
  return all;
}

template <template <class, class> class Wake>
void the_same_under_both_that_park() {
  EXPECT_EQ((met_under<Wake, yield_then_park>()), (met_under<Wake, spin_park>()));
}

TEST(Policies, ThatParkAreTheSameToTheModelChecker) {
  the_same_under_both_that_park<basic_event>();
  the_same_under_both_that_park<basic_auto_event>();
  the_same_under_both_that_park<basic_event_group>();
  the_same_under_both_that_park<basic_cascade>();
  the_same_under_both_that_park<basic_rendezvous>();
}

TEST(Policies, ThatParkAndThatDoNotAreProvedApart) {
  EXPECT_NE((met_under<basic_event, spin_park>()), (met_under<basic_event, spin>()));
  subjects all;
  add_line<catalog::wake_line<"event", basic_event, yield_then_park, spin_park, spin, spin_yield>>(all);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].also, (std::vector<std::string>{"event/park"}));
  EXPECT_EQ(all[1].name, "event/spin");
  EXPECT_EQ(all[1].also, (std::vector<std::string>{"event/yield"}));
}

}  // namespace
}  // namespace synchro::model_checker
