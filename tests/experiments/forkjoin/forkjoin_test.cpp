#include "experiments/forkjoin/forkjoin.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <set>
#include <thread>

#include "experiments/forkjoin/bisection.hpp"
#include "experiments/forkjoin/loop_way.hpp"
#include "experiments/forkjoin/stage.hpp"
#include "experiments/framework/runner.hpp"
#include "platform/topology.hpp"

namespace synchro::experiments::forkjoin {
namespace {

setting on_this_machine() {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  return s;
}

std::vector<std::string> ways_here() {
  std::vector<std::string> names;
  for (const coordinate& c : ways_axis().values(on_this_machine()))
    if (const std::string& name = std::get<std::string>(c); !unavailable_of({}, name) && !spins(name))
      names.push_back(name);
  return names;
}

TEST(Ways, EveryShareIsDoneOnceAndByAThreadOfItsOwnButInALoop) {
  for (const std::string& name : ways_here()) {
    const auto how = make_way(name, 4, {});
    for (int round = 0; round < 20; ++round) {
      std::array<std::atomic<int>, 4> done{};
      std::array<std::thread::id, 4> by{};
      how->settle();
      how->run([&](unsigned i) { ++done.at(i), by.at(i) = std::this_thread::get_id(); });
      for (const std::atomic<int>& d : done) EXPECT_EQ(d, 1) << name;
      if (takes_shares(name)) continue;
      EXPECT_EQ(std::set<std::thread::id>(by.begin(), by.end()).size(), 4U) << name;
      EXPECT_EQ(by[0], std::this_thread::get_id()) << name;
    }
  }
}

TEST(Ways, TheLoopsAreAmongThem) {
  std::vector<std::string> loops;
  for (const std::string& name : ways_here())
    if (takes_shares(name)) loops.push_back(name);
  EXPECT_EQ(loops, loop_ways());
  EXPECT_FALSE(takes_shares("event"));
  EXPECT_FALSE(takes_shares("thread/create"));
}

TEST(Ways, ATeamGoesHomeWithoutHavingWorked) {
  for (const std::string& name : ways_here()) EXPECT_NO_THROW(static_cast<void>(make_way(name, 3, {}))) << name;
}

TEST(Bisection, FindsWhereItBeginsToPay) {
  const auto found = bisect(500, 20e6, [](double work) { return work >= 42'000; });
  ASSERT_TRUE(found);
  EXPECT_LT(found->no, 42'000);
  EXPECT_GE(found->yes, 42'000);
  EXPECT_LE(found->yes / found->no, 1.021);
}

TEST(Bisection, KnowsNeverAndAlways) {
  EXPECT_FALSE(bisect(500, 20e6, [](double) { return false; }));
  const auto always = bisect(500, 20e6, [](double) { return true; });
  ASSERT_TRUE(always);
  EXPECT_EQ(always->no, 0);
  EXPECT_EQ(always->yes, 500);
}

TEST(Breakeven, OneProcessorIsToldAndNotMeasured) {
  setting s = on_this_machine();
  s.machine.processors.resize(1);
  const coordinates at{{"primitive", "event"}, {"threads", std::int64_t{2}}};
  const auto why = forkjoin_breakeven().unavailable(s, at);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("one processor"), std::string::npos) << *why;
}

TEST(Shares, EndTogetherAndAddUp) {
  const std::vector<double> lags{1, 10, 20, 5};
  const std::vector<double> shares = cut_shares(100, lags);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 100, 1e-9);
  for (std::size_t i = 1; i < lags.size(); ++i) EXPECT_NEAR(shares[i] + lags[i], shares[0] + lags[0], 1e-9);
}

TEST(Shares, WhoStartsTooLateGetsNone) {
  const std::vector<double> shares = cut_shares(10, {0, 2, 1000});
  EXPECT_EQ(shares[2], 0);
  EXPECT_NEAR(shares[0], 6, 1e-9);
  EXPECT_NEAR(shares[1], 4, 1e-9);
}

TEST(Performance, ParallelIsWhereTwoRan) {
  performance p;
  p.parts = {{0, 10, {{0, 10}}}, {4, 30, {{4, 6}, {20, 30}}}, {5, 25, {{5, 8}, {24, 25}}}};
  EXPECT_DOUBLE_EQ(p.parallel(), 4 + 1);
  ASSERT_TRUE(p.together());
  EXPECT_EQ(p.together()->from, 4);
  EXPECT_EQ(p.together()->to, 25);
  p.parts = {{0, 10, {{0, 10}}}, {10, 30, {{10, 30}}}};
  EXPECT_EQ(p.parallel(), 0);
  EXPECT_FALSE(p.together());
  p.parts = {{0, 10, {{0, 10}}}, {4, 30, {{4, 6}, {20, 30}}}, {5, 25, {{5, 8}, {24, 25}}}};
  EXPECT_EQ(p.invocation_delay(), 5);
  EXPECT_EQ(p.smallest_gap(), 1);
}

TEST(Performance, ComesFromWorkThatWasDone) {
  const auto how = make_way("thread/create", 3, {});
  const performance seen = perform(*how, {1e5, 1e5, 1e5}, true);
  ASSERT_EQ(seen.parts.size(), 3U);
  for (const part_played& p : seen.parts) {
    EXPECT_GT(p.started, 0);
    EXPECT_GE(p.done, p.started);
    EXPECT_GE(seen.ended, p.done);
    for (const stretch& s : p.ran) EXPECT_GE(s.to, s.from);
  }
}

TEST(Stage, AWakeUpThatNeverComesIsToldAndIsNoHang) {
  const auto over = std::make_shared<std::atomic<bool>>(false);
  const coordinates at{{"primitive", "event"}, {"threads", std::int64_t{2}}};
  const auto stuck = [over](stage&) {
    while (!*over) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    return repetition{};
  };
  const repetition seen = on_stage(on_this_machine(), at, stuck, std::chrono::milliseconds{50});
  *over = true;
  ASSERT_TRUE(seen.broken);
  EXPECT_NE(seen.broken->find("event lost a wake-up"), std::string::npos) << *seen.broken;
}

TEST(Experiments, EveryMetricIsToldOrSaidNotTo) {
  const setting s = on_this_machine();
  for (const experiment& e : {forkjoin_timeline(), forkjoin_breakeven(), forkjoin_balance()}) {
    coordinates at{{"primitive", "thread/create"}, {"threads", std::int64_t{2}}};
    if (e.name != "forkjoin.breakeven") at.set("work", std::int64_t{20'000});
    const repetition r = e.measure(s, at, 1);
    std::set<std::string> told;
    for (const observation& o : r.observations) told.insert(o.metric);
    for (const auto& [metric, why] : r.unavailable) told.insert(metric);
    std::set<std::string> declared;
    for (const metric& m : e.metrics) declared.insert(m.name);
    EXPECT_EQ(told, declared) << e.name;
  }
}

}  // namespace
}  // namespace synchro::experiments::forkjoin
