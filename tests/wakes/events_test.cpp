// The two events: what set, reset and wait mean.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "library/recorder.hpp"
#include "synchro/wakes/auto_event.hpp"
#include "synchro/wakes/event.hpp"

namespace synchro::tests {

namespace {

using namespace std::chrono_literals;

TEST(Event, StaysSetUntilItIsReset) {
  event e;
  EXPECT_FALSE(e.try_wait());
  e.set();
  e.wait();
  EXPECT_TRUE(e.try_wait());
  EXPECT_TRUE(e.wait_for(0s));
  e.set();
  EXPECT_TRUE(e.try_wait());
  e.reset();
  EXPECT_FALSE(e.try_wait());
  e.reset();
  EXPECT_FALSE(e.try_wait());
  EXPECT_FALSE(e.wait_for(1ms));
}

TEST(Event, IsOneWord) { EXPECT_EQ(sizeof(event), 4U); }
TEST(AutoEvent, IsOneWord) { EXPECT_EQ(sizeof(auto_event), 4U); }

/// A wait that began before the set returns, even if the reset follows at once.
template <class Event>
void pulse_releases_waiters() {
  Event e;
  std::atomic<unsigned> begun{0};
  std::atomic<unsigned> over{0};
  std::vector<std::thread> threads;
  constexpr unsigned n = 4;
  for (unsigned i = 0; i != n; ++i)
    threads.emplace_back([&] {
      begun.fetch_add(1);
      e.wait();
      over.fetch_add(1);
    });
  while (begun.load() != n) std::this_thread::yield();
  // Whoever had not begun to look waits for the next pulse.
  while (over.load() != n) {
    e.set();
    e.reset();
    std::this_thread::yield();
  }
  for (std::thread& t : threads) t.join();
  EXPECT_FALSE(e.try_wait());
}

TEST(Event, PulseReleasesWhoWaits) { pulse_releases_waiters<event>(); }
TEST(Event, PulseReleasesWhoYields) { pulse_releases_waiters<basic_event<hardware, spin_yield>>(); }

TEST(Event, WaitThatBeganBeforeAPulseIsOver) {
  recorder::reset();
  basic_event<recorder> e;
  EXPECT_FALSE(e.wait_for(1s));  // leaves its mark behind
  e.set();
  e.reset();
  EXPECT_FALSE(e.try_wait());
  e.set();
  EXPECT_TRUE(e.wait_for(0s));
  recorder::reset();
}

TEST(Event, WakesWhomAnEarlierDeadlineLeftMarked) {
  event e;
  EXPECT_FALSE(e.wait_for(1ms));
  std::thread waiter{[&] { e.wait(); }};
  std::this_thread::sleep_for(2ms);
  e.set();
  waiter.join();
  EXPECT_TRUE(e.try_wait());
}

TEST(AutoEvent, LetsOneThrough) {
  auto_event e;
  EXPECT_FALSE(e.try_wait());
  e.set();
  e.set();  // with nobody waiting, two count as one
  EXPECT_TRUE(e.try_wait());
  EXPECT_FALSE(e.try_wait());
  EXPECT_FALSE(e.wait_for(1ms));
  e.set();
  e.reset();
  EXPECT_FALSE(e.try_wait());
  e.set();
  EXPECT_TRUE(e.wait_for(1s));
  EXPECT_FALSE(e.try_wait());
}

TEST(AutoEvent, AWaiterThatGaveUpIsNotReleased) {
  auto_event e;
  EXPECT_FALSE(e.wait_for(1ms));
  e.set();  // nobody waits: the next one passes
  EXPECT_TRUE(e.try_wait());
  EXPECT_FALSE(e.try_wait());
}

/// As many waits as sets, whoever runs when: none is lost, none is invented.
TEST(AutoEvent, EachSetReleasesOneOfThoseWhoWait) {
  constexpr unsigned n = 6;
  constexpr unsigned rounds = 200;
  auto_event e;
  std::atomic<unsigned> waiting{0};
  std::atomic<unsigned> passed{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != n; ++i)
    threads.emplace_back([&] {
      for (unsigned round = 0; round != rounds; ++round) {
        waiting.fetch_add(1);
        e.wait();
        passed.fetch_add(1);
      }
    });
  // A set with nobody waiting counts once: so set only when the last has passed.
  for (unsigned set = 0; set != n * rounds; ++set) {
    e.set();
    while (passed.load() != set + 1) std::this_thread::yield();
  }
  for (std::thread& t : threads) t.join();
  EXPECT_FALSE(e.try_wait());
}

}  // namespace

}  // namespace synchro::tests
