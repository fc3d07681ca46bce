// The fork-join pool with real threads: every job once, exceptions, nesting, many threads, and an end in good order.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "synchro/pool/fork_join_pool.hpp"
#include "synchro/waiting.hpp"
#include "synchro/wakes/event_group.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

template <class Pool>
class Pools : public ::testing::Test {};
using pools = ::testing::Types<fork_join_pool, basic_fork_join_pool<event_group>,
                               basic_fork_join_pool<basic_cascade<hardware, spin_yield>, spin_yield>>;
TYPED_TEST_SUITE(Pools, pools);

/// The counters are plain: the sanitizer sees whether the pool orders them.
TYPED_TEST(Pools, DoEachJobOnce) {
  TypeParam pool{4};
  EXPECT_EQ(pool.threads(), 4U);
  for (const std::size_t jobs : {0U, 1U, 2U, 3U, 4U, 5U, 100U}) {
    std::vector<int> times(jobs, 0);
    pool.run(jobs, [&](std::size_t i) { ++times[i]; });
    EXPECT_EQ(times, std::vector<int>(jobs, 1)) << jobs;
  }
}

TYPED_TEST(Pools, SeeWhatWasDoneBeforeAndAreSeenBehind) {
  TypeParam pool{3};
  std::vector<std::uint64_t> values(64, 1);
  for (int round = 0; round < 200; ++round) pool.run(values.size(), [&](std::size_t i) { values[i] += i; });
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], 1 + 200 * i);
}

/// Nobody works as worker 0, as if it had got no processor yet.
TEST(ForkJoin, WhoHasNotComeIsNotWaitedFor) {
  basic_fork_join<> team{1};
  std::vector<int> times(10, 0);
  for (int round = 0; round != 3; ++round) team.run(times.size(), [&](std::size_t i) { ++times[i]; });
  EXPECT_EQ(times, std::vector<int>(10, 3));
  team.stop();
  team.work(0);
}

/// The time is what a test says.
struct told_the_time : hardware {
  struct clock : hardware::clock {
    static time_point now() { return time; }
    static inline time_point time{};
  };
  static bool expired(deadline until) { return clock::time >= until; }
};

/// Calls nobody: a test does what a worker would.
struct counted_calls {
  static constexpr bool merges_triggers = true;
  explicit counted_calls(unsigned /*sleepers*/) {}
  bool wait(unsigned /*sleeper*/) { return std::exchange(may_come, false); }
  void trigger() {
    ++calls;
    if (called) called();
  }
  void stop() {}

  static inline int calls = 0;
  static inline bool may_come = false;
  static inline std::function<void()> called;
};

/// A team of two. Each test begins early, and with a run that is too short to be shared.
class ShortRuns : public ::testing::Test {
 protected:
  ShortRuns() {
    counted_calls::calls = 0;
    counted_calls::called = nullptr;
    calls_of_a_run();
  }

  static void pass(std::chrono::nanoseconds time) { told_the_time::clock::time += time; }

  /// Does four jobs, and passes over to `job` each time.
  int calls_of_a_run(const std::function<void(std::size_t)>& job = [](std::size_t) {}) {
    const int before = counted_calls::calls;
    std::vector<int> times(4, 0);
    team.run(times.size(), [&](std::size_t i) {
      ++times[i];
      job(i);
    });
    EXPECT_EQ(times, std::vector<int>(4, 1));
    return counted_calls::calls - before;
  }

  basic_fork_join<told_the_time, counted_calls> team{1};
};

TEST_F(ShortRuns, TheFirstCallsTheTeam) { EXPECT_EQ(counted_calls::calls, 1); }

TEST_F(ShortRuns, FollowedByOthersCallNobody) {
  for (int i = 0; i != 3; ++i) EXPECT_EQ(calls_of_a_run([](std::size_t) { pass(200ns); }), 0);
}

