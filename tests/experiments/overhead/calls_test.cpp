#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "experiments/framework/runner.hpp"
#include "experiments/overhead/flows.hpp"
#include "experiments/overhead/overhead.hpp"
#include "platform/topology.hpp"
#include "views/paper/tables.hpp"

namespace synchro::experiments::overhead {
namespace {

setting on_this_machine() {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  return s;
}

call_task task(unsigned rounds) { return {platform::read_topology().processors.front().cpu, rounds, false}; }

TEST(Gathering, WhoWaitsForOthersSleeps) {
  gathering two{2};
  std::atomic<long> number{0};
  std::atomic<bool> passed{false};
  std::thread waiting{[&] {
    number = platform::this_thread_number();
    two.arrive();
    two.await();
    passed = true;
  }};
  while (number == 0) std::this_thread::yield();
  bool asleep = false;
  const platform::thread_watch other{number};
  for (int looks = 0; looks != 10'000 && !asleep; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    const auto seen = other.look();
    asleep = seen && seen->asleep;
  }
  EXPECT_TRUE(asleep);
  EXPECT_FALSE(passed);
  two.arrive();
  waiting.join();
  two.await();  // for who comes later there is nothing to wait for
}

/// What a thread has of the scheduler.
struct standing {
  int policy = sched_getscheduler(0);
  unsigned long processors = 0;
  bool operator==(const standing&) const = default;
};

/// Notes what the threads that end, and the one who waits for them, have of priority and processors.
struct noting_waiter {
  static inline std::vector<standing> begun;
  static inline standing leader;

  static standing own() {
    standing s;
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (unsigned cpu = 0; cpu != 64; ++cpu) s.processors |= CPU_ISSET(cpu, &set) ? 1UL << cpu : 0;
    return s;
  }
  explicit noting_waiter(unsigned threads) { begun.assign(threads, {}); }
  void begin(unsigned i) { begun[i] = own(); }
  static void await(std::vector<std::thread>& threads, std::uint64_t& stamp) {
    leader = own();
    for (std::thread& t : threads) t.join();
    stamp = measure::host::now();
  }
};

TEST(Ending, ThreadsThatAFlowMakesHaveItsPriorityAndItsProcessor) {
  for (const bool raised : {false, true}) {
    call_task two_rounds = task(2);
    two_rounds.raised = raised;
    const call_result seen = ending<noting_waiter>(two_rounds, crowd_size);
    EXPECT_EQ(seen.ns.size(), 2U);
    EXPECT_TRUE(seen.team.unpinned.empty());
    EXPECT_EQ(noting_waiter::begun, std::vector<standing>(crowd_size, noting_waiter::leader));
  }
}

TEST(Ending, OfAThreadThatIsNotOnItsProcessorIsToldAndVoid) {
  call_task elsewhere = task(1);
  elsewhere.cpu = 1'000'000;
  const call_result seen = ending<noting_waiter>(elsewhere, 1);
  ASSERT_EQ(seen.team.unpinned.size(), 2U);
  EXPECT_NE(seen.team.unpinned[1].find("that was to end"), std::string::npos) << seen.team.unpinned[1];
}

/// An event of the standard library that counts what is done to it.
struct counted_event {
  static inline int signals = 0, waits = 0, rearmed = 0;
  std::mutex mutex;
  std::condition_variable changed;
  bool set = false;

  void signal() {
    const std::lock_guard hold{mutex};
    set = true, ++signals;
    changed.notify_all();
  }
  void wait() {
    std::unique_lock hold{mutex};
    changed.wait(hold, [this] { return set; });
    ++waits;
  }
  void rearm() {
    const std::lock_guard hold{mutex};
    set = false, ++rearmed;
  }
};

TEST(Turns, SignalsInBothDirectionsInEveryRound) {
  EXPECT_EQ(turns<counted_event>(task(10), direction::there).ns.size(), 10U);
  EXPECT_EQ(turns<counted_event>(task(10), direction::both).ns.size(), 20U);
  EXPECT_EQ(counted_event::signals, 40);
  EXPECT_EQ(counted_event::waits, 40);
  EXPECT_EQ(counted_event::rearmed, 40);
}

TEST(Ownership, AlternatesBetweenTheThreads) {
  const call_result seen = ownership<std::mutex>(task(20), direction::back);
  EXPECT_EQ(seen.ns.size(), 20U);
  EXPECT_EQ(seen.broken, std::nullopt);
}

/// The fourth of a flow's semaphores is the one that the first thread collects from: it notes when units are released.
struct noting_semaphore {
  static inline int made = 0;
  static inline std::vector<std::uint64_t> releases;
  const int number = made++;
  std::mutex mutex;
  std::condition_variable changed;
  int units = 0;

