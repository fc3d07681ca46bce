#include <gtest/gtest.h>

#include <algorithm>
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
  r.trigger();
  std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(r.wait(0));
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
