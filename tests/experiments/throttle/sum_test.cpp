#include <gtest/gtest.h>

#include <set>

#include "experiments/framework/runner.hpp"
#include "experiments/throttle/crowd.hpp"
#include "experiments/throttle/slices.hpp"
#include "experiments/throttle/throttle.hpp"
#include "platform/topology.hpp"

namespace synchro::experiments::throttle {
namespace {

constexpr work kinds[] = {work::integer, work::floating, work::memory};

TEST(Parts, AddUpToTheProgression) {
  for (const work kind : kinds) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < 64; ++i) sum += make_part(kind, i * 1024, 1024)->sum();
    EXPECT_EQ(sum, std::uint64_t{64} * 1024 * (64 * 1024 + 1) / 2);
  }
}

TEST(Parts, ThoseInMemoryAreLargerThanAPrivateCache) {
  platform::topology machine = platform::topology_from_synthetic("package:1 l3:1 core:4 l2:1(size=1048576) pu:1");
  EXPECT_GT(terms_of(work::memory, machine) * 8, 1048576U);
  EXPECT_LE(terms_of(work::memory, machine) * 8, 4 * 1048576U);
  EXPECT_GT(terms_of(work::memory, {}), terms_of(work::integer, {}));
}

TEST(Progression, HoldsModulo2To64) {
  EXPECT_EQ(progression(1), 1U);
  EXPECT_EQ(progression(4), 10U);
  EXPECT_EQ(progression(5), 15U);
  // n (n + 1) / 2 for n = 2^63: half of n is 2^62, times n + 1 leaves 2^62.
  EXPECT_EQ(progression(std::uint64_t{1} << 63), std::uint64_t{1} << 62);
}

TEST(RoundNumber, IsNearAndNeverLess) {
  EXPECT_EQ(round_number(0.1), 1U);
  EXPECT_EQ(round_number(1.9), 2U);
  EXPECT_EQ(round_number(2.5), 3U);
  EXPECT_EQ(round_number(3.5), 4U);
  EXPECT_EQ(round_number(700), 768U);
  EXPECT_EQ(round_number(1000), 1024U);
  EXPECT_EQ(round_number(1024), 1024U);
}

/// A clock of two threads that share a processor in slices of 31 ms, and of interrupts of 50 us.
TEST(Turns, AreSeenByTheClockWhereNobodyCountsThem) {
  constexpr double step = 1e3, slice = 31e6;
  seen_turns seen{0};
  double now = 0;
  for (int turn = 0; turn != 4; ++turn) {
    for (double had = 0; had < slice; had += step) seen.look(now += step);
    now += 50e3;  // an interrupt is no loss
    seen.look(now);
    now += slice;  // the other one's
    seen.look(now);
  }
  EXPECT_EQ(seen.losses(), 4U);
  EXPECT_NEAR(seen.had_ns() / 4, slice, 0.01 * slice);
}

std::set<std::string> observed(const repetition& r) {
  std::set<std::string> names;
  for (const observation& o : r.observations) names.insert(o.metric);
  return names;
}

TEST(Record, OfWhatTheSystemDoesNotCountThereIsNoZero) {
  crowd_result seen;
  seen.elapsed_ns = 1e9;
  repetition r;
  record(r, seen, 80e6, std::nullopt);
  EXPECT_EQ(observed(r), (std::set<std::string>{"time", "share"}));
  EXPECT_EQ(r.unavailable.at("switches"), "the system does not count a thread's context switches");
  EXPECT_TRUE(r.unavailable.contains("preemptions"));
  EXPECT_TRUE(r.unavailable.contains("slices"));
  EXPECT_EQ(r.bounded, "whether a part of the sum is long enough to be interrupted is not known");
}

