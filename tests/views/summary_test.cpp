#include "views/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "views/as_declared.hpp"
#include "views/cells.hpp"

namespace synchro::views {

using namespace results;
namespace {

std::string text_of(const document& d) {
  std::string text;
  for (const std::string& line : summary(d)) text += line + "\n";
  return text;
}

std::string text_of(const list& cells) { return text_of(on_two(cells)); }

const std::string brackets = "In brackets: the 95 % confidence interval.\n";

TEST(Summary, HasNothingToSayOfNothing) { EXPECT_TRUE(summary(complete_document({})).empty()); }

TEST(Summary, SaysCachesAndMemory) {
  EXPECT_EQ(text_of(list{local("l1", 1.3), local("ram", 91)}),
            "Reading from the first cache takes 1.30 ns (1.29 to 1.31); from main memory 91.0 ns "
            "(90.1 to 91.9), 70.0 times as much.\n" +
                brackets);
}

cell woken(const std::string& primitive, double ns) { return wake(primitive, "wake_mean", "ns", ns); }

TEST(Summary, SaysWhatAMutexCostsByItselfAndWithTheSystem) {
  const auto row = [](const char* call, double ns) {
    return made("overhead.calls", {{"call", call}, {"primitive", "pthread/mutex"}}, "delay", "ns", around(ns));
  };
  EXPECT_EQ(
      text_of(list{row("EnterCriticalSection", 5), row("ReleaseMutex", 10000)}),
      "Locking a free pthread/mutex takes 5.00 ns (4.95 to 5.05); handing it to a thread that sleeps takes 10.0 us "
      "(9.90 to 10.1), 2,000 times as much.\n" +
          brackets);
  EXPECT_EQ(text_of(list{row("EnterCriticalSection", 5)}), "");
}

TEST(Summary, SaysItOfWindowsByTheTwoKindsThatItHas) {
  const auto row = [](const char* call, const char* primitive, double ns) {
    return made("overhead.calls", {{"call", call}, {"primitive", primitive}}, "delay", "ns", around(ns));
  };
  const cell section = row("EnterCriticalSection", "win32/critical_section", 5);
  EXPECT_EQ(text_of(list{row("EnterCriticalSection", "mutex", 3), row("ReleaseMutex", "mutex", 9000), section,
                         row("ReleaseMutex", "win32/mutex", 10000)}),
            "Locking a free win32/critical_section takes 5.00 ns (4.95 to 5.05); handing win32/mutex to a thread that "
            "sleeps takes 10.0 us (9.90 to 10.1), 2,000 times as much.\n" +
                brackets);
  EXPECT_EQ(text_of(list{section}), "");
}

TEST(Summary, SaysAboveWhatSizeSplittingWorkPaysOff) {
  const auto tells = [](int threads, const char* metric, double ns) {
    return made("forkjoin.breakeven", {{"primitive", "event"}, {"threads", whole(threads)}}, metric, "ns", around(ns));
  };
  EXPECT_EQ(
      text_of(list{tells(4, "breakeven", 90000), tells(2, "breakeven", 40000), tells(2, "invocation_delay", 20000)}),
      "Splitting work among 2 threads with event pays off above a sequential time of 40.0 us (39.6 to 40.4): the last "
      "thread starts after 20.0 us (19.8 to 20.2).\n" +
          brackets);
}

TEST(Summary, SaysWhenTheLastOfATeamStartsAndWhatCuttingItsShareGains) {
  const coordinates at{{"primitive", "event"}, {"threads", whole(2)}, {"work", whole(100000)}};
  EXPECT_EQ(text_of(list{made("forkjoin.timeline", at, "invocation_delay", "ns", around(20000)),
                         made("forkjoin.timeline", at, "parallel_share", "1", around(0.5))}),
            "Work of 100 us shared by 2 threads that are started with event: the last one starts 20.0 us (19.8 to "
            "20.2) after the "
            "first trigger, and two or more run at the same time for 50 % of it.\n" +
                brackets);
  const auto gain = [&](double ratio) {
    return text_of(list{made("forkjoin.balance", at, "gain", "1", around(ratio))});
  };
  EXPECT_NE(gain(1.2).find("makes split work 20 % faster (19 % to 21 %)"), std::string::npos) << gain(1.2);
  EXPECT_NE(gain(1.0).find("no measurable difference"), std::string::npos) << gain(1.0);
  EXPECT_NE(gain(0.8).find("slower here"), std::string::npos) << gain(0.8);
}

TEST(Summary, SaysUncertainWakeUpsWithTheirIntervalAndTheModeTheyWereMeasuredIn) {
  cell near = woken("event", 20000);
  near.samples.clear();
  near.value.reset();
  near.ci.reset();
  cell far = made("wake.broadcast", {{"primitive", "event"}, {"threads", whole(1)}, {"mode", "far"}}, "wake_mean", "ns",
                  around(20000, 0.2));
  const std::string text = text_of(list{local("l1", 1.3), near, far});
  EXPECT_NE(text.find("runs 20.0 us (16.0 to 24.0, doubtful) after another thread wakes it, with event, "
                      "while the processors were far from each other."),
            std::string::npos)
      << text;
}

/// Each may be told, and none is sure.
list telling_and_unsure() {
  const coordinates two{{"primitive", "event"}, {"threads", whole(2)}},
      eleven{{"primitive", "event"}, {"threads", whole(11)}};
  return {made("wake.broadcast", {{"primitive", "event"}, {"threads", whole(1)}}, "wake_mean", "ns", around(9000, 0.2)),
          made("forkjoin.breakeven", two, "breakeven", "ns", around(30000, 0.2)),
          made("forkjoin.breakeven", two, "invocation_delay", "ns", around(20000, 0.2)),
          made("wake.groups", eleven, "best_group", "1", around(5, 0.2))};
}

TEST(Summary, TellsNothingWhereNoValueIsSure) {
  const document d = on_two(telling_and_unsure());
  EXPECT_EQ(text_of(d),
            "No reliable finding: no value is sure; 4 with an interval whose half is 10 % or more. To measure again, "
            "when nothing else runs (synchroscope check): synchroscope run wake.broadcast forkjoin.breakeven "
            "wake.groups\n");
  EXPECT_EQ(headlines(d, experiments::all_presentations()).dump(), "[]");
  EXPECT_EQ(chart_findings(d, experiments::all_presentations()).dump(), "{}");
}

TEST(Summary, SaysWhereAFindingIsDoubtful) {
  list cells = telling_and_unsure();
  cells.push_back(made("wake.groups", cells.back().at, "gain", "1", around(1.2)));
  const std::string text = text_of(cells);
  for (const char* told : {"A sleeping thread runs 9.00 us (7.20 to 10.8, doubtful) after",
                           "above a sequential time of 30.0 us (24.0 to 36.0, doubtful): the last thread starts after "
                           "20.0 us (16.0 to 24.0, doubtful).",
                           "one object for each 5 of them (4 to 6, doubtful) is best"})
    EXPECT_NE(text.find(told), std::string::npos) << told << "\n" << text;
}

TEST(Summary, TellsNoIntervalThatEndsAtMoreThanTwiceItsBegin) {
  const auto wide = [](const std::string& experiment, const coordinates& at, const char* metric, const char* unit,
                       double value) { return made(experiment, at, metric, unit, around(value, 0.7)); };
  const coordinates one{{"primitive", "event"}, {"threads", whole(1)}},
      two{{"primitive", "event"}, {"threads", whole(2)}};
  const cell sure = local("l1", 1.3);
  const std::string wake = text_of(list{sure, wide("wake.broadcast", one, "wake_mean", "ns", 96'200)});
  EXPECT_EQ(wake.find("A sleeping thread runs"), std::string::npos) << wake;
  EXPECT_NE(wake.find("Too uncertain: after what time a sleeping thread runs, 28.9 to 164 us with event.\n"),
            std::string::npos)
      << wake;
  const std::string pays = text_of(list{sure, wide("forkjoin.breakeven", two, "breakeven", "ns", 8e6)});
  EXPECT_EQ(pays.find("Splitting work"), std::string::npos) << pays;
  EXPECT_NE(pays.find("Too uncertain: from which sequential time on splitting work pays off, 2.40 to 13.6 ms with "
                      "event.\n"),
            std::string::npos)
      << pays;
  const std::string late = text_of(list{made("forkjoin.breakeven", two, "breakeven", "ns", around(8e6)),
                                        wide("forkjoin.breakeven", two, "invocation_delay", "ns", 46'600)});
  EXPECT_NE(late.find("8.00 ms (7.92 to 8.08)."), std::string::npos) << late;
}

TEST(Summary, TellsNoGainThatIsNotSure) {
  const coordinates at{{"primitive", "event"}, {"threads", whole(11)}};
  const cell sure = local("l1", 1.3);
  for (const double gain : {4.0, 1.0}) {
    const cell unsure = made("forkjoin.balance", at, "gain", "1", around(gain, 0.6));
    const std::string balance = text_of(list{sure, unsure});
    EXPECT_EQ(balance.find("Giving less work"), std::string::npos) << balance;
    EXPECT_NE(balance.find("Too uncertain: how many times as fast"), std::string::npos) << balance;
    const std::string groups = text_of(list{sure, made("wake.groups", at, "best_group", "1", around(5)),
                                            made("wake.groups", at, "gain", "1", around(gain, 0.6))});
    EXPECT_EQ(groups.find("To wake 11 threads"), std::string::npos) << groups;
    EXPECT_NE(groups.find("Too uncertain: how many times as fast"), std::string::npos) << groups;
  }
}

TEST(Summary, SaysHowLongASleeperTakesToWake) {
  EXPECT_EQ(
      text_of(list{woken("event", 20000), woken("spin/pause", 100)}),
      "A sleeping thread runs 20.0 us (19.8 to 20.2) after another thread wakes it, with event; a thread that spins "
      "instead, and keeps a processor busy, after 100 ns (99.0 to 101) with spin/pause.\n" +
          brackets);
}

cell share_of(const std::string& primitive, double of_the_wait, double half_width = 0.01) {
  cell c = wake(primitive, "cpu_share", "1", 1);
  c.samples = around(of_the_wait, half_width);
  summarize(c);
  return c;
}

TEST(Summary, KnowsWhoSleepsByTheCatalog) {
  const std::string told =
      "20.0 us (19.8 to 20.2) after another thread wakes it, with event; a thread that spins instead, and keeps a "
      "processor busy, after 100 ns (99.0 to 101) with spin/pause.";
  const std::string beside_other_work = text_of(list{woken("event", 20000), share_of("event", 0.7, 0.6),
                                                     woken("spin/pause", 100), share_of("spin/pause", 0.3, 0.6)});
  EXPECT_NE(beside_other_work.find(told), std::string::npos) << beside_other_work;
  const std::string surely = text_of(
      list{woken("event", 20000), share_of("event", 0.7), woken("spin/pause", 100), share_of("spin/pause", 0.3)});
  EXPECT_NE(surely.find(told), std::string::npos) << surely;
}

TEST(Summary, KnowsTheSleepersOfEverySystem) {
  const std::string text = text_of(list{woken("win32/event", 20000), woken("spin/switch_to_thread", 300),
                                        woken("linux/futex", 30000), woken("event/yield", 400)});
  EXPECT_NE(text.find("with win32/event; a thread that spins instead, and keeps a processor busy, after 300 ns (297 to "
                      "303) with spin/switch_to_thread."),
            std::string::npos)
      << text;
}

TEST(Summary, CallsNobodyASleeperWhoDidNotSleep) {
  const list looked{woken("event", 500), wake("event", "switches", "1", 0.01), woken("linux/futex", 20000),
                    wake("linux/futex", "switches", "1", 1)};
  EXPECT_NE(text_of(looked).find("20.0 us (19.8 to 20.2) after another thread wakes it, with linux/futex."),
            std::string::npos)
      << text_of(looked);
}

TEST(Summary, KnowsSleepersOfNoCatalogBySureCellsAndNotByTheirNames) {
  const std::string text = text_of(list{woken("mine/a", 20000), share_of("mine/a", 0.01), woken("mine/b", 100),
                                        share_of("mine/b", 0.99), woken("who", 1)});
  EXPECT_NE(
      text.find("20.0 us (19.8 to 20.2) after another thread wakes it, with mine/a; a thread that spins instead, and "
                "keeps a processor busy, after 100 ns (99.0 to 101) with mine/b."),
      std::string::npos)
      << text;
  const std::string unsure = text_of(list{woken("mine/spin", 100), share_of("mine/spin", 0.3, 0.6)});
  EXPECT_EQ(unsure.find("thread"), std::string::npos) << "a share that is not sure decides nothing\n" << unsure;
  const std::string starved =
      text_of(list{woken("mine/c", 100), share_of("mine/c", 0.1), wake("mine/c", "switches", "1", 0)});
  EXPECT_EQ(starved, "") << "a thread that was never switched did not sleep, however little time it was given";
}

TEST(Summary, SaysTheBestSizeOfAGroupOnlyIfItGainsSomething) {
  const coordinates at{{"primitive", "event"}, {"threads", whole(11)}};
  const auto groups = [&](double gain) {
    return text_of(list{made("wake.groups", at, "best_group", "1", around(5)),
                        made("wake.groups", at, "gain", "1", around(gain))});
  };
  EXPECT_NE(
      groups(1.2).find("To wake 11 threads with event, one object for each 5 of them is best: on average 20 % faster"),
      std::string::npos)
      << groups(1.2);
  EXPECT_NE(groups(1.0).find("no group size measurably beat one shared event or one event per thread"),
            std::string::npos)
      << groups(1.0);
}

/// A wake-up after a sleep that was asked to last so long and lasted `had`.
list woken_after(std::int64_t asked, double had, double ns, double half_width = 0.01) {
  const coordinates at{{"primitive", "event"}, {"idle", asked}};
  return {made("wake.idle", at, "wake", "ns", around(ns, half_width)),
          made("wake.idle", at, "waited", "ns", around(had))};
}

list together(list all, const list& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Summary, SaysWhatALongSleepCosts) {
  const auto both = [](double brief, double deep) {
    return text_of(together(woken_after(100'000, 100'000, brief), woken_after(100'000'000, 100'000'000, deep)));
  };
  const std::string apart = both(10'000, 50'000);
  EXPECT_NE(apart.find("After 100 us of sleep a thread wakes in 10.0 us (9.90 to 10.1), after 100 ms in 50.0 us"),
            std::string::npos)
      << apart;
  EXPECT_NE(both(10'000, 10'050).find("no difference resolved"), std::string::npos) << both(10'000, 10'050);
}

TEST(Summary, NamesTheSleepThatWasHadAndNotTheOneAskedFor) {
  const std::string text = text_of(together(woken_after(1'000, 12'000, 10'000), woken_after(1'000'000, 1e6, 50'000)));
  EXPECT_NE(text.find("After 12.0 us of sleep a thread wakes in"), std::string::npos) << text;
  EXPECT_EQ(text_of(together(woken_after(1'000, 12'000, 10'000), woken_after(10'000, 12'000, 9'000))), "")
      << "one is no longer than the other";
  list unknown = woken_after(1'000, 12'000, 10'000);
  unknown.pop_back();
  EXPECT_EQ(text_of(together(unknown, woken_after(1'000'000, 1e6, 50'000))), "") << "nobody knows how long it slept";
}

TEST(Summary, ConcludesNothingFromUnsureCells) {
  const std::string doubt = "Too uncertain to rely on: 1 of 4 numbers; see the tables.\n";
  EXPECT_EQ(text_of(together(woken_after(1'000, 12'000, 10'000, 0.3), woken_after(1'000'000, 1e6, 50'000))), doubt);
  EXPECT_EQ(text_of(together(woken_after(1'000, 12'000, 10'000), woken_after(1'000'000, 1e6, 50'000, 0.3))), doubt);
  const coordinates at{{"primitive", "event"}, {"threads", whole(2)}, {"work", whole(100000)}};
  EXPECT_EQ(
      text_of(list{made("forkjoin.timeline", at, "invocation_delay", "ns", around(20000, 0.3))}),
      "No reliable finding: no value is sure; 1 with an interval whose half is 10 % or more. To measure again, when "
      "nothing else runs (synchroscope check): synchroscope run forkjoin.timeline\n");
}

TEST(Summary, SaysTheNearestAndTheFarthestPair) {
  const std::string near = text_of(list{pair(0, 1, 26), pair(1, 0, 26.1)});
  EXPECT_TRUE(near.starts_with(
      "Moving a cache line, the unit in which processors share memory, from processor 0 to 1 takes 26.0 ns (25.7 "
      "to 26.3) (protocol cas: two processors take turns on one line by compare-and-swap).\nMoving a cache line, "
      "beside 37 "))
      << "two that are not resolved are not told apart\n"
      << near;
  const std::string far = text_of(list{pair(0, 1, 26), pair(0, 7, 250), pair(0, 3, 900, 0.5)});
  EXPECT_NE(far.find("from processor 0 to 7, the farthest of those that are sure, 250 ns (248 to 252)"),
            std::string::npos)
      << "the unreliable one is left out, and may be farther\n"
      << far;
  const std::string nearer = text_of(list{pair(0, 1, 26), pair(0, 7, 250), pair(0, 3, 100, 0.5)});
  EXPECT_NE(nearer.find("from processor 0 to 7, the farthest, 250 ns (248 to 252)"), std::string::npos)
      << "wherever the unreliable one lies, it is nearer\n"
      << nearer;
}

TEST(Summary, LeavesOutTheFarMode) {
  cell far = pair(0, 1, 20);
  far.at.set("mode", "far");
  EXPECT_NE(text_of(list{far, pair(0, 1, 26)}).find("takes 26.0 ns"), std::string::npos);
}

TEST(Summary, SaysAFreeLock) {
  const auto free_lock = [](const std::string& lock, const std::string& distance, double ns) {
    return made("locks.uncontested", {{"lock", lock}, {"distance", distance}}, "pair", "ns", around(ns));
  };
  EXPECT_EQ(text_of(list{free_lock("std/mutex", "same_cpu", 16), free_lock("ticket", "same_cpu", 9),
                         free_lock("ticket", "same_cache", 1)}),
            "Locking and unlocking, in a loop of one thread, a std/mutex that no other thread wants costs 16.0 ns "
            "(15.8 to 16.2); the cheapest lock, "
            "ticket, costs 9.00 ns (8.91 to 9.09).\n" +
                brackets);
  EXPECT_EQ(text_of(list{free_lock("mcs", "same_cpu", 10)}),
            "Locking and unlocking, in a loop of one thread, a lock that no other thread wants costs least with mcs: "
            "10.0 ns (9.90 to 10.1).\n" +
                brackets);
}

/// A free lock whose interval is so wide on each side.
cell free_lock(const std::string& lock, double ns, double half_width = 0.01) {
  return made("locks.uncontested", {{"lock", lock}, {"distance", "same_cpu"}}, "pair", "ns", around(ns, half_width));
}

std::string headline_of(const list& cells) {
  for (const auto& h : headlines(on_two(cells), experiments::all_presentations())) return h.at("text");
  return "";
}

TEST(Superlative, HoldsForThoseThatAreNotSureToo) {
  const cell usual = free_lock("std/mutex", 20.6), ahead = free_lock("tas", 8.3, 0.2),
             behind = free_lock("mcs", 90, 0.2);
  const std::string alone = text_of(list{usual, ahead});
  EXPECT_NE(alone.find("Locking and unlocking, in a loop of one thread, a std/mutex that no other thread wants costs "
                       "20.6 ns (20.4 to 20.8).\n"),
            std::string::npos)
      << alone;
  EXPECT_EQ(headline_of({usual, ahead}), "to lock and unlock a free lock with std/mutex");
  EXPECT_EQ(headline_of({usual, behind}), "to lock and unlock a free lock with std/mutex, the cheapest");
  EXPECT_NE(text_of(list{usual, behind}).find("costs least with std/mutex"), std::string::npos);
  const list three{usual, ahead, free_lock("ticket", 9)};
  EXPECT_NE(text_of(three).find("; the cheapest lock of those that are sure, ticket, costs 9.00 ns"), std::string::npos)
      << text_of(three);
  EXPECT_NE(headline_of(three).find("; the cheapest lock of those that are sure, ticket, takes 9.00"),
            std::string::npos)
      << headline_of(three);
  cell few = free_lock("tas", 90);
  few.samples.resize(3), summarize(few);
  EXPECT_EQ(headline_of({usual, few}), "to lock and unlock a free lock with std/mutex")
      << "three repetitions say nothing of where it lies";
}

TEST(Superlative, NamesNoCheaperLockThatCannotBeToldFromTheUsualOne) {
  const std::string text = text_of({free_lock("std/mutex", 10), disturbed(free_lock("tas", 9.99))});
  EXPECT_NE(text.find("costs 10.0 ns (9.90 to 10.1); none of 1 other lock measurably costs less.\n"), std::string::npos)
      << text;
}

TEST(Superlative, OfAContestHoldsForThoseThatAreNotSureToo) {
  const list ahead{contender("mcs", 2, 100), contender("tas", 2, 90, 0.3)},
      behind{contender("mcs", 2, 100), contender("tas", 2, 900, 0.3)};
  list both = ahead, apart = behind;
  for (list* const l : {&both, &apart}) l->push_back(contender("clh", 2, 400));
  EXPECT_EQ(headline_of(both).find("shortest"), std::string::npos) << headline_of(both);
  EXPECT_NE(headline_of(apart).find("is the shortest time"), std::string::npos) << headline_of(apart);
  list taken{contender("mcs", 2, 100), contender("clh", 2, 400), rate("mcs", 2, 1e7), rate("clh", 2, 8e7)};
  EXPECT_NE(text_of(taken).find("The lock taken most often is clh"), std::string::npos) << text_of(taken);
  taken.push_back(rate("tas", 2, 9e7, 0.3));
  EXPECT_NE(text_of(taken).find("The lock taken most often of those that are sure is clh"), std::string::npos)
      << text_of(taken);
  taken.back() = rate("mcs", 2, 1e7, 0.3);
  taken.erase(taken.begin() + 2);
  EXPECT_EQ(text_of(taken).find("it is taken"), std::string::npos) << "that is not sure\n" << text_of(taken);
}

TEST(Summary, SaysTheContestAndWhoIsNotDistinguishable) {
  const list c = {contender("mcs", 2, 100), disturbed(contender("clh", 2, 99.9)), contender("tas", 2, 4000)};
  EXPECT_EQ(text_of(c),
            "A lock that 2 threads all want passes to another thread every 99.9 ns (98.9 to 101) with clh, not "
            "distinguishable from mcs, every 4.00 us (3.96 to 4.04) with tas.\n" +
                brackets);
}

TEST(Summary, SeesAThreadThatHogsAndDoesNotRewardIt) {
  list c = {contender("mcs", 2, 100), contender("tas", 2, 4000), rate("mcs", 2, 1e7), rate("tas", 2, 8e7),
            of_lock("tas", 2, "handoff_share", "1", 0.003)};
  EXPECT_NE(
      text_of(c).find("every 100 ns (99.0 to 101) with mcs, every 4.00 us (3.96 to 4.04) with tas; it is taken 10.0 "
                      "million times a second (9.90 to 10.1). The lock taken most often is tas, 80.0 million times a "
                      "second (79.2 to 80.8); 0.300 % of its releases handed the lock to another thread."),
      std::string::npos)
      << text_of(c);
}

TEST(Summary, OfWhatIsAlwaysTheSameThereIsNoInterval) {
  list c = {pair(0, 1, 30), pair(1, 0, 30)};
  for (const double apart : {0.0, 0.01}) {
    for (cell& one : c) one.ci = std::pair{30.0 - apart, 30.0 + apart};
    EXPECT_NE(text_of(c).find("takes 30.0 ns"), std::string::npos) << text_of(c);
    EXPECT_EQ(text_of(c).find("30.0 to 30.0"), std::string::npos) << text_of(c);
  }
}

TEST(Summary, AHeadlineHasNoIntervalThatIsPrintedAsOneNumber) {
  const auto detail = [](const list& cells) {
    return headlines(on_two(cells), experiments::all_presentations()).at(0).at("detail").get<std::string>();
  };
  list c = {local("l1", 1.3), local("ram", 91)};
  EXPECT_EQ(detail(c), "main memory 90.1 to 91.9 ns; first cache 1.29 to 1.31 ns");
  c[0].ci = {1.3, 1.3001};
  EXPECT_EQ(detail(c), "main memory 90.1 to 91.9 ns");
  c[1].ci = {91, 91.001};
  EXPECT_EQ(detail(c), "");
  cell far = woken("event", 20000);
  far.at.set("mode", coordinate{"far"});
  far.ci = {20000, 20001};
  EXPECT_EQ(detail({far}), "while the processors were far from each other");
}

TEST(Summary, SaysWhoIsTakenAsOftenAsTheOneTakenMost) {
  list c = {contender("mcs", 2, 100), contender("tas", 2, 4000), contender("ttas", 2, 4000),
            rate("mcs", 2, 1e7),      rate("tas", 2, 8e7),       disturbed(rate("ttas", 2, 7.99e7))};
  EXPECT_NE(text_of(c).find("The lock taken most often is tas, 80.0 million times a second (79.2 to 80.8), not "
                            "distinguishable from ttas."),
            std::string::npos)
      << text_of(c);
}

TEST(Summary, ComparesLocksInOneProtocolOnly) {
  cell paused = contender("tas", 2, 50);
  paused.at.set("protocol", "paused");
  EXPECT_EQ(text_of(list{paused, contender("mcs", 2, 100), contender("clh", 2, 120)}).find("tas"), std::string::npos);
}

TEST(Summary, ListsAFewRivalsAndCountsTheRest) {
  list c;
  for (int i = 0; i < 6; ++i) c.push_back(contender("lock" + std::to_string(i), 2, 100));
  EXPECT_NE(text_of(c).find("every 100 ns (99.0 to 101) with lock0, not distinguishable from lock1, lock2, lock3 and 2 "
                            "more.\n"),
            std::string::npos)
      << text_of(c);
}

TEST(Summary, PairsRepetitionsThatRanBesideEachOther) {
  // Both follow the machine's ups and downs, and one is always 2 % faster; but the repetitions were stored in another
  // order.
  list c = {contender("mcs", 2, 100, 0.04), contender("clh", 2, 98, 0.04)};
  std::reverse(c[1].samples.begin(), c[1].samples.end());
  for (int i = 0; i < 11; ++i) {
    c[0].noise["repetition"].push_back(static_cast<unsigned>(i));
    c[1].noise["repetition"].push_back(static_cast<unsigned>(10 - i));
  }
  EXPECT_EQ(text_of(c).find("not distinguishable"), std::string::npos) << text_of(c);
  for (cell& one : c) one.noise.clear();
  EXPECT_NE(text_of(c).find("not distinguishable"), std::string::npos) << text_of(c);
}

TEST(Summary, SaysCrowdedAndUncrowdedTeams) {
  const std::string text = text_of(
      list{contender("mcs", 2, 100), contender("ttas", 2, 200), contender("mcs", 16, 1e6), contender("ttas", 16, 1e4)});
  EXPECT_NE(text.find("A lock that 2 threads all want passes to another thread every 100 ns"), std::string::npos)
      << text;
  EXPECT_NE(text.find("A lock that 16 threads on 2 processors all want passes to another thread every 10.0 us "
                      "(9.90 to 10.1) with ttas"),
            std::string::npos)
      << text;
}

TEST(Summary, SaysAnAccessAtTheNearestAndTheFarthestDistance) {
  const list c = {access("load", "same_cache", 30),     access("cas", "same_cache", 60),
                  access("load", "other_package", 100), access("cas", "other_package", 200),
                  access("load", "same_cpu", 1),        access("nop", "same_cpu", 0.05, "none")};
  EXPECT_EQ(text_of(c),
            "On a line that another processor has modified (same_cache), load takes 30.0 ns (29.7 to 30.3); cas takes "
            "60.0 ns (59.4 to 60.6).\n"
            "On a line that another processor has modified (other_package), load takes 100 ns (99.0 to 101); cas takes "
            "200 ns (198 to 202).\n" +
                brackets);
}

cell message(const std::string& means, const std::string& metric, double ns) {
  return made("messages.pair", {{"means", means}, {"size", "line"}, {"distance", "same_cache"}}, metric, "ns",
              around(ns));
}

TEST(Summary, TellsCyclesOfAMessageToo) {
  cell cycles = message("ring", "one_way_cycles", 40);
  cycles.unit = "cycle";
  const std::string text = text_of(list{message("ring", "one_way", 20), cycles, message("ring", "round_trip", 200)});
  EXPECT_NE(text.find("with ring, 20.0 ns (19.8 to 20.2), 40.0 cycles (39.6 to 40.4); a request with its answer with "
                      "ring, 200 ns (198 to 202)."),
            std::string::npos)
      << text;
}

TEST(Summary, NamesAllMeansThatAMessageCostsLeastWith) {
  EXPECT_EQ(
      text_of(list{message("ring", "one_way", 20), disturbed(message("ring/park", "one_way", 20.01)),
                   message("channel", "one_way", 90), message("ring", "round_trip", 200),
                   message("channel", "round_trip", 150)}),
      "A message between two processors at distance same_cache costs least, in a stream, with ring, 20.0 ns (19.8 to "
      "20.2), not distinguishable from ring/park; a request with its answer with channel, 150 ns (148 to 152).\n" +
          brackets);
}

cell served(const std::string& means, int clients, double per_second) {
  return made("messages.server",
              {{"means", means},
               {"protocol", "round_trip"},
               {"size", "line"},
               {"threads", whole(clients)},
               {"work", whole(0)},
               {"placement", "compact"}},
              "messages", "op/s", around(per_second), better::higher);
}

TEST(Summary, NamesAllClientsAndMeansByWhichAServerDoesMost) {
  EXPECT_EQ(
      text_of(list{served("mailbox", 1, 1e6), served("mailbox", 2, 3e6), disturbed(served("mailbox", 4, 2.999e6)),
                   disturbed(served("mailbox/yield", 2, 2.998e6))}),
      "A single server answered requests 3.00 million times a second (2.97 to 3.03) at its best: with 2 clients, not "
      "distinguishable from 4, by mailbox, not distinguishable from mailbox/yield.\n" +
          brackets);
}

TEST(Summary, OfAServerCountsAllThatWereLookedAt) {
  list all;
  for (int clients = 1; clients <= 13; ++clients)
    for (const char* means : {"mailbox", "mailbox/yield"}) all.push_back(served(means, clients, 1e6));
  cell& most = all[all.size() - 2];
  const std::vector<double> times{1.01, 1.05, 1.02, 1.04, 1.005, 1.06, 1.03};
  most.samples.resize(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) most.samples[i] *= times[i];
  summarize(most);
  EXPECT_NE(text_of(all).find(": with 13 clients, not distinguishable from 1, 2, 3 and 9 more, by mailbox, not "
                              "distinguishable from mailbox/yield.\n"),
            std::string::npos)
      << "seven repetitions tell two apart that were named before, and not the most of 26\n"
      << text_of(all);
}

cell read_by(int threads, double per_second) {
  return made("coherence.bandwidth", {{"threads", whole(threads)}}, "read", "B/s", around(per_second), better::higher);
}

TEST(Summary, SaysWhetherMoreThreadsReadMore) {
  EXPECT_EQ(text_of(list{read_by(1, 1e10), disturbed(read_by(2, 1.001e10)), disturbed(read_by(4, 1.002e10))}),
            "Reading memory, one cache line after another, one thread reaches 10.0 GB/s (9.90 to 10.1); that more "
            "threads together reach more is not resolved.\n" +
                brackets);
  EXPECT_EQ(text_of(list{read_by(1, 1e10), read_by(2, 2e10), disturbed(read_by(4, 2.002e10))}),
            "Reading memory, one cache line after another, one thread reaches 10.0 GB/s (9.90 to 10.1); 4 threads "
            "together, not distinguishable from 2, reach 20.0 GB/s (19.8 to 20.2), 2.00 times as much.\n" +
                brackets);
  EXPECT_EQ(text_of(list{read_by(1, 1e10)}),
            "Reading memory, one cache line after another, one thread reaches 10.0 GB/s (9.90 to 10.1).\n" + brackets);
}

cell looked_up(const char* lock, int threads, double per_second) {
  return made("hashtable.throughput",
              {{"lock", lock},
               {"threads", whole(threads)},
               {"buckets", whole(512)},
               {"load", whole(12)},
               {"keys", "uniform"},
               {"placement", "compact"}},
              "throughput", "op/s", around(per_second), better::higher);
}

TEST(Summary, NamesAllHashTablesThatDoMost) {
  const list all{looked_up("optimistic", 2, 1.001e7), disturbed(looked_up("mcs", 2, 1e7)),
                 disturbed(looked_up("clh", 2, 0.999e7)), looked_up("optimistic", 1, 5e6)};
  EXPECT_NE(text_of(all).find(": by optimistic, not distinguishable from mcs and clh, with 2 threads.\n"),
            std::string::npos)
      << text_of(all);
  EXPECT_NE(headline_of(all).find("with optimistic, not distinguishable from mcs and clh"), std::string::npos)
      << headline_of(all);
  EXPECT_NE(
      text_of({looked_up("optimistic", 2, 2e7), looked_up("mcs", 2, 1e7)}).find(": by optimistic, with 2 threads."),
      std::string::npos);
}

TEST(Summary, SaysWhetherDelegationDiffersFromTheBestLock) {
  const auto done = [](const char* delegate, double per_second) {
    return made("delegation.throughput",
                {{"delegate", delegate},
                 {"threads", whole(2)},
                 {"lines", whole(1)},
                 {"gap", whole(0)},
                 {"placement", "compact"}},
                "throughput", "op/s", around(per_second), better::higher);
  };
  const std::string open = " (no difference between the two is resolved).\n";
  EXPECT_NE(text_of({done("mcs", 1e7), disturbed(done("combining", 1.001e7))}).find(open), std::string::npos);
  const std::string apart = text_of({done("mcs", 1e7), done("combining", 2e7)});
  EXPECT_NE(apart.find("under mcs, the best of the locks, 10.0 million times a second (9.90 to 10.1).\n"),
            std::string::npos)
      << apart;
}

cell counter(const char* protocol, int threads, double value) {
  return made("atomics.throughput", {{"operation", "fai"}, {"threads", whole(threads)}, {"protocol", protocol}},
              "successes", "op/s", around(value), better::higher);
}

TEST(Summary, SaysTheSharedCounter) {
  EXPECT_EQ(
      text_of(list{counter("saturated", 1, 2e8), counter("saturated", 2, 3e7), counter("saturated", 16, 1e7)}),
      "To a counter one thread alone adds 200 million times a second (198 to 202); 2 threads together add to the same "
      "counter 30.0 million times a second (29.7 to 30.3): sharing is 6.67 times slower than working alone.\n" +
          brackets);
}

TEST(Summary, ComparesNoCounterThatPausesWithOneThatDoesNot) {
  EXPECT_EQ(text_of(list{counter("saturated", 1, 2e8), counter("paused", 2, 2e7)}), "");
}

TEST(Summary, CountsWhatIsDoubtful) {
  list c = {pair(0, 1, 26, 0.3), pair(1, 0, 26)};
  c.push_back(contender("bad", 2, 1e7));
  c.back().valid = false;
  c.back().reason = "the counter is short";
  summarize(c.back());
  const std::string text = text_of(c);
  EXPECT_NE(text.find("The self-check of 1 cell failed: what it measured is broken.\n"), std::string::npos) << text;
  EXPECT_NE(text_of(list{pair(0, 1, 26, 0.3)}).find("no value is sure"), std::string::npos);
  EXPECT_NE(text.find("Too uncertain to rely on: 1 of 2 numbers; see the tables.\n"), std::string::npos) << text;
}

TEST(Summary, IsOneLineOfAsciiWhateverTheNames) {
  const std::string evil = "\x1b[31m\n\xff" + std::string(1000, 'A');
  for (const std::string& line : summary(complete_document({contender(evil, 2, 1e7), contender(evil + "2", 2, 2e7)}))) {
    EXPECT_LT(line.size(), 400U);
    for (const char ch : line) EXPECT_TRUE(ch >= 0x20 && ch < 0x7F);
  }
}

/// Ranks are among the published machines that have such a level.
TEST(Summary, PlacesTheLevelsOfAMachineAmongThePublishedOnes) {
  const auto placed = [](const list& cells) {
    for (const std::string& line : summary(on_two(cells)))
      if (line.find("37 published") != std::string::npos) return line.substr(line.find("): ") + 3);
    return std::string{};
  };
  EXPECT_EQ(placed({pair(0, 1, 61), pair(1, 0, 65)}),
            "63 ns between the nearest cores: rank 35 of 38, behind Apple M1 Ultra (56.2), before Intel Atom D510 "
            "(86.7).");
  EXPECT_EQ(
      placed({pair(0, 1, 4), pair(2, 3, 4), pair(0, 2, 20.8), pair(0, 3, 20.8), pair(1, 2, 20.8), pair(1, 3, 20.8)}),
      "4 ns between hardware threads of a core: rank 1 of 28, before Intel Core i9-12900K (4.3); 20.8 ns between "
      "the nearest cores: rank 9 of 38, behind Intel Core i5-10310U (20.6), before Intel Core i9-9900K (21).");
  const list far{pair(0, 1, 300), pair(2, 3, 300), pair(0, 2, 900), pair(0, 3, 900), pair(1, 2, 900), pair(1, 3, 900)};
  EXPECT_EQ(
      placed(far),
      "300 ns between the nearest cores: rank 38 of 38, behind Dual IBM Power7 (173); 900 ns between the farthest "
      "ones: rank 23 of 23, behind Dual IBM Power7 (443).");
  EXPECT_EQ(placed({pair(0, 1, 40), pair(2, 3, 40)}), "") << "nothing says how far the two pairs are apart";
}

}  // namespace
}  // namespace synchro::views
