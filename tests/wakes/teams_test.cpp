#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "library/recorder.hpp"
#include "synchro/wakes/cascade.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/rendezvous.hpp"
#include "wakes/behaviour.hpp"

namespace synchro::tests {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(Rendezvous, NobodyStartsBeforeTheMoment) {
  constexpr auto lead = 20ms;
  rendezvous r{3, lead};
  std::vector<steady_clock::time_point> starts(3);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != 3; ++i)
    threads.emplace_back([&, i] {
      r.wait(i);
      starts[i] = steady_clock::now();
    });
  const auto triggered = steady_clock::now();
  r.trigger();
  for (std::thread& t : threads) t.join();
  for (const auto start : starts) EXPECT_GE(start - triggered, lead);
}

TEST(Rendezvous, TellsWhoCameTooLate) {
  rendezvous r{1, 0ns};
  for (int way = 0; way != 3; ++way) {
    r.trigger();
    std::this_thread::sleep_for(1ms);
    const arrival late = way == 0 ? r.wait(0) : way == 1 ? r.try_wait(0) : r.wait_for(0, 1h);
    EXPECT_TRUE(late.triggered);
    EXPECT_FALSE(late.in_time);
  }
}

TEST(Cascade, WithADutyOfNoneTheWakerWakesAll) {
  cascade c{7, 0};
  rounds_with(c, 7, 100);
}
TEST(Cascade, WithADutyOfOneEachWakesOneOther) {
  cascade c{7, 1};
  rounds_with(c, 7, 100);
}

TEST(EventGroup, WakesAllWhateverTheSizeOfAGroup) {
  for (const unsigned group : {1U, 2U, 3U, 7U, 100U}) {
    event_group g{7, group};
    rounds_with(g, 7, 50);
  }
}

template <class Team>
void gives_up_and_comes_again() {
  Team team{2};
  EXPECT_FALSE(team.try_wait(0));
  EXPECT_FALSE(team.wait_for(0, 1ms));
  EXPECT_FALSE(team.wait_until(1, steady_clock::now() - 1s));
  team.trigger();
  EXPECT_TRUE(team.wait_for(0, 1h));
  EXPECT_TRUE(team.try_wait(1));
  EXPECT_FALSE(team.try_wait(0));
  EXPECT_FALSE(team.try_wait(1));
  team.trigger();
  EXPECT_TRUE(team.wait_until(1, steady_clock::now() - 1s));  // it has come before
  team.wait(0);
}
TEST(EventGroup, GivesUpAndComesAgain) { gives_up_and_comes_again<event_group>(); }
TEST(Cascade, GivesUpAndComesAgain) { gives_up_and_comes_again<cascade>(); }

TEST(Rendezvous, GivesUpAndComesAgain) { gives_up_and_comes_again<rendezvous>(); }
TEST(Rendezvous, AStartThatIsInTimeIsWaitedForBeyondTheDeadline) {
  constexpr auto lead = 1s;
  basic_rendezvous<> r{1, lead};
  const auto triggered = steady_clock::now();
  r.trigger();
  const arrival mine = r.wait_for(0, 0s);
  const auto passed = steady_clock::now() - triggered;
  EXPECT_TRUE(mine.triggered);
  EXPECT_TRUE(!mine.in_time || passed >= lead);
}

template <class Team>
class Teams : public testing::Test {};
/// Starts so soon that sleepers come before the start, and behind it. (The second argument is that of the others.)
struct brief_rendezvous : basic_rendezvous<> {
  explicit brief_rendezvous(unsigned sleepers, unsigned /*group*/ = 0) : basic_rendezvous{sleepers, 5us} {}
};
using teams = testing::Types<basic_event_group<>, basic_event_group<hardware, spin_yield>, basic_cascade<>,
                             basic_cascade<hardware, spin_yield>, brief_rendezvous>;
TYPED_TEST_SUITE(Teams, teams, );