TEST_F(ShortRuns, OneThatTakesLongerCallsTheTeamWhenTheTimeIsUpAndTheNextAtOnce) {
  const auto third_is_last_alone = [](std::size_t i) {
    EXPECT_EQ(counted_calls::calls, i < 2 ? 1 : 2) << i;
    pass(500ns);
  };
  EXPECT_EQ(calls_of_a_run(third_is_last_alone), 1);
  const auto is_called_already = [](std::size_t) { EXPECT_EQ(counted_calls::calls, 3); };
  EXPECT_EQ(calls_of_a_run(is_called_already), 1);
}

TEST_F(ShortRuns, BeginAloneAgainWhenTheyHaveSavedWhatALongOneLost) {
  EXPECT_EQ(calls_of_a_run([](std::size_t i) { pass(i == 0 ? 25us : 0us); }), 1);
  int calls = 0;
  for (int i = 0; i != 1000; ++i) calls += calls_of_a_run();
  EXPECT_EQ(calls, 101);
}

TEST_F(ShortRuns, OneThatFailsIsAnEndOfIt) {
  EXPECT_THROW(team.run(4, [](std::size_t) { throw std::runtime_error{"a job"}; }), std::runtime_error);
  EXPECT_EQ(calls_of_a_run(), 1);
}

TEST_F(ShortRuns, AreNotJudgedByWhatAWorkerHasDone) {
  EXPECT_EQ(calls_of_a_run([](std::size_t) { pass(1us); }), 1);
  counted_calls::called = [this] {
    counted_calls::may_come = true;
    team.work(0);
  };
  for (int i = 0; i != 100; ++i) EXPECT_EQ(calls_of_a_run(), 1);
}

