// The body of the wake experiments: what it measures, and what it does with sleepers that never wake.

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "experiments/wakes/availability.hpp"
#include "experiments/wakes/host_run.hpp"
#include "experiments/wakes/wake_cells.hpp"
#include "experiments/wakes/wakes.hpp"
#include "platform/scheduling.hpp"
#include "platform/topology.hpp"
#include "results/sleepers.hpp"

namespace synchro::tests {

namespace {

using experiments::any_wake;
using experiments::find_wake;
using experiments::wake_row;
using experiments::wakes::run_on_host;
using experiments::wakes::wake_result;
using experiments::wakes::wake_task;

wake_task task_of(unsigned sleepers, unsigned triggers) {
  wake_task task;
  task.sleepers = sleepers;
  task.triggers = triggers;
  task.budget_ns = 60e9;
  task.deadline_ns = 20e9;
  return task;
}

/// Twenty waits of a thread that spins for a tenth of a microsecond, of which a count in steps of 15.6 ms sees nothing.
wake_result spinner_seen_in_steps(double step_ns) {
  wake_result seen;
  seen.rounds.assign(20, {100, 100, {100}});
  seen.waits = 20;
  seen.wall_ns = 20 * 100;
  seen.cpu_ns = step_ns == 0 ? seen.wall_ns : 0;
  seen.cpu_step_ns = step_ns;
  return seen;
}

TEST(WakeUsage, WhatAStepOfTheClockHidesIsNoShareOfNothing) {
  experiments::repetition coarse, exact;
  const auto never = [](double) { return false; };
  experiments::wakes::record_broadcast(coarse, spinner_seen_in_steps(15.625e6), never);
  experiments::wakes::record_broadcast(exact, spinner_seen_in_steps(0), never);
  const auto share_of = [](const experiments::repetition& r) -> std::optional<double> {
    for (const experiments::observation& o : r.observations)
      if (o.metric == "cpu_share") return o.value;
    return std::nullopt;
  };
  EXPECT_EQ(share_of(exact), 1.0);
  EXPECT_EQ(share_of(coarse), std::nullopt) << "it would pass for a thread that sleeps";
  EXPECT_EQ(coarse.unavailable.at("cpu_share"),
            "the system counts processor time in steps of 15.6 ms, and all waits together took 0.002 ms");
}

TEST(WakeTeam, TellsEachTriggerAndEachSleeper) {
  const wake_result seen = run_on_host(find_wake("linux/futex"), task_of(3, 5));
  ASSERT_EQ(seen.rounds.size(), 5U);
  for (const auto& round : seen.rounds) {
    ASSERT_EQ(round.wake_ns.size(), 3U);
    EXPECT_GT(*std::min_element(round.wake_ns.begin(), round.wake_ns.end()), 0);
    EXPECT_GT(round.trigger_ns, 0);
  }
  EXPECT_EQ(seen.waits, 15);
  EXPECT_FALSE(seen.lost);
}

TEST(WakeTeam, SleepersAreSeenAsleepInTheirCall) {
  const wake_result seen = run_on_host(find_wake("linux/eventfd"), task_of(2, 3));
  EXPECT_EQ(seen.sleeps_in, (std::map<std::string, unsigned>{{"read", 2}}));
  // Whoever has been seen asleep has given its processor away.
  EXPECT_EQ(seen.slept, seen.waits);
  EXPECT_GE(seen.switches, seen.waits);
}

TEST(WakeTeam, OnOneProcessor) {
  const unsigned cpu = platform::read_topology().processors.front().cpu;
  for (const char* name : {"event", "cascade", "event_group", "pthread/cond", "posix/sem", "spin/yield"}) {
    wake_task task = task_of(4, 3);
    task.cpus = {cpu};
    const wake_result seen = run_on_host(find_wake(name), task);
    EXPECT_EQ(seen.rounds.size(), 3U) << name;
    EXPECT_FALSE(seen.lost) << name;
  }
}

TEST(WakeTeam, StopsWhenItsTimeIsUpButNotBeforeTheFirstTrigger) {
  wake_task task = task_of(1, 1'000'000);
  task.budget_ns = 0;
  EXPECT_EQ(run_on_host(find_wake("event"), task).rounds.size(), 1U);
}

TEST(WakeTeam, AfterAGivenTimeWhetherTheySleepOrNot) {
  wake_task task = task_of(1, 3);
  task.idle_ns = 2e6;
  const wake_result seen = run_on_host(find_wake("event"), task);
  ASSERT_EQ(seen.rounds.size(), 3U);
  for (const auto& round : seen.rounds) EXPECT_GE(round.idle_ns, 2e6);
}

/// Wakes nobody from its third trigger on, until it is told that the test is over.
class forgetful : public any_wake {
 public:
  void wait(unsigned) override {
    const unsigned seen = seen_++;
    while (triggers_.load() <= seen && !over.load()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  void arm() override {}
  void trigger() override {
    if (triggers_.load() < 2) ++triggers_;
  }
  void trigger_each() override { trigger(); }
  void region(const std::function<void(unsigned)>&) override {}

  static inline std::atomic<bool> over{false};

 private:
  unsigned seen_ = 0;
  std::atomic<unsigned> triggers_{0};
};

TEST(WakeTeam, ASleeperThatNeverWakesIsALostWakeUpAndNoHang) {
  wake_row row = find_wake("linux/futex");
  row.name = "test/forgetful";
  row.sleeps = false;
  wake_task task = task_of(1, 10);
  task.deadline_ns = 1e9;
  const wake_result seen = run_on_host(row, task, [] { return std::make_unique<forgetful>(); });
  ASSERT_TRUE(seen.lost);
  EXPECT_NE(seen.lost->find("test/forgetful lost a wake-up"), std::string::npos) << *seen.lost;
  experiments::repetition told;
  experiments::wakes::add_to(told, seen);
  EXPECT_EQ(told.broken, seen.lost);
  forgetful::over = true;
}

/// A runtime: its threads outlive what they are used for.
class pool : public any_wake {
 public:
  explicit pool(unsigned threads) {
    for (unsigned i = 1; i != threads; ++i) threads_.emplace_back([this, i] { serve(i); });
  }
  ~pool() override {
    over_ = true;
    begin(nullptr);
    for (std::thread& t : threads_) t.join();
  }
  void wait(unsigned) override {}
  void arm() override {}
  void trigger() override {}
  void trigger_each() override {}
  void region(const std::function<void(unsigned)>& body) override {
    left_ = static_cast<unsigned>(threads_.size());
    begin(&body);
    body(0);
    for (unsigned left = 0; (left = left_.load()) != 0;) left_.wait(left);
  }

 private:
  void begin(const std::function<void(unsigned)>* body) {
    body_ = body;
    ++regions_;
    regions_.notify_all();
  }
  void serve(unsigned i) {
    for (unsigned done = 0;; ++done) {
      regions_.wait(done);
      if (over_) return;
      (*body_)(i);
      if (--left_ == 0) left_.notify_all();
    }
  }

  std::atomic<const std::function<void(unsigned)>*> body_{nullptr};
  std::atomic<unsigned> regions_{0}, left_{0};
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

/// The runtime's, lent to a run that believes to own it.
class lent : public any_wake {
 public:
  explicit lent(pool& of) : of_{of} {}
  void wait(unsigned) override {}
  void arm() override {}
  void trigger() override {}
  void trigger_each() override {}
  void region(const std::function<void(unsigned)>& body) override { of_.region(body); }

 private:
  pool& of_;
};

TEST(WakeRegion, ARuntimesThreadsGetTheirPriorityBack) {
  using platform::urgency;
  if (platform::raised_priority{urgency::raised}.outcome().warning)
    GTEST_SKIP() << "raising the priority is not permitted here";
  constexpr unsigned threads = 4;
  pool runtime{threads};
  const auto nice_values = [&] {
    std::vector<int> seen(threads);
    runtime.region([&](unsigned i) { seen[i] = getpriority(PRIO_PROCESS, 0); });
    return seen;
  };
  const std::vector<int> before = nice_values();
  wake_row row = find_wake("linux/futex");
  row.region = true;
  for (const urgency how : {urgency::raised, urgency::highest}) {
    wake_task task = task_of(threads - 1, 3);
    task.priority = how;
    EXPECT_EQ(run_on_host(row, task, [&] { return std::make_unique<lent>(runtime); }).rounds.size(), 3U);
    EXPECT_EQ(nice_values(), before);
    std::vector<int> policies(threads);
    runtime.region([&](unsigned i) { policies[i] = sched_getscheduler(0); });
    EXPECT_EQ(policies, std::vector<int>(threads, sched_getscheduler(0)));
  }
}

TEST(WakeTeam, RaisedOnOneProcessor) {
  const unsigned cpu = platform::read_topology().processors.front().cpu;
  for (const char* name : {"event", "pthread/cond"}) {
    wake_task task = task_of(4, 3);
    task.cpus = {cpu};
    task.priority = platform::urgency::highest;
    const wake_result seen = run_on_host(find_wake(name), task);
    EXPECT_EQ(seen.rounds.size(), 3U) << name;
    EXPECT_FALSE(seen.lost) << name;
  }
}

/// What a system refuses to a sleeper or to the waker ends the cell with its sentence.
class refusing : public forgetful {
 public:
  explicit refusing(bool the_waker) : the_waker_{the_waker} {}
  void wait(unsigned) override {
    if (!the_waker_) throw std::runtime_error{"no wait today"};
    while (!over.load()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  void trigger() override {
    if (the_waker_) throw std::runtime_error{"no trigger today"};
  }

 private:
  bool the_waker_;
};

TEST(WakeTeam, WhatIsRefusedIsTold) {
  wake_row row = find_wake("linux/futex");
  row.sleeps = false;
  forgetful::over = false;
  for (const bool the_waker : {false, true}) {
    try {
      (void)run_on_host(row, task_of(2, 10), [&] { return std::make_unique<refusing>(the_waker); });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), the_waker ? "no trigger today" : "no wait today");
    }
  }
  forgetful::over = true;
}

TEST(WakeTable, EveryRowSaysWhatItIs) {
  for (const wake_row& row : experiments::all_wakes()) {
    EXPECT_FALSE(row.words.judgement.empty()) << row.name;
    EXPECT_FALSE(row.words.citation.empty()) << row.name;
    EXPECT_TRUE(row.name == row.family || row.name.starts_with(row.family + "/")) << row.name;
    EXPECT_EQ(&find_wake(row.name), &row);
  }
  EXPECT_THROW((void)find_wake("no/such"), std::out_of_range);
}

TEST(WakeTable, SaysOfSleepersWhatDocumentsAreReadBy) {
  for (const wake_row& row : experiments::all_wakes())
    EXPECT_EQ(results::sleeps_by_catalog(row.name), row.sleeps) << row.name;
}

TEST(WakeBroadcast, ARepetitionTellsEveryMetricAtEveryPlace) {
  experiments::setting s;
  s.machine = platform::read_topology();
  s.thoroughness = experiments::level::quick;
  const experiments::experiment e = experiments::wake_broadcast();
  const experiments::repetition r = e.measure(s,
                                              {{"primitive", "event"},
                                               {"threads", std::int64_t{3}},
                                               {"calls", "one"},
                                               {"placement", "compact"},
                                               {"priority", "default"}},
                                              1);
  EXPECT_FALSE(r.broken);
  for (const auto& m : e.metrics)
    EXPECT_TRUE(
        std::any_of(r.observations.begin(), r.observations.end(), [&](const auto& o) { return o.metric == m.name; }) ||
        r.unavailable.contains(m.name))
        << m.name;
  const auto of_order = std::count_if(r.observations.begin(), r.observations.end(),
                                      [](const auto& o) { return o.metric == "wake_of_order"; });
  EXPECT_EQ(of_order, 3);
}

}  // namespace

}  // namespace synchro::tests