/// Waits as sleeper i until it is stopped, and counts its triggers.
template <class Team>
std::thread counts(Team& team, unsigned i, std::atomic<unsigned>& triggers) {
  return std::thread{[&team, i, &triggers] {
    while (team.wait(i)) triggers.fetch_add(1);
  }};
}
void until(const std::atomic<unsigned>& count, unsigned wanted) {
  while (count.load() != wanted) std::this_thread::yield();
}

TYPED_TEST(Teams, StopWakesThoseWhoSleepAndThoseWhoCome) {
  TypeParam team{3};
  std::atomic<unsigned> triggers{0};
  std::vector<std::thread> sleepers;
  for (const unsigned i : {0U, 1U}) sleepers.push_back(counts(team, i, triggers));
  std::this_thread::sleep_for(1ms);
  team.stop();
  for (std::thread& t : sleepers) t.join();
  EXPECT_FALSE(team.wait(2));
  EXPECT_FALSE(team.wait_for(2, 1h));
  EXPECT_FALSE(team.try_wait(2));
  team.resume(2);
  EXPECT_TRUE(team.stopped(2)) << "all are stopped for good";
  EXPECT_EQ(triggers, 0U);
}

TYPED_TEST(Teams, ATriggerThatHasComeIsNotLostByAStop) {
  TypeParam team{2};
  team.trigger();
  team.stop();
  EXPECT_TRUE(team.wait(0));
  EXPECT_FALSE(team.wait(0));
  EXPECT_TRUE(team.try_wait(1));
  EXPECT_FALSE(team.wait(1));
}

TYPED_TEST(Teams, OneIsStoppedAndTheOthersGoOn) {
  TypeParam team{3};
  std::atomic<unsigned> one{0};
  std::atomic<unsigned> others{0};
  std::thread a = counts(team, 1, one);
  std::vector<std::thread> sleepers;
  for (const unsigned i : {0U, 2U}) sleepers.push_back(counts(team, i, others));
  team.stop(1);
  a.join();
  EXPECT_FALSE(team.stopped(0));
  for (unsigned round = 1; round != 50; ++round) {
    team.trigger();
    until(others, 2 * round);
  }
  team.resume(1);
  EXPECT_FALSE(team.stopped(1));
  EXPECT_TRUE(team.wait(1));  // one of those that came meanwhile is there
  EXPECT_FALSE(team.try_wait(1));
  team.stop();
  for (std::thread& t : sleepers) t.join();
  EXPECT_EQ(one, 0U);
}

TYPED_TEST(Teams, OneIsTriggeredByItself) {
  constexpr unsigned n = 5;
  TypeParam team{n};
  std::array<std::atomic<unsigned>, n> triggers{};
  std::vector<std::thread> sleepers;
  for (unsigned i = 0; i != n; ++i) sleepers.push_back(counts(team, i, triggers[i]));
  for (unsigned round = 1; round != 40; ++round)
    for (const unsigned i : {3U, 0U, 4U}) {
      team.trigger(i);
      until(triggers[i], round);
    }
  team.stop();
  for (std::thread& t : sleepers) t.join();
  EXPECT_EQ(triggers[1] + triggers[2], 0U);
}

/// Whatever the numbers of those who are woken by turns, each is woken as often as it was meant.
template <class Team>
void wakes_the_first(Team& team, unsigned n) {
  std::vector<std::atomic<unsigned>> triggers(n);
  std::vector<unsigned> meant(n);
  std::vector<std::thread> sleepers;
  for (unsigned i = 0; i != n; ++i) sleepers.push_back(counts(team, i, triggers[i]));
  for (unsigned round = 0; round != 60; ++round) {
    const unsigned k = round * 5 % (n + 1);
    if (round % 3 == 0) {
      team.resize(k);
      EXPECT_EQ(team.size(), k);
      team.trigger();
    } else {
      team.trigger_first(k);
    }
    for (unsigned i = 0; i != k; ++i) until(triggers[i], ++meant[i]);
  }
  team.stop();
  for (std::thread& t : sleepers) t.join();
  for (unsigned i = 0; i != n; ++i) EXPECT_EQ(triggers[i], meant[i]) << i;
}
TYPED_TEST(Teams, TheFirstAreTriggeredAndTheTeamChangesItsSize) {
  TypeParam team{9};
  wakes_the_first(team, 9);
  TypeParam groups{7, 3};
  wakes_the_first(groups, 7);
}

