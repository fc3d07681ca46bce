// From a profile to a closed system, and the programs that are none.

#include "profile/closed_system.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace {

using namespace synchro::profile;

stored_lock held(const std::string& name, std::uint64_t holds, std::uint64_t hold_ns, std::uint64_t gap_ns) {
  stored_lock l;
  l.name = name, l.kind = "mutex", l.samples = l.holds = l.gaps = holds, l.acquisitions = 10 * holds, l.threads = 2;
  l.hold_ns = holds * hold_ns, l.gap_ns = holds * gap_ns;
  l.hold_times = {{64, holds}}, l.gap_times = {{1024, holds}};
  return l;
}

/// Two threads that work all the time, one acquisition in ten looked at; two readings of the clock are 20 ns apart.
stored recording_of(std::vector<stored_lock> locks) {
  stored_process p;
  p.pid = 42, p.program = "server -v", p.seconds = 1, p.threads = 2, p.every = 10, p.has_gaps = true, p.clock_ns = 20;
  std::uint64_t samples = 0;
  for (const stored_lock& l : locks) samples += l.samples;
  p.by_thread = {{1, 1, samples / 2}, {1, 1, samples / 2}};
  p.locks = std::move(locks);
  return {{"server", "-v"}, "native", {p}};
}

TEST(ClosedSystem, IsWhatThreadsDoInARound) {
  const closed_system c = closed_system_of(recording_of({held("hot", 1000, 120, 1020)}));
  EXPECT_EQ(c.program, "server -v");
  EXPECT_EQ(c.threads, 2U);
  EXPECT_DOUBLE_EQ(c.rounds, 10'000);
  ASSERT_EQ(c.kinds.size(), 1U);
  EXPECT_DOUBLE_EQ(c.kinds[0].hold.mean(), 100) << "without the clock";
  EXPECT_DOUBLE_EQ(c.kinds[0].gap.mean(), 1000);
  EXPECT_DOUBLE_EQ(c.round_ns(), 1100);
  EXPECT_FALSE(c.kinds[0].own);
}

TEST(ClosedSystem, GoesFromLockToLockAsTheThreadsDid) {
  stored s = recording_of({held("a", 600, 120, 20), held("b", 200, 120, 20)});
  s.processes[0].pairs = {{0, 0, 400, 0}, {0, 1, 200, 0}, {1, 0, 200, 0}};
  const closed_system c = closed_system_of(s);
  EXPECT_EQ(c.first, (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(c.kinds[0].next, (std::vector<double>{400 / 600.0, 200 / 600.0}));
  EXPECT_EQ(c.kinds[1].next, (std::vector<double>{1, 0}));
}

TEST(ClosedSystem, HasLocksWithinLocks) {
  stored s = recording_of({held("outer", 500, 520, 1020), held("inner", 1000, 120, 1020)});
  s.processes[0].pairs = {{0, 1, 0, 1000}};
  s.processes[0].locks[1].wait_ns = 50 * 1000;  // of samples: 50 each
  const closed_system c = closed_system_of(s);
  EXPECT_EQ(c.first, (std::vector<double>{1, 0})) << "the inner one is never taken by itself";
  EXPECT_DOUBLE_EQ(c.kinds[0].inside[1], 2);
  EXPECT_DOUBLE_EQ(c.kinds[0].hold.mean(), 500 - 2 * (100 + 50));
  EXPECT_DOUBLE_EQ(c.whole_holds()[0], 400) << "waits are the replay's";
  EXPECT_DOUBLE_EQ(c.holds_in_a_round()[1], 2);
  EXPECT_DOUBLE_EQ(c.round_ns(), 1400);
}

TEST(ClosedSystem, LeavesLocksToTheirThreadsThatWereNeverShared) {
  stored s = recording_of({held("mine", 500, 120, 1020), held("mine", 500, 120, 1020), held("ours", 100, 120, 1020)});
  s.processes[0].locks[0].threads = s.processes[0].locks[1].threads = 1;
  const closed_system c = closed_system_of(s);
  ASSERT_EQ(c.kinds.size(), 2U);
  EXPECT_TRUE(c.kinds[0].own);
  EXPECT_EQ(c.kinds[0].shares, (std::vector<double>{0.5, 0.5}));
  EXPECT_FALSE(c.kinds[1].own);
}

TEST(ClosedSystem, TakesTheManyLocksOfAVariableForOneKind) {
  std::vector<stored_lock> many;
  for (int i = 0; i < 9; ++i)
    many.push_back(held("table+" + std::to_string(i), 100, 120, 1020)), many.back().variable = "table";
  const closed_system c = closed_system_of(recording_of(many));
  ASSERT_EQ(c.kinds.size(), 1U);
  EXPECT_EQ(c.kinds[0].name, "table");
  EXPECT_EQ(c.kinds[0].shares.size(), 9U);
  many.pop_back();
  EXPECT_EQ(closed_system_of(recording_of(many)).kinds.size(), 8U) << "a few may be members of different purpose";
}

std::string refusal_of(const std::function<void(stored&)>& change,
                       stored s = recording_of({held("hot", 1000, 120, 1020)})) {
  change(s);
  try {
    static_cast<void>(closed_system_of(s));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(ClosedSystem, IsRefusedWithTheReason) {
  EXPECT_EQ(refusal_of([](stored&) {}), "");
  EXPECT_EQ(refusal_of([](stored& s) { s.processes.clear(); }), "no lock was seen in it");
  EXPECT_EQ(refusal_of([](stored& s) { s.processes[0].locks.clear(); }), "no lock was seen in it");
  EXPECT_EQ(refusal_of([](stored& s) { s.processes[0].has_gaps = false; }),
            "it was recorded by an earlier Synchroscope, without all that a prediction needs; record it again");
  EXPECT_EQ(refusal_of([](stored& s) { s.processes[0].locks[0].holds = 99; }),
            "only 99 acquisitions were sampled; record it for longer, or with --every 1");
  EXPECT_EQ(
      refusal_of([](stored& s) { s.processes[0].by_thread.pop_back(), s.processes[0].by_thread[0].samples = 1000; }),
      "one thread took its locks, so it cannot be seen which of them threads share; record it with two or more");
  EXPECT_EQ(refusal_of([](stored& s) {
              s.processes[0].by_thread[0].seconds = s.processes[0].by_thread[0].worked_seconds = 3;
            }),
            "its threads are not alike: the busiest takes locks 3 times as often as the least busy");
  EXPECT_NE(refusal_of([](stored& s) {
              s.processes[0].by_thread.assign(12, {1, 1, 45}), s.processes[0].by_thread[0].samples = 505;
            }).find("its threads are not alike: 49.5 % of its locks"),
            std::string::npos);
  EXPECT_NE(refusal_of([](stored& s) {
              s.processes[0].by_thread[0].samples = s.processes[0].by_thread[1].samples = 100;
            }).find("less than a millisecond"),
            std::string::npos);
  EXPECT_NE(refusal_of([](stored& s) {
              for (stored_thread& t : s.processes[0].by_thread) t.condition_seconds = 0.5;
            }).find("wait for conditions for 50 % of their time"),
            std::string::npos);
  EXPECT_NE(refusal_of([](stored& s) {
              s.processes[0].by_thread[0].worked_seconds = s.processes[0].by_thread[1].worked_seconds = 0.5;
            }).find("off the processors for 50 % of their time"),
            std::string::npos);
  EXPECT_NE(refusal_of([](stored& s) {  // most waits for a lock whose holder sleeps
              s.processes[0].locks[0].long_ns = 1'600'000'000;
              for (stored_thread& t : s.processes[0].by_thread) t.worked_seconds = 0.02;
            })
                .find("off the processors for 90 % of their time"),
            std::string::npos);
  EXPECT_NE(refusal_of([](stored& s) { s.processes[0].locks[0].side = "reading"; }).find("only read"),
            std::string::npos);
  EXPECT_NE(refusal_of([](stored& s) {
              s.processes[0].pairs = {{0, 0, 0, 10}};
            }).find("hot is taken while another such lock is held"),
            std::string::npos);
}

TEST(ClosedSystem, KnowsWhoWaitsForConditions) {
  const auto with_a_third = [](double its_waits, double of_each_other) {
    return refusal_of([=](stored& s) {
      stored_process& p = s.processes[0];
      for (stored_thread& t : p.by_thread) t.condition_seconds = of_each_other;
      p.by_thread.push_back({5, 0.1, 10, its_waits});
      p.locks[0].condition_ns = static_cast<std::uint64_t>(1e9 * (its_waits + 2 * of_each_other));
    });
  };
  EXPECT_EQ(with_a_third(4.5, 0), "") << "one that is left out";
  EXPECT_NE(with_a_third(0, 0.5).find("wait for conditions for 50 %"), std::string::npos)
      << "that one lives long sets off nothing";
}

TEST(ClosedSystem, DoesNotGoOnWithALockThatIsNeverTakenByItself) {
  stored s = recording_of({held("a", 1000, 120, 20), held("b", 100, 120, std::uint64_t{1} << 50)});
  s.processes[0].pairs = {{0, 0, 500, 0}, {0, 1, 500, 100}, {1, 1, 100, 0}};
  const closed_system c = closed_system_of(s);
  EXPECT_EQ(c.first, (std::vector<double>{1, 0}));
  EXPECT_EQ(c.kinds[0].next, (std::vector<double>{1, 0}));
  EXPECT_TRUE(c.kinds[1].next.empty());
}

TEST(ClosedSystem, LeavesOutFewTriesAndTakesThemForNoOrder) {
  const auto with_tries = [](std::uint64_t tries) {
    stored s = recording_of({held("entry", 1000, 120, 1020), held("list", 1000, 520, 1020)});
    s.processes[0].pairs = {{0, 1, 0, 900}, {1, 0, 0, 0, tries}};
    return s;
  };
  const closed_system c = closed_system_of(with_tries(100));
  EXPECT_EQ(c.first, (std::vector<double>{0.9, 0.1})) << "what was tried is no round";
  EXPECT_EQ(c.kinds[1].inside, (std::vector<double>{0, 0}));
  EXPECT_DOUBLE_EQ(c.kinds[1].hold.mean(), 500) << "its time is the other lock's";
  ASSERT_EQ(c.simplified.size(), 1U);
  EXPECT_NE(c.simplified[0].find("5 % of what it took were tries"), std::string::npos);
  EXPECT_EQ(refusal_of([](stored&) {}, with_tries(101)),
            "10.1 % of the acquisitions of entry are tries while another lock is held, and tries are not replayed");
}

TEST(ClosedSystem, AsksForGapsOnlyAfterWhatWasTakenByItself) {
  const auto with_gaps = [](std::uint64_t gaps) {
    return refusal_of(
        [=](stored& s) {
          s.processes[0].pairs = {{0, 1, 0, 600}};
          s.processes[0].locks[1].gaps = gaps;  // 400 of its holds are not within the other
        },
        recording_of({held("outer", 600, 520, 1020), held("inner", 1000, 120, 1020)}));
  };
  EXPECT_EQ(with_gaps(200), "");
  EXPECT_EQ(with_gaps(199), "inner is mostly given back while another lock is held: what comes after it is not known");
}

/// Each lock is taken so many times while the one before it is held.
stored chain_of(std::size_t locks, std::uint64_t times) {
  std::vector<stored_lock> all;
  std::uint64_t holds = 100;
  for (std::size_t i = 0; i < locks; ++i, holds *= times) all.push_back(held("l" + std::to_string(i), holds, 120, 20));
  stored s = recording_of(all);
  for (std::size_t i = 0; i + 1 < locks; ++i)
    s.processes[0].pairs.push_back({i, i + 1, 0, s.processes[0].locks[i + 1].holds});
  return s;
}

TEST(ClosedSystem, IsRefusedWhereLocksWithinLocksAreTooManyToReplay) {
  EXPECT_EQ(refusal_of([](stored&) {}, chain_of(32, 1)), "");
  EXPECT_EQ(refusal_of([](stored&) {}, chain_of(33, 1)), "more than 32 locks are held at a time, one in the other");
  EXPECT_EQ(refusal_of([](stored&) {}, chain_of(2, 1000)), "");
  EXPECT_EQ(refusal_of([](stored&) {}, chain_of(3, 1000)),
            "a round takes 1,001,001 locks, and rounds of more than 10,000 are not replayed");
}

TEST(ClosedSystem, IsRefusedWhereNoLockIsTakenFirst) {
  EXPECT_EQ(refusal_of(
                [](stored& s) {
                  s.processes[0].pairs = {{0, 1, 5, 1000}, {2, 0, 0, 1000}, {3, 2, 0, 1000}};
                },
                recording_of({held("a", 1000, 120, 20), held("b", 1000, 120, 20), held("c", 1000, 120, 20),
                              held("d", 0, 120, 20)})),
            "each of its locks was taken while another was held, and it is not known which was taken first");
}

TEST(ClosedSystem, IsRefusedWhereNothingIsKnownOfWhatComesAfterALock) {
  const auto with_gaps = [](std::uint64_t gaps) {
    return refusal_of([=](stored& s) { s.processes[0].locks[0].gaps = gaps; },
                      recording_of({held("a", 1000, 120, 20)}));
  };
  EXPECT_EQ(with_gaps(500), "");
  EXPECT_EQ(with_gaps(499), "a is mostly given back while another lock is held: what comes after it is not known");
}

TEST(ClosedSystem, LeavesOutWhatOtherProgramsTook) {
  stored s = recording_of({held("hot", 1000, 120, 2020)});
  s.processes[0].by_thread = {{1, 0.75, 500}, {1, 0.75, 500}};
  s.processes[0].locks[0].gap_times = {{512, 990}, {1 << 15, 10}};  // of which the ten are two fifths
  const closed_system c = closed_system_of(s);
  EXPECT_DOUBLE_EQ(c.kinds[0].gap.mean(), 1500);
  EXPECT_LT(c.kinds[0].gap.at(0.994, 0.5), 0.1 * c.kinds[0].gap.at(0.9999, 0.5)) << "some of them are left";
  EXPECT_EQ(c.simplified.size(), 1U);
  EXPECT_DOUBLE_EQ(c.on, 0.75);
}

TEST(ClosedSystem, TakesWaitsForLocksForNoSleep) {
  EXPECT_EQ(refusal_of([](stored& s) {
              s.processes[0].by_thread[0].worked_seconds = s.processes[0].by_thread[1].worked_seconds = 0.5;
              s.processes[0].locks[0].long_ns = 1'000'000'000;
            }),
            "");
}

TEST(ClosedSystem, IsRefusedWhereHoldsGrowWithThreads) {
  closed_system few = closed_system_of(recording_of({held("hot", 1000, 120, 1020)})), many = few;
  many.threads = 8;
  EXPECT_NO_THROW(demand_same_times(few, many));
  many.kinds[0].hold = times{200};
  EXPECT_THROW(demand_same_times(few, many), std::runtime_error);
  EXPECT_THROW(demand_same_times(many, few), std::runtime_error) << "in whatever order";
  few.threads = 16;
  EXPECT_NO_THROW(demand_same_times(few, many)) << "that get shorter are no matter";
}

/// What its holds and gaps last together, of each of two threads, in seconds.
double lived(const stored_process& p) {
  double ns = 0;
  for (const stored_lock& l : p.locks)
    ns += static_cast<double>(l.hold_ns + l.gap_ns) - 2 * static_cast<double>(p.clock_ns * l.holds);
  return ns * 1e-9 * static_cast<double>(p.every) / 2;
}

/// Two threads whose holds and gaps are all their time. They worked for one share of that, and waited for a processor for
/// another.
stored with_queues(double worked, double queued, stored s = recording_of({held("hot", 1000, 120, 1020)})) {
  stored_process& p = s.processes[0];
  for (stored_thread& t : p.by_thread) {
    t.seconds = lived(p);
    t.worked_seconds = worked * t.seconds, t.queued_seconds = queued * t.seconds;
  }
  return s;
}

TEST(ThinkTime, IsTheTimeOffTheProcessorsInWhichNoneWasWaitedFor) {
  const closed_system c = closed_system_of(with_queues(0.5, 0.125));
  EXPECT_NEAR(*c.think, 0.375, 1e-9);
  EXPECT_NEAR(c.on, 0.8, 1e-9) << "of what is no think time";
  EXPECT_NEAR(c.think_ns(), 0.375 * 1100, 1e-6);
  EXPECT_NEAR(c.round_ns(), 0.375 * 1100 + 0.5 * 1100, 1e-6);
  ASSERT_EQ(c.simplified.size(), 2U);
  EXPECT_EQ(c.simplified[0],
            "12.5 % of the threads' time beside waits for locks, in which they waited for a processor, is left out.");
  EXPECT_EQ(c.simplified[1],
            "For 37.5 % of that time they slept, or waited for files, others or locks that are not recorded: this is "
            "taken to last as long with any number of threads.");
}

TEST(ThinkTime, IsNoneOfARecordingThatDoesNotKnowIt) {
  stored s = with_queues(0.8, 0.1);
  s.processes[0].by_thread[1].queued_seconds = std::nullopt;
  const closed_system c = closed_system_of(s);
  EXPECT_EQ(c.think, std::nullopt);
  EXPECT_DOUBLE_EQ(c.think_ns(), 0);
  EXPECT_NEAR(c.on, 0.8, 1e-9);
}

TEST(ThinkTime, IsNoneOfThreadsThatOnlyWaitedForProcessors) {
  const closed_system c = closed_system_of(with_queues(0.8, 0.5));
  EXPECT_DOUBLE_EQ(*c.think, 0) << "the rest came at the end of waits for locks";
  EXPECT_NEAR(c.on, 0.8, 1e-9);
  EXPECT_NEAR(c.kinds[0].gap.mean(), 800, 1e-6);
}

TEST(ThinkTime, IsNotAskedOfThreadsThatTakeFewLocks) {
  stored s = with_queues(0.8, 0.1);
  s.processes[0].by_thread.push_back({1, 1, 10});  // of which it is not known
  EXPECT_NEAR(*closed_system_of(s).think, 0.1, 1e-9);
}

TEST(ThinkTime, IsInNoWaitForAConditionAndForNoLock) {
  stored s = with_queues(0.5, 0);
  double seconds = 0;
  for (stored_thread& t : s.processes[0].by_thread) t.condition_seconds = 0.05 * t.seconds, seconds += t.seconds;
  s.processes[0].locks[0].long_ns = static_cast<std::uint64_t>(0.15e9 * seconds);
  EXPECT_NEAR(*closed_system_of(s).think, 0.3 / 0.8, 1e-6);
}

TEST(ThinkTime, IsTheLongestHoldsAndGapsOfWhateverLock) {
  stored s = recording_of({held("file", 1000, 1020, 2020), held("hot", 1000, 120, 2020)});
  s.processes[0].locks[0].gap_times = {{512, 990}, {1 << 17, 10}};  // of which the ten are most
  const closed_system c = closed_system_of(with_queues(0.8, 0, s));
  EXPECT_NEAR(c.kinds[0].hold_think.chance + c.kinds[1].hold_think.chance + c.kinds[1].gap_think.chance, 0, 1e-9);
  EXPECT_GT(c.kinds[0].gap_think.chance, 0);
  EXPECT_LT(c.kinds[0].gap_think.chance, 0.01);
  EXPECT_NEAR(c.kinds[0].gap_think.mean(), 0.2 * (1000 + 2000 + 100 + 2000), 1e-3);
  EXPECT_NEAR(c.kinds[0].gap.mean() + c.kinds[0].gap_think.mean(), 2000, 1e-3);
  EXPECT_DOUBLE_EQ(c.kinds[1].gap.mean(), 2000);
  EXPECT_DOUBLE_EQ(c.kinds[0].hold.mean(), 1000);
}

TEST(ThinkTime, IsAsLongAsItWasHoweverManyOfItsTimesWereSampled) {
  stored s = with_queues(0.5, 0, recording_of({held("hot", 1000, 120, 20020)}));
  s.processes[0].locks[0].gap_times = {{1 << 13, 990}, {1 << 20, 10}};
  stored none = s, many = s;
  none.processes[0].locks[0].gap_ns -= 1000 * 12000;  // nothing was seen of their sleep, nor of some of their work
  many.processes[0].locks[0].gap_ns += 1000 * 9000;
  for (const stored& one : {s, none, many}) EXPECT_NEAR(closed_system_of(one).think_ns(), 0.5 * 20'100, 1e-3);
  EXPECT_NEAR(closed_system_of(none).kinds[0].gap.mean(), 8000, 1e-3) << "no work is taken for sleep";
  EXPECT_NEAR(closed_system_of(many).round_ns(), 20'100, 1) << "no sleep for work";
}

TEST(ThinkTime, MayBeInAHold) {
  stored s = recording_of({held("hot", 1000, 10020, 1020)});
  s.processes[0].locks[0].hold_times = {{64, 900}, {1 << 16, 100}};
  const closed_system c = closed_system_of(with_queues(0.6, 0, s));
  EXPECT_NEAR(c.kinds[0].hold_think.mean(), 0.4 * 11000, 1e-3);
  EXPECT_DOUBLE_EQ(c.kinds[0].gap_think.mean(), 0);
  EXPECT_NEAR(c.whole_holds()[0], 10000, 1e-3) << "the lock is held meanwhile";
}

TEST(ThinkTime, OfALockWithinAnotherIsNotInBoth) {
  stored s = recording_of({held("outer", 500, 40020, 1020), held("inner", 500, 30020, 0)});
  s.processes[0].pairs = {{0, 1, 0, 500}};
  s.processes[0].locks[0].hold_times = s.processes[0].locks[1].hold_times = {{1 << 10, 450}, {1 << 17, 50}};
  s = with_queues(0.6, 0, s);
  for (stored_thread& t : s.processes[0].by_thread)  // the inner hold is a part of the outer one
    t.seconds = 500 * 41'000e-9 * 10 / 2, t.worked_seconds = 0.6 * t.seconds, t.queued_seconds = 0;
  const closed_system c = closed_system_of(s);
  EXPECT_NEAR(c.think_ns(), 0.4 * 41000, 1e-3);
  EXPECT_NEAR(c.round_ns(), 41000, 1e-3);
}

TEST(ThinkTime, IsRefusedWhereItIsMostOfTheTime) {
  EXPECT_EQ(refusal_of([](stored&) {}, with_queues(0.55, 0)), "");
  EXPECT_EQ(refusal_of([](stored&) {}, with_queues(0.4, 0)),
            "its threads slept, or waited for files or others, for 60 % of their time beside waits for locks: what "
            "they do depends more on that than on what is recorded");
  EXPECT_EQ(refusal_of([](stored&) {}, with_queues(0.6, 0.4)),
            "its threads waited for a processor for 40 % of their time beside waits for locks: they were more than the "
            "processors, or other programs ran");
  EXPECT_NE(refusal_of([](stored& s) { s.processes[0].locks[0].long_ns = 2'000'000'000; }, with_queues(0, 0)), "");
}

TEST(ThinkTime, IsRefusedWhereItGrowsWithThreads) {
  const closed_system few = closed_system_of(with_queues(0.8, 0)),
                      unknown = closed_system_of(recording_of({held("hot", 1000, 120, 1020)}));
  closed_system many = closed_system_of(with_queues(0.6, 0));
  many.threads = 8;
  EXPECT_NO_THROW(demand_same_times(few, few));
  EXPECT_NO_THROW(demand_same_times(unknown, many)) << "where it is not known, nothing is compared";
  try {
    demand_same_times(few, many);
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(),
                 "in a round 2 threads sleep or wait for others for 220 ns each, and 8 for 440 ns: what grows with "
                 "the threads is not predicted");
  }
  closed_system little = few, more = few;
  little.kinds[0].gap_think = {1, times{10}}, more.kinds[0].gap_think = {1, times{20}}, more.threads = 8;
  EXPECT_NO_THROW(demand_same_times(little, more)) << "little of a round";
}

TEST(Times, AreDrawnAsTheyWereCountedAndHaveTheirMean) {
  const times t{2000, {{1024, 3}, {4096, 1}}};
  double sum = 0, least = 1e9, most = 0;
  constexpr int n = 200;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double ns = t.at((i + 0.5) / n, (j + 0.5) / n);
      sum += ns, least = std::min(least, ns), most = std::max(most, ns);
    }
  EXPECT_NEAR(sum / (n * n), 2000, 20);
  EXPECT_NEAR(most / least, 8, 0.1);
  EXPECT_DOUBLE_EQ(times{70}.at(0.3, 0.9), 70);
  EXPECT_DOUBLE_EQ((times{70, {}}.at(0.3, 0.9)), 70);
}

}  // namespace
