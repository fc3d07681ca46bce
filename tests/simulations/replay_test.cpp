// A recorded program on the simulated machine: what has to come out whatever the machine.

#include "simulations/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "cells.hpp"
#include "simulations/program.hpp"

namespace synchro::tests {
namespace {

using namespace simulations;
using profile::closed_system;
using profile::lock_kind;
using profile::times;

lock_kind kind(const std::string& name, double hold_ns, double gap_ns, std::size_t locks = 1) {
  lock_kind k;
  k.name = name, k.hold = times{hold_ns}, k.gap = times{gap_ns};
  k.shares.assign(locks, 1.0 / static_cast<double>(locks));
  return k;
}

closed_system system_of(std::vector<lock_kind> kinds) {
  closed_system s;
  s.threads = 2;
  for (lock_kind& k : kinds) k.inside.resize(kinds.size());
  s.first.assign(kinds.size(), 1.0 / static_cast<double>(kinds.size()));
  s.kinds = std::move(kinds);
  return s;
}

replay_result replayed(const closed_system& s, const std::string& lock, unsigned threads, double rounds = 2000,
                       double costs = 1) {
  static const auto m = built_in("opteron");
  replay_task task;
  task.system = &s;
  for (const replayed_lock& row : replayed_locks())
    if (row.name == lock) task.lock = &row;
  EXPECT_NE(task.lock, nullptr) << lock;
  task.threads = threads, task.costs = costs;
  task.cpus.resize(m->processors());
  std::iota(task.cpus.begin(), task.cpus.end(), 0U);
  task.window_ns = least_ns(s, threads, m->processors(), rounds);
  const replay_result r = replay(*m, task);
  EXPECT_FALSE(r.broken) << *r.broken;
  return r;
}

double rate(const closed_system& s, const std::string& lock, unsigned threads) {
  return replayed(s, lock, threads).rounds;
}

TEST(Replay, OfALockThatIsAlwaysHeldGivesOneOverItsHoldWhateverTheThreads) {
  const closed_system s = system_of({kind("hot", 100'000, 0)});  // beside which a hand-off is nothing
  for (const char* lock : {"mcs", "ticket", "mutex", "pthread/mutex"})
    for (const unsigned threads : {2U, 5U, 24U, 48U})
      EXPECT_NEAR(rate(s, lock, threads), 1e4, 0.1e4) << lock << threads;
}

TEST(Replay, OfLocksThatNobodySharesGrowsWithTheThreads) {
  lock_kind k = kind("mine", 1000, 20'000, 2);
  k.own = true;
  const closed_system s = system_of({k});
  const double alone = rate(s, "mcs", 1);
  EXPECT_NEAR(alone, 1e9 / 21'000, 0.03e9 / 21'000);
  for (const unsigned threads : {2U, 12U, 48U}) EXPECT_NEAR(rate(s, "mcs", threads) / alone, threads, 0.05 * threads);
}

TEST(Replay, OfMoreThreadsThanProcessorsIsBoundByTheProcessors) {
  lock_kind k = kind("mine", 1000, 20'000);
  k.own = true;
  EXPECT_NEAR(rate(system_of({k}), "mcs", 96), 48 * 1e9 / 21'000, 0.1 * 48 * 1e9 / 21'000);
}

TEST(Replay, OfManyLocksIsBoundByTheirNumber) {
  const closed_system one = system_of({kind("table", 50'000, 0)}), eight = system_of({kind("table", 50'000, 0, 8)});
  EXPECT_GT(rate(eight, "mcs", 24), 5 * rate(one, "mcs", 24));
  EXPECT_LT(rate(eight, "mcs", 24), 8.2 * rate(one, "mcs", 24));
}

TEST(Replay, SaysWhichLockIsWaitedFor) {
  const replay_result r = replayed(system_of({kind("cold", 1000, 1000), kind("hot", 20'000, 1000)}), "mcs", 12);
  ASSERT_EQ(r.waiting.size(), 2U);
  EXPECT_GT(r.waiting[1], 0.7);
  EXPECT_LT(r.waiting[0], 0.1);
  EXPECT_LE(r.waiting[0] + r.waiting[1], 1);
}

TEST(Replay, CountsWaitsThatOutlastTheWindow) {
  const replay_result r = replayed(system_of({kind("hot", 20'000, 0)}), "tas", 24, 50);
  EXPECT_GT(r.waiting[0], 0.9) << "one of 24 has the lock";
}

TEST(Replay, TakesLocksWithinLocksWhileTheOuterOneIsHeld) {
  closed_system s = system_of({kind("outer", 50'000, 0), kind("inner", 10'000, 0)});
  s.first = {1, 0};
  s.kinds[0].inside[1] = 5;
  EXPECT_DOUBLE_EQ(s.round_ns(), 100'000);
  for (const unsigned threads : {1U, 12U}) EXPECT_NEAR(rate(s, "mcs", threads), 1e4, 0.05e4);
}

TEST(Replay, GoesFromLockToLockAsRecorded) {
  closed_system s = system_of({kind("a", 10'000, 0), kind("b", 90'000, 0)});
  s.first = {1, 0};
  s.kinds[0].next = {0.5, 0.5}, s.kinds[1].next = {1, 0};  // two of three are a
  EXPECT_NEAR(rate(s, "mcs", 1), 1e9 / (110'000 / 3.0), 0.07e9 / (110'000 / 3.0));
}

TEST(Replay, OfAnExampleIsWhatIsComputedByHand) {
  // One lock is held for 10 us, and 30 us lie between: n threads go round at most n times in 40 us, and the lock serves at
  // most once in 10 us. Hand-offs cost nothing here. The model lets times vary by a tenth, so there is some waiting where
  // the two bounds meet.
  const closed_system s = system_of({kind("hot", 10'000, 30'000)});
  for (const char* lock : {"ticket_plain", "mcs"})
    for (const unsigned threads : {1U, 2U, 3U, 4U, 8U, 48U}) {
      const double bound = std::min(threads * 1e9 / 40'000, 1e9 / 10'000);
      const double part = replayed(s, lock, threads, 2000, 1e-4).rounds / bound;
      EXPECT_LT(part, 1.01) << lock << threads;
      EXPECT_GT(part, threads == 3 || threads == 4 ? 0.94 : 0.99) << lock << threads;
    }
}

TEST(Replay, IsTheSameUnderTheSameSeed) {
  const closed_system s = system_of({kind("hot", 500, 2000)});
  EXPECT_EQ(rate(s, "mcs", 12), rate(s, "mcs", 12));
}

results::cell rate_with(const closed_system& system, double error, std::int64_t threads = 12) {
  const auto m = built_in("opteron");
  experiments::setting s = setting_of(*m, experiments::level::quick, 1);
  s.chosen = {{"lock", {"mcs"}}, {"threads", {threads}}};
  const auto e = program_throughput(m, std::make_shared<const closed_system>(system), error);
  for (const results::cell& c : simulate(experiments::make_plan(s, {&e}), s, [](const experiments::planned_cell&) {}))
    if (c.metric == program::rate) return c;
  return {};
}

double width(const results::cell& c) { return c.ci->second / c.ci->first; }

TEST(ProgramThroughput, HasTheModelsErrorInItsIntervalsAsFarAsItReachesTheProgram) {
  EXPECT_DOUBLE_EQ(costs_in(3, 7, 1.3), 1);
  EXPECT_NEAR(costs_in(0, 7, 1.3) * costs_in(6, 7, 1.3), 1, 1e-12);
  EXPECT_NEAR(costs_in(6, 7, 1.3), 1.3, 1e-12);
  const closed_system work = system_of({kind("hot", 100'000, 0)}), transfers = system_of({kind("hot", 20, 0)});
  EXPECT_LT(width(rate_with(work, 1.3)), 1.05) << "all is the program's own work";
  EXPECT_GT(width(rate_with(transfers, 1.3)), 1.3) << "all is transfers";
  EXPECT_LT(width(rate_with(transfers, 1.3)), 1.8);
  EXPECT_GT(width(rate_with(transfers, 2)), 2.5);
}

TEST(ProgramThroughput, HasTheTimeThatWasLeftOutInItsIntervalsBelow) {
  closed_system s = system_of({kind("hot", 10'000, 90'000)});
  const double all = *rate_with(s, 1.3, 1).value;
  s.on = 0.8;
  const results::cell c = rate_with(s, 1.3, 1);
  EXPECT_NEAR(*c.value / all, 1, 0.02) << "what is told is without it";
  EXPECT_NEAR(c.ci->first / all, 0.8, 0.02);
  EXPECT_LT(c.ci->second / all, 1.03);
}

}  // namespace
}  // namespace synchro::tests