/// Every set of sleepers there is, in ascending order or not: each is woken as often as it was meant, the others never.
template <class Team>
void wakes_any(Team& team, unsigned n) {
  std::vector<std::atomic<unsigned>> triggers(n);
  std::vector<unsigned> meant(n);
  std::vector<std::thread> sleepers;
  for (unsigned i = 0; i != n; ++i) sleepers.push_back(counts(team, i, triggers[i]));
  for (unsigned set = 0; set != 1U << n; ++set) {
    std::vector<unsigned> which;
    for (unsigned i = 0; i != n; ++i)
      if ((set >> i & 1) != 0) which.push_back(i);
    if (set % 2 != 0) std::reverse(which.begin(), which.end());
    team.trigger_some(which);
    for (const unsigned i : which) until(triggers[i], ++meant[i]);
  }
  team.trigger();
  for (unsigned i = 0; i != n; ++i) until(triggers[i], ++meant[i]);
  team.stop();
  for (std::thread& t : sleepers) t.join();
  for (unsigned i = 0; i != n; ++i) EXPECT_EQ(triggers[i], meant[i]) << i;
}
TYPED_TEST(Teams, AnyOfThemAreTriggered) {
  TypeParam team{6};
  wakes_any(team, 6);
  TypeParam groups{5, 2};
  wakes_any(groups, 5);
}

TYPED_TEST(Teams, AStopThatComesWithATriggerLosesNeither) {
  for (unsigned round = 0; round != 100; ++round) {
    TypeParam team{2};
    std::atomic<unsigned> triggers{0};
    std::vector<std::thread> all;
    for (const unsigned i : {0U, 1U}) all.push_back(counts(team, i, triggers));
    all.emplace_back([&] { team.stop(); });
    team.trigger();
    for (std::thread& t : all) t.join();
    for (const unsigned i : {0U, 1U}) triggers += team.try_wait(i) ? 1 : 0;
    EXPECT_EQ(triggers, 2U);
  }
}

template <class Team>
void loses_nothing_by_giving_up() {
  constexpr unsigned n = 4;
  constexpr unsigned rounds = 200;
  Team team{n};
  std::atomic<unsigned> returned{0};
  std::vector<std::thread> sleepers;
  for (unsigned i = 0; i != n; ++i)
    sleepers.emplace_back([&, i] {
      for (unsigned round = 0; round != rounds; ++round) {
        while (!team.wait_for(i, 10us)) {
        }
        ++returned;
        returned.notify_all();
      }
    });
  for (unsigned round = 0; round != rounds; ++round) {
    team.trigger();
    for (unsigned seen = returned; seen != n * (round + 1); seen = returned) returned.wait(seen);
  }
  for (std::thread& one : sleepers) one.join();
  EXPECT_EQ(returned, n * rounds);
}
TEST(EventGroup, LosesNothingByGivingUp) { loses_nothing_by_giving_up<event_group>(); }
TEST(Cascade, LosesNothingByGivingUp) { loses_nothing_by_giving_up<cascade>(); }
TEST(Rendezvous, LosesNothingByGivingUp) { loses_nothing_by_giving_up<brief_rendezvous>(); }

/// A woken thread that has another to wake does so before it goes on.
TEST(Cascade, TheWokenWakeOthers) {
  recorder::reset();
  {
    basic_cascade<recorder> c{2};
    c.trigger();
    recorder::forget();
    c.wait(0);  // claims, and finds that the waker has woken all
    const auto& all = recorder::accesses();
    EXPECT_TRUE(
        std::any_of(all.begin(), all.end(), [](const access& a) { return a.what == operation::read_modify_write; }));
  }
  recorder::reset();
}

}  // namespace

}  // namespace synchro::tests
