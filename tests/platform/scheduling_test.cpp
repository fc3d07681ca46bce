// Priority, the scheduler's record, steal time and energy.

#include "platform/scheduling.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "platform/child.hpp"
#include "platform/fake_root.hpp"
#include "platform/placement.hpp"
#include "synchro/domains.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {
namespace {

/// What the calling thread has of the scheduler.
struct standing {
  int policy = sched_getscheduler(0);
  int nice = getpriority(PRIO_PROCESS, 0);
  bool operator==(const standing&) const = default;
};

TEST(Priority, IsRaisedAsToldAndRestored) {
  EXPECT_EQ(in_child([] {
              const standing before;
              {
                const raised_priority raised{urgency::highest};
                const priority_outcome& o = raised.outcome();
                sched_param param{};
                sched_getparam(0, &param);
                const bool fifo = o.granted == "fifo:" + std::to_string(param.sched_priority);
                const bool nice = o.granted == "nice:" + std::to_string(getpriority(PRIO_PROCESS, 0));
                if (sched_getscheduler(0) == SCHED_FIFO ? !fifo : !nice && o.granted != "default") return 1;
                const bool all = param.sched_priority == sched_get_priority_max(SCHED_FIFO);
                if (o.warning.has_value() == all) return 2;
              }
              return standing{} == before ? 0 : 3;
            }),
            0);
}

TEST(Priority, IsRaisedSlightlyWithoutKeepingAnybodyFromRunning) {
  EXPECT_EQ(in_child([] {
              const standing before;
              {
                const raised_priority raised{urgency::raised};
                const priority_outcome& o = raised.outcome();
                const standing now;
                if (now.policy != SCHED_OTHER) return 1;
                if (o.warning ? now != before || o.granted != "default" : now.nice != std::max(-20, before.nice - 2))
                  return 2;
              }
              return standing{} == before ? 0 : 3;
            }),
            0);
}

TEST(Priority, RefusedIsAWarningAndNoError) {
  EXPECT_EQ(in_child([] {
              const rlimit none{0, 0};
              setrlimit(RLIMIT_RTPRIO, &none);
              setrlimit(RLIMIT_NICE, &none);
              constexpr uid_t nobody = 65534;
              if (geteuid() == 0 && setuid(nobody) != 0) return 1;
              const raised_priority highest{urgency::highest};
              if (highest.outcome().granted != "default") return 2;
              if (raised_priority{urgency::raised}.outcome().granted != "default") return 4;
              const auto& warning = highest.outcome().warning;
              return warning && warning->find("ulimit") != std::string::npos ? 0 : 3;
            }),
            0);
}

TEST(Priority, NiceIsTheSecondBest) {
  constexpr int cannot_be_arranged = 1;
  const int outcome = in_child([] {
    const rlimit none{0, 0};
    const rlimit to_minus_ten{30, 30};
    constexpr uid_t nobody = 65534;
    if (setrlimit(RLIMIT_RTPRIO, &none) != 0 || setrlimit(RLIMIT_NICE, &to_minus_ten) != 0) return cannot_be_arranged;
    if (setpriority(PRIO_PROCESS, 0, 3) != 0 || setuid(nobody) != 0) return cannot_be_arranged;
    {
      const raised_priority raised{urgency::highest};
      const priority_outcome& o = raised.outcome();
      if (o.granted != "nice:-10" || getpriority(PRIO_PROCESS, 0) != -10 || !o.warning) return 2;
    }
    return getpriority(PRIO_PROCESS, 0) == 3 ? 0 : 3;
  });
  if (outcome == cannot_be_arranged) GTEST_SKIP() << "raising the limit of nice values is not permitted here";
  EXPECT_EQ(outcome, 0);
}

TEST(Priority, OfTheUsualUrgencyStaysWhatItIs) {
  EXPECT_EQ(in_child([] {
              const standing before;
              {
                const raised_priority usual{urgency::usual};
                if (standing{} != before || usual.outcome().warning) return 1;
                if (setpriority(PRIO_PROCESS, 0, 5) != 0) return 2;
              }
              return getpriority(PRIO_PROCESS, 0) == 5 ? 0 : 3;
            }),
            0);
}

TEST(Priority, IsRestoredScopeByScope) {
  EXPECT_EQ(in_child([] {
              if (setpriority(PRIO_PROCESS, 0, 5) != 0) return 1;
              const standing before;
              const raised_priority outer{urgency::raised};
              const standing between;
              if (outer.outcome().warning ? between != before : between.nice != 3) return 2;
              { const raised_priority inner{urgency::highest}; }
              return standing{} == between ? 0 : 3;
            }),
            0);
}

/// The threads of a runtime are given back what they had by the one who used them.
TEST(Priority, IsThatThreadsWhoeverEndsTheScope) {
  EXPECT_EQ(in_child([] {
              std::optional<raised_priority> raised;
              std::atomic<int> step{0};
              bool restored = false;
              std::thread other{[&] {
                const standing before;
                raised.emplace(urgency::highest);
                step = 1;
                while (step != 2) std::this_thread::sleep_for(std::chrono::milliseconds{1});
                restored = standing{} == before;
              }};
              while (step != 1) std::this_thread::sleep_for(std::chrono::milliseconds{1});
              if (setpriority(PRIO_PROCESS, 0, 4) != 0) return 1;
              raised.reset();
              step = 2;
              other.join();
              if (!restored) return 2;
              return getpriority(PRIO_PROCESS, 0) == 4 ? 0 : 3;
            }),
            0);
}

TEST(Priority, ThatAThreadKeepsStaysRaised) {
  EXPECT_EQ(in_child([] {
              standing within;
              {
                raised_priority raised{urgency::highest};
                within = standing{};
                raised.keep();
              }
              return standing{} == within ? 0 : 1;
            }),
            0);
}

TEST(Priority, AllowedAtMostIsTriedAndGivenBack) {
  EXPECT_EQ(in_child([] {
              const standing before;
              const priority_outcome at_most = highest_priority_allowed();
              if (standing{} != before) return 1;
              return at_most.granted == raised_priority{urgency::highest}.outcome().granted ? 0 : 2;
            }),
            0);
}

TEST(Counters, CountWhatTheThreadDid) {
  const scheduler_counters before = thread_counters();
  for (int i = 0; i < 20; ++i) std::this_thread::sleep_for(std::chrono::microseconds{100});
  const scheduler_counters after = thread_counters();
  ASSERT_TRUE(before.voluntary_switches && after.voluntary_switches);
  EXPECT_GE(*after.voluntary_switches, *before.voluntary_switches + 20);
  ASSERT_TRUE(before.involuntary_switches && after.involuntary_switches);
  EXPECT_GE(*after.involuntary_switches, *before.involuntary_switches);
  ASSERT_TRUE(before.cpu_time_ns && after.cpu_time_ns);
  EXPECT_GT(*after.cpu_time_ns, *before.cpu_time_ns);
}

TEST(Counters, AreTheThreadsOwn) {
  for (int i = 0; i < 20; ++i) std::this_thread::sleep_for(std::chrono::microseconds{100});
  const auto mine = thread_counters().voluntary_switches;
  std::optional<std::uint64_t> its;
  std::thread{[&] { its = thread_counters().voluntary_switches; }}.join();
  ASSERT_TRUE(mine && its);
  EXPECT_LT(*its, *mine);
}

TEST(RunDelay, GrowsForAThreadThatShares) {
  if (!thread_counters().run_delay_ns) GTEST_SKIP() << "the kernel does not tell it";
  const unsigned cpu = os::allowed_cpus()[0];
  std::optional<std::uint64_t> delay;
  const auto busy = [cpu](std::optional<std::uint64_t>* told) {
    ASSERT_TRUE(pin_this_thread(cpu));
    const auto before = thread_counters();
    while (*thread_counters().cpu_time_ns < *before.cpu_time_ns + 30'000'000) {
    }
    if (told) *told = *thread_counters().run_delay_ns - *before.run_delay_ns;
  };
  std::thread other{busy, nullptr};
  std::thread self{busy, &delay};
  self.join();
  other.join();
  ASSERT_TRUE(delay);
  EXPECT_GT(*delay, 0U);
}

TEST(RunningOn, IsWhereThreadIsPinned) {
  for (const unsigned cpu : os::allowed_cpus())
    std::thread{[cpu] {
      ASSERT_TRUE(pin_this_thread(cpu));
      EXPECT_EQ(running_on(), cpu);
    }}.join();
}

TEST(Steal, IsSummedOverTheProcessorsAskedFor) {
  fake_root root;
  root.with("proc/stat",
            "cpu  9 9 9 9 9 9 9 600 0 0\n"
            "cpu0 1 2 3 4 5 6 7 100 0 0\n"
            "cpu1 1 2 3 4 5 6 7 200 0 0\n"
            "cpu12 1 2 3 4 5 6 7 300 0 0\n"
            "intr 5");
  const std::uint64_t tick = 1'000'000'000U / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  EXPECT_EQ(steal_ns({0, 12}, root.path()), 400 * tick);
  EXPECT_EQ(steal_ns({1}, root.path()), 200 * tick);
  EXPECT_EQ(steal_ns({1, 2}, root.path()), std::nullopt) << "of one of them nothing is known";
  EXPECT_EQ(steal_ns({1}, root.path("nowhere")), std::nullopt);
}

class Energy : public ::testing::Test {
 protected:
  void zone(const std::string& folder, const std::string& name, std::uint64_t microjoules) {
    root_.with(folder + "/name", name).with(folder + "/max_energy_range_uj", "262143328850");
    set(folder, microjoules);
  }
  void set(const std::string& folder, std::uint64_t microjoules) {
    root_.with(folder + "/energy_uj", std::to_string(microjoules));
  }