TYPED_TEST(Pools, ForEveryNumberOnce) {
  TypeParam pool{3};
  for (const int items : {0, 1, 2, 11, 12, 13, 1000}) {
    std::vector<int> times(static_cast<std::size_t>(items), 0);
    pool.parallel_for(0, items, [&](int i) { ++times[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(times, std::vector<int>(static_cast<std::size_t>(items), 1)) << items;
  }
}

TYPED_TEST(Pools, ForNumbersBelowZeroAndAtTheEdges) {
  TypeParam pool{3};
  std::atomic<int> sum{0};
  pool.parallel_for(-10, 11, [&](int i) { sum += i + 100; });
  EXPECT_EQ(sum, 2100);
  pool.parallel_for(5, 5, [&](int) { ADD_FAILURE(); });
  pool.parallel_for(5, -5, [&](int) { ADD_FAILURE(); });
  std::atomic<unsigned> bytes{0};
  pool.parallel_for(std::numeric_limits<std::int8_t>::min(), std::numeric_limits<std::int8_t>::max(),
                    [&](std::int8_t) { ++bytes; });
  EXPECT_EQ(bytes, 255U);
  std::atomic<unsigned> last{0};
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  pool.parallel_for(most - 7, most, [&](std::uint64_t i) { last += static_cast<unsigned>(most - i); });
  EXPECT_EQ(last, 28U);
}

TYPED_TEST(Pools, ThrowAtTheCallerWhatAJobThrows) {
  TypeParam pool{4};
  for (int round = 0; round < 50; ++round) {
    std::vector<std::atomic<int>> times(40);
    try {
      pool.run(times.size(), [&](std::size_t i) {
        ++times[i];
        if (i == 7) throw std::runtime_error{"job " + std::to_string(i)};
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "job 7");
    }
    for (const auto& t : times) EXPECT_LE(t, 1);
    EXPECT_EQ(times[7], 1);
  }
  std::atomic<int> after{0};
  pool.run(10, [&](std::size_t) { ++after; });
  EXPECT_EQ(after, 10) << "the pool is of no use after an exception";
}

TYPED_TEST(Pools, ThrowOneOfSeveral) {
  TypeParam pool{4};
  std::atomic<int> thrown{0};
  for (int round = 0; round < 50; ++round) {
    try {
      pool.run(20, [](std::size_t i) { throw static_cast<int>(i); });
      ADD_FAILURE() << "nothing was thrown";
    } catch (int job) {
      EXPECT_LT(job, 20);
      ++thrown;
    }
  }
  EXPECT_EQ(thrown, 50);
}

TYPED_TEST(Pools, RunWithinAJob) {
  TypeParam pool{3};
  std::vector<std::array<int, 5>> times(6);
  pool.run(times.size(), [&](std::size_t i) {
    const auto here = std::this_thread::get_id();
    pool.run(times[i].size(), [&](std::size_t k) {
      EXPECT_EQ(std::this_thread::get_id(), here) << "a run within a job left its thread";
      ++times[i][k];
    });
  });
  for (const auto& each : times) EXPECT_EQ(each, (std::array<int, 5>{1, 1, 1, 1, 1}));
}

TYPED_TEST(Pools, ThrowThroughARunWithinAJob) {
  TypeParam pool{3};
  EXPECT_THROW(pool.run(4, [&](std::size_t) { pool.run(4, [](std::size_t) { throw std::logic_error{"inside"}; }); }),
               std::logic_error);
}

TYPED_TEST(Pools, AreRunBySeveralThreads) {
  TypeParam pool{3};
  std::vector<std::uint64_t> sums(3);
  std::vector<std::thread> callers;
  for (std::size_t c = 0; c < sums.size(); ++c)
    callers.emplace_back([&, c] {
      for (int round = 0; round < 100; ++round) {
        std::vector<std::uint64_t> parts(10);
        pool.run(parts.size(), [&](std::size_t i) { parts[i] = i; });
        sums[c] += std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
      }
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(sums, std::vector<std::uint64_t>(3, 4500));
}

/// Two pools, whose jobs use each other's.
TYPED_TEST(Pools, MayMeet) {
  TypeParam one{2}, other{2};
  std::atomic<int> done{0};
  one.run(8, [&](std::size_t) { other.run(8, [&](std::size_t) { one.run(2, [&](std::size_t) { ++done; }); }); });
  EXPECT_EQ(done, 128);
}

TYPED_TEST(Pools, EndIdleOrAtOnce) {
  for (int i = 0; i < 20; ++i) {
    TypeParam never_used{3};
  }
  for (int i = 0; i < 20; ++i) {
    TypeParam used_once{3};
    used_once.run(3, [](std::size_t) {});
  }
  SUCCEED() << "workers that nobody ends would hang";
}

TYPED_TEST(Pools, HaveMoreThreadsThanProcessors) {
  TypeParam pool{24};
  std::vector<int> times(500, 0);
  for (int round = 0; round < 5; ++round) pool.run(times.size(), [&](std::size_t i) { ++times[i]; });
  EXPECT_EQ(times, std::vector<int>(500, 5));
}

TYPED_TEST(Pools, OfOneThreadDoAllOnIt) {
  TypeParam pool{1};
  const auto here = std::this_thread::get_id();
  int times = 0;
  pool.run(10, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_EQ(i, static_cast<std::size_t>(times++));
  });
  EXPECT_EQ(times, 10);
  EXPECT_THROW(pool.run(3, [](std::size_t) { throw 1; }), int);
}

TYPED_TEST(Pools, OfNoThreadAreRefused) { EXPECT_THROW(TypeParam{0}, std::invalid_argument); }

TEST(Pool, EachWorkerBeginsWithItsNumber) {
  std::array<std::atomic<int>, 4> begun{};
  {
    fork_join_pool pool{4, [&](unsigned i) { ++begun[i]; }};
    pool.run(2, [](std::size_t) {});
  }
  EXPECT_EQ(begun[0], 0) << "the caller is no worker";
  for (unsigned i = 1; i < 4; ++i) EXPECT_EQ(begun[i], 1);
}

TEST(Pool, TakesAConstantFunction) {
  fork_join_pool pool{2};
  std::atomic<int> n{0};
  const auto count = [&n](std::size_t) { ++n; };
  pool.run(5, count);
  EXPECT_EQ(n, 5);
}

}  // namespace
}  // namespace synchro