TEST(Record, APartThatIsHardlyInterruptedSaysSo) {
  crowd_result seen;
  seen.switches = seen.preemptions = 3;
  for (const double slice_ns : {31.25e6, 187.5e6}) {  // Windows's, of a client and of a server
    repetition r;
    record(r, seen, 24e6, slice_ns);
    ASSERT_TRUE(r.bounded);
    EXPECT_NE(r.bounded->find("hardly any thread is interrupted"), std::string::npos) << *r.bounded;
    repetition longer;
    record(longer, seen, 16 * slice_ns, slice_ns);
    EXPECT_FALSE(longer.bounded);
    EXPECT_EQ(observed(longer).size(), 5U);
  }
}

crowd_task task(work kind, unsigned permits) {
  crowd_task t;
  t.kind = kind;
  t.parts = 16;
  t.permits = permits;
  t.terms = 4096;
  t.passes = 50;
  return t;
}

TEST(Crowd, TheSumIsRightAndNoMoreAreInsideThanPermitted) {
  for (const work kind : kinds)
    for (const unsigned permits : {1U, 2U, 5U, 16U, 0U}) {
      const crowd_result seen = add_up(task(kind, permits));
      EXPECT_EQ(seen.broken, std::nullopt) << permits;
      EXPECT_GE(seen.most_inside, 1U);
      EXPECT_LE(seen.most_inside, permits == 0 ? 16U : permits);
      EXPECT_TRUE(seen.switches && seen.preemptions);
      EXPECT_GE(seen.switches, seen.preemptions);
      EXPECT_GT(seen.elapsed_ns, 0);
    }
}

TEST(Crowd, APoolDoesTheSameWork) {
  for (const unsigned threads : {1U, 3U, 16U}) {
    crowd_task t = task(work::integer, threads);
    t.pool = true;
    const crowd_result seen = add_up(t);
    EXPECT_EQ(seen.broken, std::nullopt);
    EXPECT_LE(seen.most_inside, threads);
  }
}

setting on_this_machine(level l) {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = l;
  return s;
}

std::set<std::int64_t> permits_in(const plan& p, const std::string& variant) {
  std::set<std::int64_t> found;
  for (const planned_cell& c : p.cells)
    if (c.at.word("variant") == variant) found.insert(c.at.number("permits"));
  return found;
}

TEST(Sum, ThePlanHasTheArticlesPermitsAndThisMachines) {
  const experiment e = throttle_sum();
  setting s = on_this_machine(level::standard);
  const platform::topology described = platform::topology_from_synthetic("package:1 core:10 pu:2");
  s.machine.processors = described.processors;
  const std::set<std::int64_t> found = permits_in(make_plan(s, {&e}), "integer");
  for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 8, 16, 32, 64, 0, 10, 20}) EXPECT_TRUE(found.contains(n)) << n;
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](std::int64_t n) { return n > 10 && n < 20; }));
}

TEST(Sum, NothingIsPermittedBeyondTheThreadsAndAPoolHasASize) {
  const experiment e = throttle_sum();
  setting s = on_this_machine(level::full);
  s.chosen["threads"] = {coordinate{std::int64_t{4}}};
  const plan p = make_plan(s, {&e});
  EXPECT_EQ(*permits_in(p, "integer").rbegin(), 4);
  EXPECT_FALSE(permits_in(p, "pool").contains(0));
}

TEST(Sum, EveryVariantGivesEveryMetric) {
  const experiment e = throttle_sum();
  const setting s = on_this_machine(level::quick);
  for (const char* variant : {"integer", "floating", "memory", "pool"}) {
    const coordinates at{{"variant", variant}, {"threads", std::int64_t{4}}, {"permits", std::int64_t{2}}};
    const repetition r = e.measure(s, at, 1);
    EXPECT_EQ(r.broken, std::nullopt);
    std::set<std::string> told;
    for (const observation& o : r.observations) told.insert(o.metric);
    for (const auto& [metric, why] : r.unavailable) told.insert(metric);
    std::set<std::string> declared;
    for (const metric& m : e.metrics) declared.insert(m.name);
    EXPECT_EQ(told, declared);
  }
}

}  // namespace
}  // namespace synchro::experiments::throttle