  fake_root root_;
};

TEST_F(Energy, IsSummedOverPackagesAlone) {
  zone("intel-rapl:0", "package-0", 5'000'000);
  zone("intel-rapl:0:0", "core", 1'000'000);
  zone("intel-rapl:1", "package-1", 7'000'000);
  zone("intel-rapl:2", "psys", 1'000'000);
  zone("intel-rapl-mmio:0", "package-0", 5'000'000);
  root_.with("intel-rapl/enabled", "1");
  energy_meter meter{root_.path()};
  ASSERT_TRUE(meter.available()) << meter.why_not();
  EXPECT_EQ(meter.why_not(), "");
  EXPECT_DOUBLE_EQ(*meter.joules(), 0);
  set("intel-rapl:0", 6'500'000);
  set("intel-rapl:1", 7'250'000);
  set("intel-rapl:0:0", 99'000'000);
  EXPECT_DOUBLE_EQ(*meter.joules(), 1.75);
  EXPECT_DOUBLE_EQ(*meter.joules(), 1.75);
}

TEST_F(Energy, CountersWrapAround) {
  zone("intel-rapl:0", "package-0", 262'142'328'850);
  energy_meter meter{root_.path()};
  set("intel-rapl:0", 2'000'000);
  EXPECT_DOUBLE_EQ(*meter.joules(), 3.0);
  set("intel-rapl:0", 2'500'000);
  EXPECT_DOUBLE_EQ(*meter.joules(), 3.5);
  set("intel-rapl:0", 500'000);
  EXPECT_NEAR(*meter.joules(), 3.5 + 262'143.32885 - 2.0, 1e-6);
}

TEST_F(Energy, NoCountersSaysSo) {
  energy_meter meter{root_.path()};
  EXPECT_FALSE(meter.available());
  EXPECT_EQ(meter.joules(), std::nullopt);
  EXPECT_NE(meter.why_not().find("no energy counters"), std::string::npos);
}

TEST_F(Energy, OneUnreadablePackageSpoilsTheSum) {
  zone("intel-rapl:0", "package-0", 1);
  zone("intel-rapl:1", "package-1", 1);
  root_.without("intel-rapl:0/energy_uj");
  energy_meter meter{root_.path()};
  EXPECT_FALSE(meter.available());
  EXPECT_NE(meter.why_not().find("intel-rapl:0/energy_uj"), std::string::npos) << meter.why_not();
}

TEST_F(Energy, ACounterThatVanishesGivesNothing) {
  zone("intel-rapl:0", "package-0", 1);
  energy_meter meter{root_.path()};
  ASSERT_TRUE(meter.available());
  root_.without("intel-rapl:0");
  EXPECT_EQ(meter.joules(), std::nullopt);
}

}  // namespace
}  // namespace synchro::platform