  void post() {
    const std::lock_guard hold{mutex};
    if (number == 3) releases.push_back(measure::host::now());
    ++units;
    changed.notify_one();
  }
  void wait() {
    std::unique_lock hold{mutex};
    changed.wait(hold, [this] { return units > 0; });
    --units;
  }
};

TEST(Crowd, NobodyReleasesBeforeTheWaitThatIsTimed) {
  noting_semaphore::made = 0;
  noting_semaphore::releases.clear();
  const call_result seen = crowd<noting_semaphore>{task(30)}.run(direction::back);
  const std::vector<std::uint64_t>& releases = noting_semaphore::releases;
  ASSERT_EQ(seen.ns.size(), 30U);
  ASSERT_EQ(releases.size(), 30U * crowd_size);
  for (std::size_t r = 0; r != seen.ns.size(); ++r) {
    const std::uint64_t from_first_to_last = releases[crowd_size * (r + 1) - 1] - releases[crowd_size * r];
    EXPECT_GE(seen.ns[r], measure::host::to_ns(from_first_to_last)) << "round " << r;
  }
}

struct counted {
  int value = 0;
};

TEST(Operations, AreDoneAndUndoneOnEveryObjectOfABatch) {
  int done = 0;
  int undone = 0;
  const call_result seen = operations<counted>(
      task(5), direction::there,
      [&](counted& c) {
        EXPECT_EQ(c.value, 0);
        c.value = 1, ++done;
      },
      [&](counted& c) {
        EXPECT_EQ(c.value, 1);
        c.value = 0, ++undone;
      });
  EXPECT_EQ(seen.ns.size(), 5U);
  EXPECT_EQ(done, undone);
  EXPECT_EQ(done, 5 * 3 * static_cast<int>(seen.at_once)) << "in each round a batch, and one of twice as many";
}

/// To read it takes 24 ns, of which all are over when it tells the time; what else takes time says so.
struct slow_clock {
  static inline std::uint64_t ns = 0;
  static std::uint64_t now() { return ns += 24; }
  static double to_ns(std::uint64_t ticks) { return static_cast<double>(ticks); }
};

TEST(Operations, CostWhatTheyCostWithoutTheClock) {
  for (const direction which : {direction::there, direction::back}) {
    const call_result seen = operations<counted, slow_clock>(
        task(5), which, [](counted&) { slow_clock::ns += 1; }, [](counted&) { slow_clock::ns += 3; });
    EXPECT_EQ(seen.ns, std::vector<double>(5, which == direction::there ? 1 : 3));
  }
}

TEST(Calls, TheThirteenRowsOfThePaperAreThere) {
  std::set<std::size_t> ranks;
  for (const call_row& row : call_rows()) ranks.insert(views::paper::call_rank(row.call));
  EXPECT_EQ(ranks.size(), 13U);
  EXPECT_EQ(*ranks.rbegin(), 12U);  // none that the paper does not have
}

TEST(Calls, EveryRowCanBeMeasuredOrSaysWhyNot) {
  const experiment e = overhead_calls();
  const setting s = on_this_machine();
  const plan p = make_plan(s, {&e});
  EXPECT_EQ(p.cells.size(), call_rows().size());
  for (const planned_cell& c : p.cells) {
    if (c.unavailable) {
      EXPECT_FALSE(c.unavailable->empty());
      continue;
    }
    const repetition r = e.measure(s, c.at, 1);
    EXPECT_EQ(r.broken, std::nullopt) << c.at.to_string();
    ASSERT_EQ(r.observations.size(), 1U);
    const observation& delay = r.observations[0];
    EXPECT_TRUE(delay.value > 0 || (delay.value == 0 && delay.clock_limited)) << c.at.to_string();
    EXPECT_TRUE(r.bounded.has_value()) << "which call it is must be told";
  }
}

TEST(Calls, SystemCallsAreSeenAndNotOnlySaid) {
  const unsigned cpu = platform::read_topology().processors.front().cpu;
  const auto seen = [&](const std::string& call, const std::string& primitive) -> std::string {
    for (const call_row& row : call_rows())
      if (row.call == call && row.primitive == primitive) return calls_seen(row, cpu);
    return "no such row";
  };
  const std::string handed = seen("SetEvent", "linux/eventfd");
  if (handed.find("could not be seen") != std::string::npos) GTEST_SKIP() << handed;
  EXPECT_NE(handed.find("write"), std::string::npos) << handed;
  EXPECT_NE(handed.find("read"), std::string::npos) << handed;
  EXPECT_NE(seen("ReleaseMutex", "pthread/mutex").find("futex"), std::string::npos);
  EXPECT_NE(seen("EnterCriticalSection", "pthread/mutex").find("none in a lock"), std::string::npos);
}

/// By the beats a flow is told from one that has lost a wake-up, however slowly the machine lets it go on.
TEST(Calls, EveryRoundIsTold) {
  constexpr unsigned rounds = 4;
  for (const call_row& row : call_rows()) {
    if (row.unavailable()) continue;
    pulse heart;
    call_task told = task(rounds);
    told.heart = &heart;
    static_cast<void>(row.measure(told));
    EXPECT_GE(heart.beats(), rounds) << row.call << " " << row.primitive;
  }
}

TEST(Calls, FlowsGoOnWithoutARaisedPriority) {
  for (const call_row& row : call_rows())
    if (!row.unavailable()) {
      EXPECT_FALSE(row.measure(task(3)).ns.empty()) << row.call << " " << row.primitive;
    }
}

}  // namespace
}  // namespace synchro::experiments::overhead
