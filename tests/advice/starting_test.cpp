// Waking, groups, permits, forking, delegation.

#include <gtest/gtest.h>

#include "advice/waking.hpp"
#include "book_of_locks.hpp"

namespace synchro::tests {
namespace {

using advice::confidence;
using advice::workload;
namespace experiment_names = results::experiment_names;

bool says(const advice::recommendation& r, const std::string& words) {
  return r.because.find(words) != std::string::npos;
}

knowledge wakes() {
  book b{8};
  for (const auto& [name, us] : {std::pair{"event/spin", 1.0}, {"event", 20.0}, {"cascade", 15.0}, {"no/such", 0.1}})
    for (const std::int64_t n : {3, 15})
      b.add(experiment_names::wake_broadcast, {{"primitive", name}, {"threads", n}, {"placement", "compact"}},
            "wake_last", "ns", 1000 * us * static_cast<double>(n));
  for (const auto& [metric, value] : {std::pair{"wake_best", 9000.0}, {"best_group", 3.0}, {"gain", 1.4}})
    b.add(experiment_names::wake_groups, {{"primitive", "event"}, {"threads", 7}, {"placement", "compact"}}, metric,
          std::string{metric} == "wake_best" ? "ns" : "1", value);
  return knowledge{b};
}

TEST(Waking, TakesTheEarliestThatMaySpinOrMustSleep) {
  const knowledge all = wakes();
  const auto spins = waking_for({.threads = 4}, all.known());
  EXPECT_EQ(spins.take, "event/spin");
  EXPECT_TRUE(says(spins, "Asleep, the fastest is cascade"));
  EXPECT_TRUE(says(spins, "3 sleepers"));
  EXPECT_EQ(spins.runner_up, "cascade");
  EXPECT_EQ(spins.sure, confidence::high);
  EXPECT_EQ(waking_for({.threads = 4, .sleeps = true}, all.known()).take, "cascade");
  const auto crowd = waking_for({.threads = 20}, all.known());
  EXPECT_EQ(crowd.take, "cascade") << "spins are no choice where threads share processors";
  EXPECT_TRUE(says(crowd, "15 sleepers"));
}

TEST(Waking, OfFewRepetitionsSaysSo) {
  const auto r = waking_for({.threads = 4}, knowledge{with_few_repetitions(wakes().document())}.known());
  EXPECT_TRUE(says(r, "too few repetitions to tell them apart")) << r.because;
  EXPECT_FALSE(says(r, "does not matter"));
  EXPECT_EQ(r.sure, confidence::rule);
}

/// The same with each of them as wide as waking is beside other work.
results::document wide(results::document d) {
  for (results::cell& c : d.cells) {
    for (std::size_t i = 0; i < c.samples.size(); ++i) c.samples[i] *= i % 2 == 0 ? 0.2 : 5;
    results::summarize(c);
  }
  return d;
}

TEST(Waking, IsNotChosenAgainstARuleByFiguresThatAreTooUncertain) {
  const auto r = waking_for({.threads = 4, .sleeps = true}, knowledge{wide(wakes().document())}.known());
  EXPECT_EQ(r.take, "event_group") << r.because;
  EXPECT_EQ(r.sure, confidence::rule);
  EXPECT_TRUE(says(r, "The measurement is too uncertain: ")) << r.because;
  EXPECT_TRUE(r.because.ends_with("synchroscope run wake.broadcast")) << r.because;
}

TEST(Waking, DoesNotMatterOnlyWhereThatIsSure) {
  const auto of_two = [](double by) {
    book b{8};
    for (const char* const name : {"event", "cascade"})
      b.add(experiment_names::wake_broadcast, {{"primitive", name}, {"threads", 3}, {"placement", "compact"}},
            "wake_last", "ns", 20'000);
    results::document d = b;
    for (std::size_t i = 0; i < d.cells[0].samples.size(); ++i) d.cells[0].samples[i] *= i % 2 == 0 ? 1 - by : 1 + by;
    results::summarize(d.cells[0]);
    return waking_for({.threads = 4, .sleeps = true}, knowledge{d}.known());
  };
  EXPECT_TRUE(says(of_two(0), "It does not matter which.")) << of_two(0).because;
  EXPECT_TRUE(says(of_two(0.2), "The measurement cannot tell them apart.")) << of_two(0.2).because;
  EXPECT_FALSE(says(of_two(0.2), "not matter"));
}

TEST(Group, OfAnUncertainGainIsLeftToTheRule) {
  const auto r = group_for({.threads = 8, .sleeps = true}, knowledge{wide(wakes().document())}.known());
  EXPECT_EQ(r.take, "5 sleepers an object") << r.because;
  EXPECT_EQ(r.sure, confidence::rule);
  EXPECT_FALSE(says(r, "does not matter")) << r.because;
}

TEST(Forking, BySizesThatAreTooUncertainIsLeftToTheRule) {
  book b{4};
  b.add(experiment_names::forkjoin_breakeven, {{"primitive", "event"}, {"threads", 4}}, "pays_from", "ns", 4e6);
  EXPECT_TRUE(forking_for({.threads = 4}, knowledge{b}.known()).take.starts_with("jobs from 4.00 ms"));
  const auto r = forking_for({.threads = 4}, knowledge{wide(b)}.known());
  EXPECT_EQ(r.take, "jobs from 200 us") << r.because;
  EXPECT_TRUE(says(r, "The measurement is too uncertain: ")) << r.because;
}

TEST(Waking, FollowsARuleWithoutFigures) {
  const knowledge nothing{book{8}};
  EXPECT_EQ(waking_for({.threads = 4}, nothing.known()).take, "event/spin");
  const auto asleep = waking_for({.threads = 4, .sleeps = true}, nothing.known());
  EXPECT_EQ(asleep.take, "event_group");
  EXPECT_TRUE(says(asleep, "No measurement here; the rule of docs/wakes/README.md"));
}

TEST(Group, IsAdvisedWhereItGains) {
  const auto gains = group_for({.threads = 8, .sleeps = true}, wakes().known());
  EXPECT_EQ(gains.take, "3 sleepers an object");
  EXPECT_TRUE(gains.matters);
  EXPECT_EQ(gains.figures.size(), 3U);
  book b{8};
  b.add(experiment_names::wake_groups, {{"primitive", "event"}, {"threads", 7}}, "wake_best", "ns", 9000)
      .add(experiment_names::wake_groups, {{"primitive", "event"}, {"threads", 7}}, "best_group", "1", 3)
      .add(experiment_names::wake_groups, {{"primitive", "event"}, {"threads", 7}}, "gain", "1", 1);
  const auto none = group_for({.threads = 8}, knowledge{b}.known());
  EXPECT_FALSE(none.matters);
  EXPECT_EQ(none.take, "any size");
  EXPECT_EQ(group_for({.threads = 12}, knowledge{book{16}}.known()).take, "5 sleepers an object");
}

knowledge throttled(double best, double without) {
  book b{4};
  for (const auto& [permits, s] : {std::pair{4, best}, {8, best * 1.2}, {0, without}})
    b.add(experiment_names::throttle_sum, {{"variant", "integer"}, {"permits", permits}, {"threads", 64}}, "time", "ns",
          s * 1e9);
  return knowledge{b};
}

TEST(Permits, AreForThreadsThatShareProcessors) {
  EXPECT_EQ(permits_for({.threads = 4}, throttled(1, 2).known()).take, "no limit");
  const auto gains = permits_for({.threads = 32}, throttled(1, 1.5).known());
  EXPECT_EQ(gains.take, "4 permits");
  EXPECT_TRUE(gains.matters);
  const auto none = permits_for({.threads = 32}, throttled(1, 1).known());
  EXPECT_EQ(none.take, "no limit");
  EXPECT_TRUE(says(none, "does not matter"));
  const auto rule = permits_for({.threads = 32}, knowledge{book{4}}.known());
  EXPECT_EQ(rule.take, "4 permits");
  EXPECT_EQ(rule.rule, "Semaphore throttle");
}

TEST(Permits, ChosenAmongSeveralByFewRepetitionsAreNotSure) {
  EXPECT_EQ(permits_for({.threads = 32}, throttled(1, 1.5).known()).sure, confidence::high);
  results::document six = throttled(1, 1.5).document();
  for (results::cell& c : six.cells) c.samples.resize(6), results::summarize(c);
  const auto gains = permits_for({.threads = 32}, knowledge{six}.known());
  EXPECT_EQ(gains.take, "4 permits");
  EXPECT_EQ(gains.sure, confidence::medium);
  EXPECT_TRUE(says(gains, "confirm it by --permits 4,0"));
}

TEST(Forking, TakesTheWayThatPaysFirst) {
  book b{4};
  for (const auto& [name, us] : {std::pair{"event", 40.0}, {"event/spin", 10.0}, {"omp/gnu", 30.0}})
    b.add(experiment_names::forkjoin_breakeven, {{"primitive", name}, {"threads", 4}}, "pays_from", "ns", 1000 * us);
  const knowledge all{b};
  EXPECT_EQ(forking_for({.threads = 4}, all.known()).take.substr(0, 14), "jobs from 10.0");
  const auto asleep = forking_for({.threads = 8, .sleeps = true}, all.known());
  EXPECT_TRUE(asleep.take.ends_with("by omp/gnu")) << asleep.take << ": more threads than processors divide no further";
  EXPECT_EQ(asleep.runner_up, "event");
  EXPECT_EQ(forking_for({.threads = 1}, all.known()).take, "nothing");
  const auto rule = forking_for({.threads = 4}, knowledge{book{4}}.known());
  EXPECT_EQ(rule.take, "jobs from 200 us");
  EXPECT_EQ(rule.rule, "Multi-Threading for Experts: Synchronization");
}

knowledge delegated(double server) {
  book b{8};
  for (const auto& [name, rate] :
       {std::pair{"mcs", 5.0}, {"mutex", 3.0}, {"delegation_server", server}, {"cc_synch", 4.0}})
    for (const std::int64_t gap : {0, 1000})
      b.add(experiment_names::delegation_throughput,
            {{"delegate", name}, {"threads", 4}, {"lines", 1}, {"gap", gap}, {"placement", "compact"}}, "throughput",
            "op/s", rate * (gap == 0 ? 1e6 : 2e6));
  return knowledge{b};
}

TEST(Delegation, IsForContendedSectionsWhereItIsFaster) {
  const workload busy{.threads = 4, .critical_ns = 0, .gap_ns = 50};
  const auto gains = delegation_for(busy, delegated(9).known());
  EXPECT_EQ(gains.take, "delegation_server");
  EXPECT_EQ(gains.runner_up, "mcs");
  EXPECT_NEAR(*gains.figures.at(0).value, 9e6, 9e4) << "of the nearest gap";
  const auto loses = delegation_for(busy, delegated(2).known());
  EXPECT_EQ(loses.take, "a lock");
  EXPECT_TRUE(loses.matters);
  const auto unsure = delegation_for(busy, knowledge{with_few_repetitions(delegated(9).document())}.known());
  EXPECT_FALSE(unsure.matters);
  EXPECT_EQ(unsure.take, "a lock");
  const auto rare = delegation_for({.threads = 4, .gap_ns = 100'000}, delegated(9).known());
  EXPECT_EQ(rare.take, "a lock");
  EXPECT_EQ(rare.sure, confidence::rule);
  EXPECT_EQ(delegation_for(busy, knowledge{book{8}}.known()).sure, confidence::rule);
  const auto doubted = delegation_for(busy, knowledge{flagged(delegated(9).document())}.known());
  EXPECT_EQ(doubted.take, "a lock") << doubted.because;
}

}  // namespace
}  // namespace synchro::tests
