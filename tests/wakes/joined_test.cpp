// A team that is joined, and one whose sleepers are stopped by tokens.

#include "synchro/wakes/joined.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <thread>
#include <vector>

#include "synchro/wakes/auto_event.hpp"
#include "synchro/wakes/cascade.hpp"
#include "synchro/wakes/event.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/rendezvous.hpp"
#include "synchro/wakes/stop_token.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;

template <class Team>
class Joined : public testing::Test {};
using joined_teams =
    testing::Types<joined<event_group>, joined<cascade>, joined<rendezvous>, joined<cascade, spin_park>,
                   joined<basic_event_group<hardware, spin_yield>, spin_yield>>;
TYPED_TEST_SUITE(Joined, joined_teams, );

TYPED_TEST(Joined, WhoJoinsSeesWhatTheWorkersHaveDone) {
  constexpr unsigned n = 4;
  TypeParam team{n};
  std::vector<std::uint64_t> sums(n);
  std::uint64_t round = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i != n; ++i)
    workers.emplace_back([&, i] {
      while (team.wait(i)) sums[i] += round;
    });
  std::uint64_t expected = 0;
  for (round = 1; round <= 100; ++round) {
    team.trigger();
    team.join();
    expected += round;
    for (const std::uint64_t sum : sums) ASSERT_EQ(sum, expected);
  }
  team.trigger(2);
  team.trigger(0);
  team.join();
  EXPECT_EQ(sums, (std::vector{expected + round, expected, expected + round, expected}));
  team.resize(1);
  team.trigger();
  team.join();
  team.trigger_first(2);
  team.join();
  EXPECT_EQ(sums, (std::vector{expected + 3 * round, expected + round, expected + round, expected}));
  team.trigger_some(std::array{3U, 1U});
  team.join();
  EXPECT_EQ(sums, (std::vector{expected + 3 * round, expected + 2 * round, expected + round, expected + round}));
  team.stop();
  for (std::thread& t : workers) t.join();
}

TYPED_TEST(Joined, IsFinishedWhenTheWorkerSaysSo) {
  TypeParam team{1};
  EXPECT_TRUE(team.try_join());
  team.join();
  team.trigger();
  EXPECT_FALSE(team.try_join());
  EXPECT_FALSE(team.join_for(1ms));
  EXPECT_TRUE(team.wait(0));
  EXPECT_FALSE(team.join_until(std::chrono::steady_clock::now()));
  team.done(0);
  EXPECT_TRUE(team.join_for(0s));
  team.done(0);  // once is enough
  EXPECT_TRUE(team.try_join());
  EXPECT_FALSE(team.try_wait(0));
  EXPECT_FALSE(team.wait_for(0, 1ms));
  EXPECT_EQ(team.size(), 1U);
  EXPECT_EQ(team.most(), 1U);
}

TYPED_TEST(Joined, IsFinishedWhenTheWorkerComesBack) {
  TypeParam team{2};
  team.trigger();
  EXPECT_TRUE(team.try_wait(0));
  EXPECT_TRUE(team.wait_for(1, 1h));
  EXPECT_FALSE(team.try_wait(0));
  EXPECT_FALSE(team.try_join());
  EXPECT_FALSE(team.wait_until(1, std::chrono::steady_clock::now()));
  EXPECT_TRUE(team.try_join());
}

template <class Team>
class StopTokens : public testing::Test {};
using stopped_teams = testing::Types<event_group, cascade, rendezvous, basic_event_group<hardware, spin_yield>>;
TYPED_TEST_SUITE(StopTokens, stopped_teams, );

TYPED_TEST(StopTokens, WakeTheirSleeperAlone) {
  TypeParam team{2};
  std::atomic<unsigned> triggers{0};
  std::jthread other{[&](const std::stop_token& token) {
    while (wait(team, 1, token)) triggers.fetch_add(1);
  }};
  {
    std::jthread one{[&](const std::stop_token& token) { EXPECT_FALSE(wait(team, 0, token)); }};
    std::this_thread::sleep_for(1ms);
  }  // asks it to stop, and joins it
  EXPECT_FALSE(team.stopped(0));
  team.trigger(1);
  while (triggers.load() != 1) std::this_thread::yield();
}

