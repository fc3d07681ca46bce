// Flags in a word: waiting for any of several, and for all.

#include "synchro/wakes/flags.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "library/recorder.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;

TEST(Flags, AreSetAndReset) {
  flags f;
  EXPECT_EQ(sizeof f, 4U);
  EXPECT_EQ(f.test(~0U), 0U);
  f.set(0b101);
  f.set(0b100);
  EXPECT_EQ(f.test(0b110), 0b100U);
  EXPECT_EQ(f.wait_any(0b11), 0b001U);
  EXPECT_TRUE(f.wait_all(0b101));
  EXPECT_FALSE(f.wait_all_for(0b111, 1ms));
  EXPECT_EQ(f.wait_any_for(0b010, 1ms), 0U);
  EXPECT_EQ(f.wait_any_until(0b010, std::chrono::system_clock::now()), 0U);
  f.reset(0b001);
  EXPECT_EQ(f.test(~0U), 0b100U);
  EXPECT_FALSE(f.wait_all_until(0b101, std::chrono::steady_clock::now()));
}

TEST(Flags, AreTakenOnce) {
  flags f;
  EXPECT_EQ(f.try_take(0b11), 0U);
  f.set(0b111);
  EXPECT_EQ(f.try_take(0b011), 0b011U);
  EXPECT_EQ(f.try_take(0b011), 0U);
  EXPECT_EQ(f.take_for(0b011, 1ms), 0U);
  EXPECT_EQ(f.take_until(0b110, std::chrono::steady_clock::now()), 0b100U);
  EXPECT_EQ(f.test(~0U), 0U);
}

TEST(Flags, TheLastOf31IsOne) {
  flags f;
  const flags::mask last = 1U << (flags::most - 1);
  EXPECT_FALSE(f.wait_all_for(last, 1ms));  // leaves its mark
  f.set(last);
  EXPECT_EQ(f.take(last), last);
}

/// What another has left behind does not keep it awake or asleep.
TEST(Flags, WhoWaitsForOthersSleepsOn) {
  flags f;
  std::atomic<unsigned> woken{0};
  std::vector<std::thread> all;
  for (const flags::mask mine : {1U, 2U, 4U})
    all.emplace_back([&f, &woken, mine] {
      EXPECT_EQ(f.take(mine), mine);
      woken |= mine;
    });
  for (const flags::mask one : {2U, 4U, 1U}) {
    f.set(one);
    while ((woken.load() & one) == 0) std::this_thread::yield();
  }
  for (std::thread& t : all) t.join();
  EXPECT_EQ(woken, 7U);
}

/// Each set is told to one, whoever takes it.
TEST(Flags, NoneIsLostAndNoneIsTakenTwice) {
  constexpr unsigned rounds = 500;
  flags f;
  std::atomic<unsigned> taken{0};
  std::vector<std::thread> all;
  for (int t = 0; t != 3; ++t)
    all.emplace_back([&] {
      while ((f.take(0b11) & 0b10) == 0) taken.fetch_add(1);
      f.set(0b10);  // the end is for all
    });
  for (unsigned round = 0; round != rounds; ++round) {
    f.set(0b01);
    while (taken.load() != round + 1) std::this_thread::yield();
  }
  f.set(0b10);
  for (std::thread& t : all) t.join();
  EXPECT_EQ(taken, rounds);
}

TEST(Flags, MakeNoCallIfNobodySleeps) {
  recorder::reset();
  {
    basic_flags<recorder> f;
    recorder::forget();
    f.set(1);
    for (const access& a : recorder::accesses()) EXPECT_NE(a.what, operation::unpark);
  }
  recorder::reset();
}

}  // namespace
}  // namespace synchro::tests
