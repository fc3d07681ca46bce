// Which lock, and how many.

#include "advice/locks.hpp"

#include <gtest/gtest.h>

#include <random>

#include "advice/rules.hpp"
#include "book_of_locks.hpp"
#include "statistics/statistics.hpp"

namespace synchro::tests {
namespace {

using advice::confidence;
using advice::workload;

bool says(const advice::recommendation& r, const std::string& words) {
  return r.because.find(words) != std::string::npos;
}

/// A gap of 1 us is 2,500 cycles.
const workload four_threads{.threads = 4, .critical_ns = 0, .gap_ns = 1000};

TEST(Octaves, AreTheDiagonalOfTheSides) {
  const advice::place here{4, 1, 0, 0, 0};
  EXPECT_DOUBLE_EQ(advice::octaves(here, here), 0);
  EXPECT_DOUBLE_EQ(advice::octaves(here, {8, 1, 0, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(advice::octaves(here, {2, 8, 0, 0, 0}), std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(advice::octaves(here, {4, 1, 100, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(advice::octaves(here, {4, 1, 0, 300, 0}), 2);
  EXPECT_DOUBLE_EQ(advice::octaves(here, {4, 1, 0, 0, 50}), 2);
}

TEST(Demand, IsTheShareOfTheTimeInWhichALockIsWanted) {
  EXPECT_DOUBLE_EQ(advice::demand({10, 1, 0, 900, 0}), 1);
  EXPECT_DOUBLE_EQ(advice::demand({10, 5, 100, 0, 0}), 2);
}

TEST(Lock, IsTheBestOfThoseMeasuredThere) {
  book b{8};
  add_locks(b, {}, {{"ticket", 4}, {"mcs", 6}, {"mutex", 3}});
  const knowledge all{b};
  const auto r = lock_for(four_threads, all.known());
  EXPECT_EQ(r.take, "mcs");
  EXPECT_EQ(r.runner_up, "ticket");
  EXPECT_TRUE(r.matters);
  EXPECT_EQ(r.sure, confidence::high);
  EXPECT_TRUE(r.rule.empty());
  ASSERT_EQ(r.figures.size(), 3U);
  EXPECT_EQ(claims::word_at(r.figures[0], "lock"), "mcs");
  EXPECT_NEAR(*r.figures[0].value, 6e6, 6e4);
  EXPECT_EQ(claims::word_at(r.figures[2], "lock"), "mutex");
  EXPECT_TRUE(says(r, "to 1.51) times as good as ticket")) << r.because;
}

TEST(Lock, IsWhatTheWorkloadAdmits) {
  book b{8};
  add_locks(b, {}, {{"tas", 9}, {"ticket", 8}, {"mcs", 7}, {"mutex", 6}, {"mcs/park", 5}, {"somebody's/lock", 99}});
  const knowledge all{b};
  const auto taken = [&](bool sleeps, bool fair) {
    workload w = four_threads;
    w.sleeps = sleeps, w.fair = fair;
    return lock_for(w, all.known()).take;
  };
  EXPECT_EQ(taken(false, false), "tas");
  EXPECT_EQ(taken(false, true), "ticket");
  EXPECT_EQ(taken(true, false), "mutex");
  EXPECT_EQ(taken(true, true), "mcs/park") << "of one lock there is no comparison, and the rule says the same";
}

TEST(Lock, IsThatWhichLosesLeastAroundAPlaceThatWasNotMeasured) {
  // The nearest place has a winner that fails at all others.
  book b{64};
  add_locks(b, {.threads = 4}, {{"tas", 10}, {"mcs", 9}});
  add_locks(b, {.threads = 8}, {{"tas", 2}, {"mcs", 9}});
  add_locks(b, {.threads = 16}, {{"tas", 1}, {"mcs", 9}});
  const knowledge all{b};
  workload w = four_threads;
  w.threads = 5;
  EXPECT_EQ(lock_for(w, all.known()).take, "mcs");
  w.threads = 4;
  EXPECT_EQ(lock_for(w, all.known()).take, "tas") << "where it was measured, that decides";
}

TEST(Lock, IsNoSurerThanTheCellsAroundAPlaceThatWasNotMeasured) {
  const auto sure_with = [](const results::document& around) {
    book b{64};
    add_locks(b, {.threads = 4}, {{"tas", 3}, {"mcs", 9}});
    results::document d = b;
    d.cells.insert(d.cells.end(), around.cells.begin(), around.cells.end());
    workload w = four_threads;
    w.threads = 5;
    return lock_for(w, knowledge{d}.known()).sure;
  };
  book around{64};
  add_locks(around, {.threads = 8}, {{"tas", 2}, {"mcs", 9}});
  EXPECT_EQ(sure_with(around), confidence::high);
  EXPECT_EQ(sure_with(flagged(around)), confidence::medium);
}

TEST(Lock, ThatMakesNoDifferenceAsFarAsIsResolvedIsNotSureToMakeNone) {
  book b{8};
  add_locks(b, {}, {{"mcs", 6}, {"mutex", 6}});
  results::document d = b;
  std::mt19937_64 dice{3};
  for (results::cell& c : d.cells) {
    for (double& sample : c.samples) sample *= 1 + 0.2 * static_cast<double>(dice() % 1000) / 1000;
    results::summarize(c);
  }
  const auto r = lock_for(four_threads, knowledge{d}.known());
  EXPECT_FALSE(r.matters);
  EXPECT_TRUE(results::is_precise(r.figures[0]) && results::is_precise(r.figures[1]));
  EXPECT_EQ(r.sure, confidence::medium);
  EXPECT_TRUE(says(r, "The measurement cannot tell them apart: the best there")) << r.because;
  EXPECT_FALSE(says(r, "does not matter")) << r.because;
}

TEST(Lock, ThatIsNextToTheBestAndTakesLessMemoryIsPreferred) {
  book b{8};
  add_locks(b, {}, {{"mcs", 6.0}, {"mutex", 5.95}, {"tas", 2}});
  EXPECT_EQ(lock_for(four_threads, knowledge{b}.known()).take, "mutex");
}

TEST(Lock, ThatOthersHaveRightsInIsTakenForMoreThanATenthAndNamesThem) {
  if (advice::facts_of("hmcs") == nullptr) GTEST_SKIP() << "built without hierarchical locks";
  book close{8};
  add_locks(close, {}, {{"hmcs", 6.3}, {"mcs", 6}, {"tas", 2}});
  EXPECT_EQ(lock_for(four_threads, knowledge{close}.known()).take, "mcs");
  book ahead{8};
  add_locks(ahead, {}, {{"hmcs", 9}, {"mcs", 6}, {"tas", 2}});
  const auto r = lock_for(four_threads, knowledge{ahead}.known());
  EXPECT_EQ(r.take, "hmcs");
  EXPECT_TRUE(says(r, "docs/rights.md"));
}

TEST(Lock, DoesNotMatterWhereBestAndWorstAreNotResolved) {
  book b{8};
  add_locks(b, {}, {{"mcs", 6}, {"mutex", 6.02}, {"tas", 5.98}});
  const auto r = lock_for(four_threads, knowledge{b}.known());
  EXPECT_FALSE(r.matters);
  EXPECT_TRUE(says(r, "It does not matter which"));
  EXPECT_EQ(r.sure, confidence::high);
  const auto unsure = lock_for(four_threads, knowledge{scattered(b)}.known());
  const auto few = lock_for(four_threads, knowledge{with_few_repetitions(b)}.known());
  for (const auto& one : {unsure, few}) {
    EXPECT_FALSE(says(one, "does not matter")) << one.because;
    EXPECT_EQ(one.sure, confidence::rule) << one.because;
  }
  EXPECT_TRUE(says(few, "too few repetitions"));
}

/// Four threads share two processors, where the rule is to take a mutex.
TEST(Lock, IsNotChosenAgainstARuleByFiguresThatAreTooUncertain) {
  book b{2};
  add_locks(b, {}, {{"tas", 0.6}, {"mutex", 0.3}, {"mcs", 0.1}});
  const auto asked = [](const results::document& d) { return lock_for(four_threads, knowledge{d}.known()); };
  const results::document sure = b;
  EXPECT_EQ(asked(sure).take, "tas");
  results::document unreliable = sure;
  unreliable.cells[2].quality = results::flag::unreliable;
  for (const results::document& d : {scattered(b), with_few_repetitions(b), unreliable}) {
    const auto r = asked(d);
    EXPECT_EQ(r.take, "mutex") << r.because;
    EXPECT_EQ(r.sure, confidence::rule);
    EXPECT_EQ(r.rule, "SSYNC 6.1.2");
    EXPECT_TRUE(says(r, "The measurement is too uncertain: at 4 threads, 1 lock")) << r.because;
    EXPECT_TRUE(says(r, "the rule of SSYNC 6.1.2: where threads share processors")) << r.because;
    EXPECT_TRUE(
        r.because.ends_with("synchroscope run locks.throughput --quick --threads 4 --locks 1 --hold 0 --gap "
                            "2500 --readers 0 -o more.json"))
        << r.because;
    EXPECT_FALSE(says(r, "No measurement")) << r.because;
  }
  results::document one_is_wide = sure;
  for (std::size_t i = 0; results::cell & c : one_is_wide.cells)
    if (claims::word_at(c, "lock") == "mutex") {
      for (double& sample : c.samples) sample *= i++ % 2 == 0 ? 0.2 : 5;
      results::summarize(c);
    }
  EXPECT_EQ(asked(one_is_wide).take, "mutex") << "it may be the faster one by far";
}

TEST(Lock, ThatIsNearlyAlwaysFreeIsNotChosenByCostsThatAreNotSure) {
  book b{8};
  for (const auto& [lock, ns] : {std::pair{"mcs", 300.0}, std::pair{"ticket", 700.0}})
    b.add(results::experiment_names::locks_uncontested, {{"lock", lock}, {"distance", "same_cache"}}, "pair", "ns", ns);
  const workload rare{.threads = 2, .critical_ns = 0, .gap_ns = 2000};
  EXPECT_EQ(lock_for(rare, knowledge{b}.known()).take, "mcs");
  const auto r = lock_for(rare, knowledge{flagged(b)}.known());
  EXPECT_EQ(r.take, "mutex") << r.because;
  EXPECT_TRUE(says(r, "The measurement is too uncertain: a free lock takes 300 ns")) << r.because;
}

TEST(Lock, IsNeverAdvisedFromCellsOfTheOtherRegime) {
  book b{4};
  add_locks(b, {.threads = 4}, {{"mcs", 6}, {"mutex", 3}});
  const knowledge fitting{b};
  workload w = four_threads;
  w.threads = 8;
  const auto shared = lock_for(w, fitting.known());
  EXPECT_EQ(shared.take, "mutex");
  EXPECT_EQ(shared.sure, confidence::rule);
  EXPECT_EQ(shared.rule, "SSYNC 6.1.2");
  EXPECT_TRUE(says(shared, "No measurement here; the rule of SSYNC 6.1.2"));
  EXPECT_TRUE(shared.figures.empty());

  book crowd{4};
  add_locks(crowd, {.threads = 8}, {{"mcs", 1}, {"mutex", 3}});
  const auto alone = lock_for(four_threads, knowledge{crowd}.known());
  EXPECT_EQ(alone.sure, confidence::rule);
  EXPECT_EQ(lock_for(w, knowledge{crowd}.known()).take, "mutex");
  EXPECT_EQ(lock_for(w, knowledge{crowd}.known()).sure, confidence::high);
}

TEST(Lock, OfAFarPlaceIsSaidToBeSo) {
  book b{64};
  add_locks(b, {.threads = 64, .gap = 0}, {{"mcs", 6}, {"mutex", 3}});
  const auto r = lock_for({.threads = 4, .critical_ns = 5000, .gap_ns = 1000}, knowledge{b}.known());
  EXPECT_EQ(r.sure, confidence::low);
  EXPECT_TRUE(says(r, "octaves off"));
}

TEST(Lock, IsJudgedByHandOverWhereOnlyTheCellsComeAgainAtOnce) {
  book b{8};
  add_locks(b, {.gap = 0}, {{"tas", 30}, {"mcs", 6}});
  for (const auto& [lock, ns] : {std::pair{"tas", 900.0}, std::pair{"mcs", 170.0}})
    b.add(results::experiment_names::locks_throughput,
          {{"lock", lock},
           {"locks", 1},
           {"threads", 4},
           {"protocol", "saturated"},
           {"hold", 0},
           {"gap", 0},
           {"placement", "compact"},
           {"readers", 0}},
          "handoff_time", "ns", ns);
  const knowledge all{b};
  EXPECT_EQ(lock_for({.threads = 4, .critical_ns = 0, .gap_ns = 300}, all.known()).take, "mcs");
  EXPECT_EQ(lock_for({.threads = 4, .critical_ns = 0, .gap_ns = 0}, all.known()).take, "tas");
}

TEST(Lock, OfReadersIsComparedWithThoseThatServeThemOneByOne) {
  book b{8};
  add_locks(b, {.readers = 90}, {{"shared_mutex", 5}, {"phase_fair", 6}});
  add_locks(b, {}, {{"shared_mutex", 1}, {"phase_fair", 20}, {"mcs", 8}, {"mutex", 2}});
  const knowledge all{b};
  workload w = four_threads;
  w.readers = 90;
  EXPECT_EQ(lock_for(w, all.known()).take, "mcs");
  EXPECT_EQ(lock_for(w, all.known()).runner_up, "phase_fair");
  EXPECT_EQ(lock_for(four_threads, all.known()).take, "phase_fair");
}

TEST(Lock, ThatIsNearlyAlwaysFreeCostsWhatAFreeOneCosts) {
  book b{8};
  for (const auto& [lock, ns] : {std::pair{"ticket", 60.0}, std::pair{"mcs", 90.0}, std::pair{"mutex", 75.0}})
    for (const char* const distance : {"same_cpu", "same_cache"})
      b.add(results::experiment_names::locks_uncontested, {{"lock", lock}, {"distance", distance}}, "pair", "ns",
            distance == std::string{"same_cpu"} ? 10 : ns);
  const knowledge all{b};
  const auto rare = lock_for({.threads = 2, .critical_ns = 100, .gap_ns = 100'000}, all.known());
  EXPECT_EQ(rare.take, "ticket");
  EXPECT_FALSE(rare.matters);
  EXPECT_TRUE(says(rare, "nearly always free"));
  const auto alone = lock_for({.threads = 1, .critical_ns = 0, .gap_ns = 2000}, all.known());
  EXPECT_EQ(alone.take, "ticket");
}

TEST(Lock, ThatWasHardlyWaitedForIsNotJudgedByThreadsThatWantItAtOnce) {
  book b{8};
  add_locks(b, {}, {{"ticket", 4}, {"mcs", 6}, {"mutex", 3}});
  workload w = four_threads;
  w.waiting = 0.02;
  EXPECT_EQ(lock_for(w, knowledge{b}.known()).take, "mcs");
  w.waiting = 0.002;
  const auto unknown = lock_for(w, knowledge{b}.known());
  EXPECT_FALSE(unknown.matters);
  EXPECT_EQ(unknown.sure, confidence::rule);
  EXPECT_TRUE(says(unknown, "waited for in 0.2 % of its threads' time")) << unknown.because;
  EXPECT_EQ(unknown.take, "mutex");
  EXPECT_EQ(sharding_for(w, knowledge{book{8}}.known()).take, "the locks there are");
  for (const auto& [lock, ns] : {std::pair{"mutex", 300.0}, std::pair{"mcs", 600.0}})
    b.add(results::experiment_names::locks_uncontested, {{"lock", lock}, {"distance", "same_package"}}, "pair", "ns",
          ns);
  const auto free = lock_for(w, knowledge{b}.known());
  EXPECT_EQ(free.take, "mutex");
  EXPECT_TRUE(free.matters) << free.because;
}

TEST(Lock, ByRuleSuitsWhatTheWorkloadAsksFor) {
  const knowledge nothing{book{8}};
  for (const std::int64_t threads : {1, 2, 8, 32})
    for (const std::int64_t readers : {0, 90})
      for (const bool sleeps : {false, true})
        for (const bool fair : {false, true}) {
          const workload w{.threads = threads, .readers = readers, .sleeps = sleeps, .fair = fair};
          const auto r = lock_for(w, nothing.known());
          EXPECT_TRUE(advice::admits(w, r.take)) << r.take;
          EXPECT_EQ(r.sure, confidence::rule);
          EXPECT_FALSE(r.rule.empty());
          EXPECT_FALSE(threads == 32 && (r.take == "ticket" || r.take == "mcs")) << "they spin";
        }
}

TEST(Lock, OfLongSectionsSleeps) {
  const knowledge nothing{book{8}};
  const auto r = lock_for({.threads = 4, .critical_ns = 1e6, .gap_ns = 1e6}, nothing.known());
  EXPECT_EQ(r.take, "mutex");
  EXPECT_EQ(r.rule, "Karlin et al. (SOSP 1991)");
  EXPECT_EQ(lock_for({.threads = 4, .critical_ns = 1e6, .gap_ns = 1e6, .fair = true}, nothing.known()).take,
            "mcs/park");
}

TEST(Lock, IsNotAdvisedFromImpossibleCells) {
  book b{8};
  add_locks(b, {.locks = 0}, {{"mcs", 6}, {"mutex", 3}});
  add_locks(b, {.hold = -5}, {{"mcs", 6}, {"mutex", 3}});
  add_locks(b, {.gap = -2500}, {{"mcs", 6}, {"mutex", 3}});
  add_locks(b, {}, {{"mcs", 0}, {"mutex", 0}});
  EXPECT_EQ(lock_for(four_threads, knowledge{b}.known()).sure, confidence::rule);
}

TEST(Sharding, FollowsTheFiguresTheBoundOrTheDemand) {
  book b{8};
  add_locks(b, {.threads = 8}, {{"mcs", 5}, {"mutex", 4}});
  add_locks(b, {.threads = 8, .locks = 16}, {{"mcs", 24}, {"mutex", 20}});
  add_locks(b, {.threads = 8, .locks = 128}, {{"mcs", 25}, {"mutex", 21}});
  const knowledge all{b};
  const auto more = sharding_for({.threads = 8, .critical_ns = 0, .gap_ns = 1000, .locks = 1}, all.known());
  EXPECT_EQ(more.take, "16 locks, if the data can be divided") << "128 are no more than a tenth better";
  EXPECT_TRUE(more.matters);
  EXPECT_EQ(more.figures.size(), 2U);
  const auto enough = sharding_for({.threads = 8, .critical_ns = 0, .gap_ns = 1000, .locks = 16}, all.known());
  EXPECT_FALSE(says(enough, "No measurement"));
  EXPECT_FALSE(enough.matters) << enough.because;
  const auto bound =
      sharding_for({.threads = 8, .critical_ns = 0, .gap_ns = 0, .locks = 1}, knowledge{book{8}}.known());
  EXPECT_TRUE(says(bound, "8 threads with 0 ns between keep 1.00 of 1 lock busy, and 2.91 of 4 times as many"))
      << bound.because;
  EXPECT_TRUE(bound.matters);
  const auto seldom = sharding_for({.threads = 2, .critical_ns = 0, .gap_ns = 1e6}, all.known());
  EXPECT_FALSE(seldom.matters);
}

/// Four threads that want a lock for 150 of each 1150 ns want 0.52 at a time, and are not told to want it always.
TEST(Sharding, ByTheBoundCountsTheTimeBetween) {
  const auto r = sharding_for({.threads = 4, .critical_ns = 50, .gap_ns = 1000}, knowledge{book{2}}.known());
  EXPECT_FALSE(says(r, "always")) << r.because;
  EXPECT_TRUE(says(r, "4 threads with 1.00 us between keep 0.49 of 1 lock busy, and 0.51 of 4 times as many"))
      << r.because;
  EXPECT_EQ(r.take, "the locks there are");
  EXPECT_FALSE(r.matters);
  EXPECT_DOUBLE_EQ(results::busy_locks(4, 8, 0), results::busy_locks(4, 8));
}

TEST(Sharding, IsNotAdvisedAgainstTheBoundByFiguresThatAreTooUncertain) {
  book b{8};
  add_locks(b, {.threads = 8, .gap = 0}, {{"mcs", 5}});
  add_locks(b, {.threads = 8, .locks = 16, .gap = 0}, {{"mcs", 5}});
  const workload busy{.threads = 8, .critical_ns = 0, .gap_ns = 0};
  EXPECT_EQ(sharding_for(busy, knowledge{b}.known()).take, "the locks there are");
  const auto r = sharding_for(busy, knowledge{with_few_repetitions(b)}.known());
  EXPECT_EQ(r.take, "more locks, if the data can be divided") << r.because;
  EXPECT_TRUE(says(r, "The measurement is too uncertain: with 8 threads")) << r.because;
}

}  // namespace
}  // namespace synchro::tests