TYPED_TEST(StopTokens, ARequestThatCameBeforeTheWaitEndsItAndATriggerIsNotLost) {
  TypeParam team{1};
  std::stop_source source;
  team.trigger();
  source.request_stop();
  EXPECT_TRUE(wait(team, 0, source.get_token()));
  EXPECT_FALSE(wait(team, 0, source.get_token()));
  EXPECT_FALSE(wait_for(team, 0, source.get_token(), 1h));
  EXPECT_FALSE(wait_until(team, 0, source.get_token(), std::chrono::system_clock::now() + 1h));
  EXPECT_FALSE(team.wait_for(0, 1ms));  // without the token it is as ever
  EXPECT_FALSE(wait_for(team, 0, std::stop_token{}, 1ms));
  team.trigger();
  EXPECT_TRUE(team.wait(0));
}

template <class Event>
class StopTokensOfEvents : public testing::Test {};
using stopped_events =
    testing::Types<event, basic_event<hardware, spin_park>, basic_event<hardware, spin_yield>, auto_event,
                   basic_auto_event<hardware, spin_park>, basic_auto_event<hardware, spin_yield>>;
TYPED_TEST_SUITE(StopTokensOfEvents, stopped_events, );

TYPED_TEST(StopTokensOfEvents, WakeTheirWaiterAlone) {
  TypeParam event;
  std::atomic<bool> through{false};
  std::thread other{[&] {
    event.wait();
    through = true;
  }};
  {
    std::jthread one{[&](const std::stop_token& token) { EXPECT_FALSE(wait(event, token)); }};
    std::this_thread::sleep_for(1ms);
  }  // asks it to stop, and joins it
  EXPECT_FALSE(through);
  event.set();
  other.join();
}

TYPED_TEST(StopTokensOfEvents, ARequestThatCameBeforeTheWaitEndsItAndASetIsNotLost) {
  TypeParam event;
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(wait(event, source.get_token()));
  EXPECT_FALSE(wait_for(event, source.get_token(), 1h));
  EXPECT_FALSE(wait_until(event, source.get_token(), std::chrono::system_clock::now() + 1h));
  EXPECT_FALSE(wait_for(event, std::stop_token{}, 1ms));
  event.set();
  EXPECT_TRUE(wait(event, source.get_token()));
}

TYPED_TEST(StopTokensOfEvents, NoRequestIsLost) {
  TypeParam event;
  for (int round = 0; round != 300; ++round) {
    std::stop_source source;
    std::thread waiter{[&] { EXPECT_FALSE(wait(event, source.get_token())); }};
    std::thread another{[&] { EXPECT_FALSE(wait(event, source.get_token())); }};
    source.request_stop();
    waiter.join();
    another.join();
  }
  event.set();
  EXPECT_TRUE(event.try_wait());  // nobody who has gone is counted
}

/// More interruptions than the word counts; then it is as ever.
TYPED_TEST(StopTokensOfEvents, InterruptionsSpoilNothing) {
  TypeParam event;
  for (int i = 0; i != 300; ++i) {
    event.interrupt();
    EXPECT_FALSE(event.try_wait());
  }
  event.set();
  for (int i = 0; i != 300; ++i) event.interrupt();
  EXPECT_TRUE(event.try_wait());
  event.reset();
  EXPECT_FALSE(event.try_wait());
  EXPECT_FALSE(event.wait_for(0s));
}

/// Stops its sleeper slowly: when its wait has ended, and it is resumed, or is not for so many turns.
struct slow_to_stop {
  std::atomic<bool> is_asked{false}, is_resumed{false}, is_stopped{false};

  void stop(unsigned /*i*/) noexcept {
    is_asked = true;
    for (int turn = 0; turn != 10'000 && !is_resumed; ++turn) std::this_thread::yield();
    is_stopped = true;
  }
  void resume(unsigned /*i*/) noexcept {
    is_resumed = true;
    is_stopped = false;
  }
  [[nodiscard]] bool wait(unsigned /*i*/) const noexcept {
    while (!is_asked) std::this_thread::yield();
    return false;
  }
};

TEST(StopTokensOfATeam, WhatARequestUnderWayStopsIsResumed) {
  slow_to_stop team;
  std::stop_source source;
  std::thread asks{[&] { source.request_stop(); }};
  EXPECT_FALSE(wait(team, 0, source.get_token()));
  asks.join();
  EXPECT_TRUE(team.is_resumed);
  EXPECT_FALSE(team.is_stopped) << "the sleeper was resumed before it was stopped";
}

TYPED_TEST(StopTokens, NoRequestIsLost) {
  TypeParam team{1};
  for (int round = 0; round != 300; ++round) {
    std::stop_source source;
    std::jthread asks{[&] { source.request_stop(); }};
    EXPECT_FALSE(wait(team, 0, source.get_token()));
  }
}

}  // namespace
}  // namespace synchro::tests
