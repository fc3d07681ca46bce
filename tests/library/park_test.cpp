// Sleeping and waking: what park and unpark promise, and what the waiting policies make of it.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "synchro/hardware.hpp"
#include "synchro/waiting.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;
using word = hardware::atomic<std::uint32_t>;

TEST(park, returns_at_once_when_the_word_holds_something_else) {
  const word w{1};
  EXPECT_FALSE(hardware::park(w, 0, hardware::never));
}

TEST(park, says_that_the_deadline_passed) {
  const word w{0};
  const auto deadline = hardware::clock::now() + 3ms;
  while (!hardware::park(w, 0, deadline)) {
  }
  EXPECT_GE(hardware::clock::now(), deadline);
  while (!hardware::park(w, 0, hardware::clock::now() - 1h)) {
  }
  while (!hardware::park(w, 0, hardware::deadline{} - 1h)) {  // before the clock began
  }
}

TEST(park, wakes_as_many_as_asked) {
  word w{0};
  std::vector<std::thread> sleepers;
  std::atomic<int> here{0}, awake{0};
  for (int i = 0; i != 4; ++i)
    sleepers.emplace_back([&] {
      ++here;
      while (w.load(memory_order::acquire) == 0) hardware::park(w, 0, hardware::never);
      ++awake;
    });
  while (here != 4) std::this_thread::yield();
  std::this_thread::sleep_for(10ms);  // so that they sleep
  w.store(1, memory_order::release);
  hardware::unpark(&w, 0xffff'ffff);  // more than the system's own number can hold
  for (std::thread& one : sleepers) one.join();
  EXPECT_EQ(awake, 4);
}

/// Each of three sleepers once, however the system spreads them over calls.
TEST(park, wakes_all_of_those_that_it_is_asked_for) {
  word w{0};
  std::vector<std::thread> sleepers;
  std::atomic<int> here{0};
  for (int i = 0; i != 3; ++i)
    sleepers.emplace_back([&] {
      ++here;
      while (w.load(memory_order::acquire) == 0) hardware::park(w, 0, hardware::never);
    });
  while (here != 3) std::this_thread::yield();
  std::this_thread::sleep_for(10ms);  // so that they sleep
  w.store(1, memory_order::release);
  hardware::unpark(&w, 3);
  for (std::thread& one : sleepers) one.join();
  SUCCEED() << "one that is not woken would hang";
}

TEST(park, a_wake_up_before_the_sleep_is_not_lost) {
  for (int round = 0; round != 2000; ++round) {
    word w{0};
    std::thread sleeper{[&] {
      while (w.load(memory_order::acquire) == 0) hardware::park(w, 0, hardware::never);
    }};
    w.store(1, memory_order::release);
    hardware::unpark(&w, 1);
    sleeper.join();
  }
  SUCCEED() << "a lost wake-up would hang";
}

TEST(spin_park, loses_no_wake_up) {
  // Two words handed back and forth; a lost wake-up hangs.
  hardware::calibrate(looks{0});  // sleep at once
  word ping{0};
  word pong{0};
  constexpr int rounds = 5000;
  std::thread other{[&] {
    for (int i = 0; i != rounds; ++i) {
      spin_park::wait<hardware>(ping, 0);
      ping.store(0, memory_order::relaxed);
      spin_park::hand_over<hardware>(pong, 1, memory_order::release);
    }
  }};
  for (int i = 0; i != rounds; ++i) {
    spin_park::hand_over<hardware>(ping, 1, memory_order::release);
    spin_park::wait<hardware>(pong, 0);
    pong.store(0, memory_order::relaxed);
  }
  other.join();
  hardware::calibrate(looks{1000});
  SUCCEED() << "a lost wake-up would hang";
}

template <class Policy>
class waiting_policy : public testing::Test {};
using policies = testing::Types<spin, spin_yield, spin_park, spin_monitor>;
TYPED_TEST_SUITE(waiting_policy, policies);

TYPED_TEST(waiting_policy, a_deadline_passes_and_a_later_wait_on_the_same_word_still_works) {
  word w{0};
  const auto deadline = hardware::clock::now() + 2ms;
  EXPECT_FALSE(TypeParam::template wait_until<hardware>(w, 0, deadline));
  EXPECT_GE(hardware::clock::now(), deadline);
  EXPECT_FALSE(TypeParam::template wait_until<hardware>(w, 0, hardware::clock::now() + 1ms));
  std::thread other{[&] { TypeParam::template hand_over<hardware>(w, 9, memory_order::release); }};
  EXPECT_EQ(TypeParam::template wait<hardware>(w, 0), 9U);
  other.join();
  EXPECT_EQ(TypeParam::template wait_until<hardware>(w, 0, deadline), 9U) << "a limit must not hide success";
}

TEST(spin_yield, gives_the_processor_away_once_it_has_rested_enough) {
  EXPECT_FALSE(spin_yield::retry(0, 1).yields());
  EXPECT_TRUE(spin_yield::retry(1000, 1).yields());
  EXPECT_TRUE(spin_yield::retry(1000, 0).yields());
  EXPECT_TRUE(spin_yield::retry(2, 1000).yields());
  EXPECT_FALSE(spin::retry(1000, 1).yields());
}

/// That is after 128 pauses; no pause counts as one.
TEST(spin_yield, counts_what_it_has_rested) {
  for (const std::uint32_t pauses : {0U, 1U, 2U, 64U}) {
    const std::uint32_t last = 128 / (pauses == 0 ? 1 : pauses) - 1;
    EXPECT_FALSE(spin_yield::retry(last, pauses).yields()) << pauses;
    EXPECT_EQ(spin_yield::retry(last, pauses).pauses(), pauses);
    EXPECT_TRUE(spin_yield::retry(last + 1, pauses).yields()) << pauses;
    EXPECT_EQ(spin::retry(last, pauses).pauses(), pauses);
  }
  const auto step = spin_yield::step(1000);
  EXPECT_TRUE(step(1001, 0).is_done());
  EXPECT_FALSE(step(1000, 0).is_done());
  EXPECT_FALSE(step(1000, 0).yields());
  EXPECT_TRUE(step(1000, 1000).yields());
  EXPECT_TRUE(spin_yield::step(0)(0, 1000).yields());
}

}  // namespace
}  // namespace synchro::tests
