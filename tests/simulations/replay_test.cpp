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

// Think time: laws that hold exactly (Lazowska and others, Quantitative System Performance, 1984, chapters 3 and 6).

/// Of as many processors as are asked for, where switching between threads costs nothing. Who waits for a lock sleeps.
double rate_on(unsigned processors, const closed_system& s, unsigned threads, double rounds = 4000) {
  static const auto m = built_in("opteron");
  replay_task task;
  task.system = &s, task.threads = threads, task.costs = 1e-4;
  for (const replayed_lock& row : replayed_locks())
    if (row.name == native_mutex) task.lock = &row;
  for (unsigned i = 0; i < processors; ++i) task.cpus.push_back(i);
  task.window_ns = least_ns(s, threads, processors, rounds);
  const replay_result r = replay(*m, task);
  EXPECT_FALSE(r.broken) << *r.broken;
  return r.rounds;
}

profile::think_time always(double ns) { return {1, times{ns}}; }

TEST(Replay, OfThreadsThatThinkIsNOverResponseAndThinkTime) {
  lock_kind k = kind("mine", 1000, 19'000);
  k.own = true, k.gap_think = {0.5, times{160'000}};  // 80,000 in the mean
  for (const unsigned threads : {1U, 3U, 12U, 48U}) {
    const double law = threads * 1e9 / (20'000 + 80'000);
    EXPECT_NEAR(rate(system_of({k}), "mcs", threads), law, 0.03 * law) << threads;
  }
}

TEST(Replay, ThinkTimeTakesNoProcessor) {
  lock_kind works = kind("mine", 1000, 99'000), thinks = kind("mine", 1000, 19'000);
  works.own = thinks.own = true, thinks.gap_think = always(80'000);
  const double alone = 1e9 / 100'000;
  EXPECT_NEAR(rate_on(1, system_of({works}), 3), alone, 0.02 * alone) << "the processor is full";
  EXPECT_NEAR(rate_on(1, system_of({thinks}), 3), 3 * alone, 0.1 * 3 * alone);
  EXPECT_NEAR(rate_on(1, system_of({thinks}), 20), 1e9 / 20'000, 0.05 * 1e9 / 20'000) << "full again";
}

/// Mean value analysis of one processor that all share and of a delay: Reiser and Lavenberg 1980.
double of_shared_processor(unsigned threads, double work_ns, double think_ns) {
  double queue = 0, rate = 0;
  for (unsigned n = 1; n <= threads; ++n) {
    const double response = work_ns * (1 + queue);
    rate = n / (response + think_ns), queue = rate * response;
  }
  return rate * 1e9;
}

TEST(Replay, OfMoreThreadsThanProcessorsIsMeanValueAnalysis) {
  // Work lasts many slices, which are as short as all else here costs, so that the processor is shared. Then the law holds
  // whatever the times are drawn from.
  constexpr double work = 10'000, think = 15'000;
  lock_kind k = kind("mine", 0, 0);
  k.own = true, k.gap = times{work, {{1 << 20, 2}, {1 << 21, 2}, {1 << 22, 1}, {1 << 23, 1}}};
  k.gap_think = {1, times{think, {{1 << 20, 2}, {1 << 21, 2}, {1 << 22, 1}, {1 << 23, 1}}}};
  const closed_system s = system_of({k});
  for (const unsigned threads : {1U, 2U, 3U, 4U, 6U}) {
    const double law = of_shared_processor(threads, work, think);
    EXPECT_NEAR(rate_on(1, s, threads), law, 0.03 * law) << threads;
    EXPECT_NEAR(rate_on(2, s, 2 * threads), 2 * law, 0.03 * 2 * law) << "each thread has its processor: " << threads;
  }
}

TEST(Replay, ThinkTimeInAHoldKeepsTheLockAndNoProcessor) {
  lock_kind shared = kind("hot", 10'000, 10'000), own = shared;
  shared.hold_think = own.hold_think = always(80'000);
  own.own = true;
  EXPECT_NEAR(rate_on(1, system_of({shared}), 8), 1e9 / 90'000, 0.1 * 1e9 / 90'000) << "the lock is held all the time";
  EXPECT_NEAR(rate_on(1, system_of({own}), 40), 1e9 / 20'000, 0.1 * 1e9 / 20'000) << "the processor works all the time";
  EXPECT_NEAR(rate(system_of({own}), "mcs", 4), 4 * 1e9 / 100'000, 0.03 * 4 * 1e9 / 100'000);
}

TEST(Replay, OfALockAndThinkTimeIsWhatIsComputedByHand) {
  // As in the example above, but 28 of the 30 us between two holds take no processor, and there is one.
  lock_kind k = kind("hot", 10'000, 2'000);
  k.gap_think = always(28'000);
  const closed_system s = system_of({k});
  EXPECT_DOUBLE_EQ(s.round_ns(), 40'000);
  EXPECT_DOUBLE_EQ(s.think_ns(), 28'000);
  EXPECT_NEAR(rate_on(1, s, 1), 1e9 / 40'000, 0.03 * 1e9 / 40'000);
  EXPECT_NEAR(rate_on(1, s, 8), 1e9 / 12'000, 0.1 * 1e9 / 12'000) << "the processor, and not the lock";
  EXPECT_NEAR(rate_on(8, s, 8), 1e9 / 10'000, 0.1 * 1e9 / 10'000) << "the lock";
}

TEST(Replay, OfRareThinkTimesHasTheirMean) {
  lock_kind k = kind("mine", 1000, 19'000);
  k.own = true, k.gap_think = {1e-5, times{1e9}};  // one second in ten thousand rounds or more
  for (const unsigned threads : {1U, 4U}) {
    const double law = threads * 1e9 / 30'000;
    EXPECT_NEAR(rate(system_of({k}), "mcs", threads), law, 0.05 * law) << threads;
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

TEST(ProgramThroughput, BringsBackOnlyWhatWasLeftOutAndNoThinkTime) {
  lock_kind k = kind("hot", 10'000, 40'000);
  k.gap_think = always(50'000);
  closed_system s = system_of({k});
  s.think = 0.5;
  EXPECT_LT(width(rate_with(s, 1.3, 1)), 1.05) << "nothing was left out";
  s.on = 0.8;
  const results::cell c = rate_with(s, 1.3, 1);
  EXPECT_NEAR(*c.value, 1e9 / 100'000, 0.03e9 / 100'000);
  EXPECT_NEAR(c.ci->first, 1e9 / 112'500, 0.03e9 / 112'500) << "work takes longer, think time does not";
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
