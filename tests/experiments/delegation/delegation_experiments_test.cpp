#include <gtest/gtest.h>

#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "../machine_of.hpp"
#include "../standing_clock.hpp"
#include "experiments/delegation/delegation.hpp"
#include "experiments/delegation/throughput.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/framework/runner.hpp"
#include "measure/host.hpp"
#include "platform/topology.hpp"
#include "synchro/delegation/cc_synch.hpp"
#include "synchro/delegation/locked.hpp"
#include "synchro/delegation/server.hpp"
#include "synchro/locks/mutex.hpp"

namespace synchro::experiments::delegation {
namespace {

using measure::host;
using tests::machine_of;

template <class Delegate>
execute_outcome executed(unsigned callers, unsigned lines = 1, std::uint64_t gap = 0) {
  return execute_trial<host, Delegate>{{{}, callers, lines, 1e6, gap}}.run();
}

std::uint64_t sum(const std::vector<std::uint64_t>& of) {
  return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
}

template <class Delegate>
void expect_exact() {
  for (const unsigned callers : {1U, 3U})
    for (const unsigned lines : {1U, 5U}) {
      const execute_outcome o = executed<Delegate>(callers, lines, callers == 3 ? 100 : 0);
      EXPECT_EQ(o.calls.size(), callers);
      for (const std::uint64_t n : o.calls) EXPECT_GT(n, 0U);
      EXPECT_EQ(o.counted, std::vector<std::uint64_t>(lines, sum(o.calls)));
      EXPECT_EQ(o.backwards, 0U);
      EXPECT_GT(o.elapsed_ns, 0);
      EXPECT_EQ(record_executions(o).broken, std::nullopt);
    }
}

TEST(Throughput, CountsEveryCallOnEveryLine) {
  expect_exact<locked<mutex>>();
  expect_exact<basic_cc_synch<hardware, spin_park>>();
  expect_exact<basic_delegation_server<hardware, spin_yield>>();
}

/// Notes how long callers work.
struct noting_work : tests::standing_clock {
  static void work(std::uint64_t cycles) { gaps().push_back(cycles); }
  static std::vector<std::uint64_t>& gaps() {
    static std::vector<std::uint64_t> all;
    return all;
  }
};

/// There is nothing to draw: all calls write the same lines (counted above), and are equally far apart.
TEST(Throughput, HasTheSameGapAfterEachCall) {
  const execute_outcome o = execute_trial<noting_work, locked<mutex>>{{{}, 1, 1, 1e6, 123}}.run();
  EXPECT_EQ(noting_work::gaps(), std::vector<std::uint64_t>(sum(o.calls), 123));
}

/// Drops each hundredth call, and tells its caller what the last one was told.
class forgetful {
 public:
  template <class F>
  auto execute(F&& fn) {
    const std::lock_guard hold{lock_};
    if (++calls_ % 100 != 0) last_ = fn();
    return last_;
  }

 private:
  mutex lock_;
  std::uint64_t calls_ = 0, last_ = 0;
};

TEST(Throughput, ADelegateThatDropsCallsBreaksTheCell) {
  const execute_outcome o = executed<forgetful>(1);
  ASSERT_GT(sum(o.calls), 100U);
  EXPECT_GT(o.backwards, 0U);
  const repetition r = record_executions(o);
  ASSERT_TRUE(r.broken.has_value());
  EXPECT_EQ(*r.broken, std::to_string(sum(o.calls)) + " calls left a count of " +
                           std::to_string(sum(o.calls) - sum(o.calls) / 100));
}

TEST(Throughput, SaysWhatOutcomesComeTo) {
  execute_outcome o;
  o.calls = {100, 300};
  o.counted = {400, 400};
  o.elapsed_ns = 2000;
  const repetition r = record_executions(o);
  EXPECT_EQ(r.broken, std::nullopt);
  ASSERT_EQ(r.observations.size(), 2U);
  EXPECT_DOUBLE_EQ(r.observations[0].value, 400 / 2e-6);
  EXPECT_DOUBLE_EQ(r.observations[1].value, 400.0 * 400 / (2 * (100.0 * 100 + 300.0 * 300)));
  o.backwards = 2;
  EXPECT_EQ(record_executions(o).broken, "2 calls were told less than their caller knew already");
  o.counted[1] = 399;
  EXPECT_EQ(record_executions(o).broken, "400 calls left a count of 399");
  o.calls = {399};
  EXPECT_EQ(record_executions(o).unavailable.at("fairness"), "there is only one thread");
}

TEST(Throughput, EveryWayRunsHere) {
  const experiment e = delegation_throughput();
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  for (const coordinate& way : find_axis(e, "delegate")->values(s)) {
    const coordinates at{{"delegate", way},
                         {"threads", std::int64_t{1}},
                         {"lines", std::int64_t{2}},
                         {"gap", std::int64_t{0}},
                         {"placement", "compact"}};
    if (e.unavailable(s, at)) continue;
    const repetition r = e.measure(s, at, 1);
    EXPECT_EQ(r.broken, std::nullopt) << results::to_string(way);
    ASSERT_EQ(r.observations.size(), 1U);
    EXPECT_GT(r.observations[0].value, 0) << results::to_string(way);
  }
}

TEST(Throughput, WhoOnlySpinsNeedsAProcessorEach) {
  const experiment e = delegation_throughput();
  const auto why = [&](const std::string& way, std::int64_t threads) {
    return e.unavailable(machine_of(2), {{"delegate", way}, {"threads", threads}});
  };
  EXPECT_EQ(why("mcs", 2), std::nullopt);
  EXPECT_EQ(why("mcs", 3), "callers that spin need a processor each, or the one that has the lock waits for its own");
  EXPECT_EQ(why("mcs/park", 3), std::nullopt);
  EXPECT_EQ(why("delegation_server", 1), std::nullopt);
  EXPECT_EQ(why("delegation_server", 2),
            "callers and server that spin need a processor each; delegation_server/yield does not");
  EXPECT_EQ(why("delegation_server/yield", 2), std::nullopt);
}

TEST(Throughput, TheServerStandsBesideItsCallers) {
  const experiment e = delegation_throughput();
  coordinates at{{"delegate", "delegation_server"}, {"threads", std::int64_t{3}}, {"placement", "compact"}};
  EXPECT_EQ(e.processors(machine_of(8), at), (std::vector<unsigned>{0, 1, 2, 3}));
  at.set("delegate", "mcs");
  EXPECT_EQ(e.processors(machine_of(8), at), (std::vector<unsigned>{0, 1, 2}));
}

TEST(Throughput, PlansAServerForThoseThatAreServed) {
  const experiment e = delegation_throughput();
  for (const coordinate& way : find_axis(e, "delegate")->values(machine_of(8))) {
    const coordinates at{{"delegate", way},
                         {"threads", std::int64_t{3}},
                         {"lines", std::int64_t{1}},
                         {"gap", std::int64_t{0}},
                         {"placement", "compact"}};
    EXPECT_EQ(execute_task_of(machine_of(8), at).cpus.size(), is_served_by(results::to_string(way)) ? 4U : 3U)
        << results::to_string(way);
  }
}

TEST(Throughput, RefusesAnUnknownWay) {
  const experiment e = delegation_throughput();
  setting s = machine_of(2);
  s.chosen = {{"delegate", {"pigeon"}}};
  EXPECT_THROW((void)make_plan(s, {&e}), std::exception);
  s.chosen = {{"lines", {std::int64_t{65}}}};
  EXPECT_THROW((void)make_plan(s, {&e}), std::exception);
}

}  // namespace
}  // namespace synchro::experiments::delegation
