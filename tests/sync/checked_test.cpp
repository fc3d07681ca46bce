// Checked mode: each mistake named, and no false alarm. Built with SYNCHRO_CHECKED.

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <sstream>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "library/failing_new.hpp"
#include "synchro/synchro.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

static_assert(std::is_base_of_v<basic_mutex_lock<>, mutex> && !std::is_same_v<basic_mutex_lock<>, mutex>);
static_assert(noexcept(std::declval<mutex&>().lock()) && !noexcept(std::declval<mcs_lock&>().lock()));
[[maybe_unused]] constinit mutex made_by_the_compiler;

template <class F>
void elsewhere(F f) {
  std::thread{f}.join();
}

class checked_mode : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

/// As a debugger or who reads core files expects it.
const testing::KilledBySignal by_abort{SIGABRT};

template <class Lock>
void tells_of_misuse() {
  const auto again = [] {
    Lock lock;
    lock.lock();
    lock.lock();
  };
  EXPECT_DEATH(again(), "synchro: the lock at .* is locked again by the thread that has it");
  const auto free = [] {
    Lock lock;
    lock.lock();
    lock.unlock();
    lock.unlock();
  };
  EXPECT_DEATH(free(), "synchro: the lock at .* is unlocked though nobody has it");
  const auto another = [] {
    Lock lock;
    lock.lock();
    elsewhere([&] { lock.unlock(); });
  };
  EXPECT_DEATH(another(), "synchro: the lock at .* is unlocked by a thread that does not have it");
  const auto destroyed = [] {
    Lock lock;
    lock.lock();
  };
  EXPECT_DEATH(destroyed(), "synchro: the lock at .* is destroyed while a thread has it");
}

TEST_F(checked_mode, tells_of_misuse_of_locks) {
  tells_of_misuse<mutex>();
  tells_of_misuse<ticket_lock>();
  tells_of_misuse<mcs_park_lock>();
  tells_of_misuse<shared_mutex>();
}

template <class Lock>
void tells_of_misuse_in_time() {
  const auto again = [] {
    Lock lock;
    lock.lock();
    static_cast<void>(lock.try_lock_for(1ms));
  };
  EXPECT_DEATH(again(), "locked again by the thread that has it");
  const auto with_a_node = [] {
    Lock lock;
    typename Lock::node one;
    typename Lock::node two;
    lock.lock(one);
    lock.lock(two);
  };
  EXPECT_DEATH(with_a_node(), "locked again by the thread that has it");
}

TEST_F(checked_mode, tells_of_misuse_in_time_and_with_nodes) { tells_of_misuse_in_time<mcs_park_lock>(); }

template <class Lock>
void tells_of_misuse_of_the_shared_side() {
  const auto beside_oneself = [] {
    Lock lock;
    lock.lock();
    lock.lock_shared();
  };
  EXPECT_DEATH(beside_oneself(), "locked shared by the thread that has it alone");
  const auto free = [] {
    Lock lock;
    lock.unlock_shared();
  };
  EXPECT_DEATH(free(), "unlocked shared though no reader has it");
  const auto destroyed = [] {
    Lock lock;
    lock.lock_shared();
  };
  EXPECT_DEATH(destroyed(), "destroyed while readers have it");
}

TEST_F(checked_mode, tells_of_misuse_of_the_shared_side) {
  tells_of_misuse_of_the_shared_side<shared_mutex>();
  tells_of_misuse_of_the_shared_side<phase_fair_lock>();
}

TEST_F(checked_mode, tells_of_a_reader_that_would_wait_for_itself) {
  const auto alone = [] {
    shared_mutex lock;
    lock.lock_shared();
    lock.lock();
  };
  EXPECT_DEATH(alone(), "synchro: the lock at .* is locked by a thread that has it shared");
  const auto in_time = [] {
    shared_mutex lock;
    lock.lock_shared();
    static_cast<void>(lock.try_lock_for(1ms));
  };
  EXPECT_DEATH(in_time(), "synchro: the lock at .* is locked by a thread that has it shared");
}

constexpr const char* not_this_thread =
    "synchro: the lock at .* is unlocked shared by a thread that does not have it so";

TEST_F(checked_mode, tells_of_a_reader_that_is_another) {
  const auto another = [] {
    shared_mutex lock;
    lock.lock_shared();
    elsewhere([&] { lock.unlock_shared(); });
  };
  EXPECT_DEATH(another(), not_this_thread);
  const auto another_that_has_others = [] {
    shared_mutex lock;
    lock.lock_shared();
    elsewhere([&] {
      mutex other;
      const std::scoped_lock one{other};
      lock.unlock_shared();
    });
  };
  EXPECT_DEATH(another_that_has_others(), not_this_thread);
}

TEST_F(checked_mode, raises_no_false_alarm_about_a_reader_of_other_locks) {
  shared_mutex first;
  shared_mutex second;
  mutex third;
  first.lock_shared();
  second.lock_shared();
  third.lock();
  first.unlock_shared();
  EXPECT_TRUE(first.try_lock_for(1h));
  first.unlock();
  third.unlock();
  second.unlock_shared();
}

template <class Lock>
void take_both(Lock& first, Lock& second) {
  const std::scoped_lock one{first};
  const std::scoped_lock two{second};
}

TEST_F(checked_mode, tells_of_two_orders) {
  const auto two = [] {
    mutex a;
    mutex b;
    take_both(a, b);
    take_both(b, a);
  };
  EXPECT_DEATH(two(), "synchro: the lock at .* is locked after the lock at .*, and the other way round before");
  const auto by_way_of_a_third_and_by_several_threads = [] {
    shared_mutex a;
    shared_mutex b;
    shared_mutex c;
    elsewhere([&] { take_both(a, b); });
    elsewhere([&] { take_both(b, c); });
    c.lock_shared();
    a.lock_shared();
  };
  EXPECT_DEATH(by_way_of_a_third_and_by_several_threads(), "and the other way round before");
}

TEST_F(checked_mode, says_which_lock_was_taken_before) {
  mutex a;
  mutex b;
  take_both(a, b);
  std::ostringstream said;
  said << "the lock at " << &a << " is locked after the lock at " << &b << ", and";
  testing::FLAGS_gtest_death_test_style = "fast";  // in the child the locks are where they are here
  EXPECT_EXIT(take_both(b, a), by_abort, said.str());
}

TEST_F(checked_mode, knows_the_order_of_many_locks_of_several_threads) {
  std::atomic<int> taken{0};
  std::vector<std::thread> team;
  for (int t = 0; t != 4; ++t)
    team.emplace_back([&] {
      for (int i = 0; i != 500; ++i) {
        std::vector<mutex> many(4);
        for (mutex& one : many) one.lock();
        for (mutex& one : many) one.unlock();
        ++taken;
      }
    });
  for (auto& each : team) each.join();
  EXPECT_EQ(taken, 2000);
}

std::atomic<int> allocations_waiting{0};
std::atomic<bool> allocations_go_on{false};

/// In the child there is nobody who would leave the table of orders, and what it was writing there is forgotten with the rest.
TEST_F(checked_mode, begins_the_order_of_locks_anew_in_the_child_of_a_fork) {
  mutex a;
  mutex b;
  take_both(a, b);
  std::thread in_the_table{[&] {
    mutex c;
    mutex d;
    tests::before_allocation = [] {
      ++allocations_waiting;
      allocations_go_on.wait(false);
    };
    take_both(c, d);
    tests::before_allocation = nullptr;
  }};
  while (allocations_waiting == 0) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    take_both(b, a);
    _exit(0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  allocations_go_on = true;
  allocations_go_on.notify_all();
  in_the_table.join();
}

TEST_F(checked_mode, raises_no_false_alarm_about_orders) {
  mutex a;
  mutex b;
  take_both(a, b);
  {
    const std::scoped_lock one{b};
    EXPECT_TRUE(a.try_lock());  // does not wait
    a.unlock();
    EXPECT_TRUE(a.try_lock_for(1ms));  // not for ever
    a.unlock();
  }
  { const std::scoped_lock both{b, a}; }
  take_both(a, b);
  for (int i = 0; i != 2; ++i) {  // other locks in the same place
    mutex pair[2];
    take_both(pair[i], pair[1 - i]);
  }
  for (int i = 0; i != 4;
       ++i) {  // another lock in the place of one that was taken before a lock that stays, or after it
    mutex other;
    i == 0 || i == 3 ? take_both(other, a) : take_both(a, other);
  }
}

TEST_F(checked_mode, tells_of_use_after_the_end) {
  const auto used = [] {
    alignas(mutex) std::byte place[sizeof(mutex)];
    auto* const lock = new (place) mutex;
    lock->~mutex();
    lock->lock();
  };
  EXPECT_EXIT(used(), by_abort, "synchro: the lock at .* is used after it was destroyed");
  const auto tried = [] {
    alignas(mutex) std::byte place[sizeof(mutex)];
    auto* const lock = new (place) mutex;
    lock->~mutex();
    static_cast<void>(lock->try_lock());
  };
  EXPECT_DEATH(tried(), "synchro: the lock at .* is used after it was destroyed");
}

TEST_F(checked_mode, tells_of_a_lock_that_a_thread_leaves_behind) {
  const auto left = [] {
    mutex lock;
    elsewhere([&] { lock.lock(); });
  };
  EXPECT_DEATH(left(), "synchro: the lock at .* is still held by a thread that has ended");
}

/// The last that it does, in its second round, is to take the lock.
extern "C" void take_at_the_end(void* p);
pthread_key_t at_the_end;
extern "C" void take_at_the_end(void* p) {
  static thread_local bool again = false;
  if (!std::exchange(again, true))
    pthread_setspecific(at_the_end, p);
  else
    static_cast<mutex*>(p)->lock();
}

TEST_F(checked_mode, tells_of_a_lock_that_is_taken_at_the_end) {
  const auto left = [] {
    mutex lock;
    pthread_key_create(&at_the_end, take_at_the_end);
    elsewhere([&] {
      { const std::scoped_lock first{lock}; }
      pthread_setspecific(at_the_end, &lock);
    });
  };
  EXPECT_DEATH(left(), "synchro: the lock at .* is still held by a thread that has ended");
}

TEST_F(checked_mode, tells_of_another_node) {
  const auto mixed_up = [] {
    mcs_park_lock lock;
    mcs_park_lock::node one;
    mcs_park_lock::node two;
    lock.lock(one);
    lock.unlock(two);
  };
  constexpr const char* another = "synchro: the lock at .* is unlocked with another node than it was locked with";
  EXPECT_DEATH(mixed_up(), another);
  const auto of_nobody = [] {
    mcs_park_lock lock;
    mcs_park_lock::node one;
    lock.lock();
    lock.unlock(one);
  };
  EXPECT_DEATH(of_nobody(), another);
}

TEST_F(checked_mode, watches_more_locks_than_it_keeps_a_list_of) {
  std::vector<mutex> many(100);
  for (auto& lock : many) lock.lock();
  for (auto& lock : many) lock.unlock();
  shared_mutex one;
  one.lock_shared();
  one.unlock_shared();
  const auto free = [&] { many.back().unlock(); };
  EXPECT_DEATH(free(), "unlocked though nobody has it");
}

/// One after the other, in the order in which they were taken or the other way round.
void take_and_give_beside(std::size_t held, bool first_in_first_out) {
  std::vector<mutex> many(held);
  for (auto& lock : many) lock.lock();
  mutex alone;
  shared_mutex read;
  shared_mutex upgradable;
  mcs_park_lock queue;
  mcs_park_lock::node node;
  alone.lock(), read.lock_shared(), upgradable.lock_upgrade(), queue.lock(node);
  if (first_in_first_out)
    for (auto& lock : many) lock.unlock();
  EXPECT_TRUE(upgradable.try_unlock_upgrade_and_lock());
  upgradable.unlock_and_lock_upgrade();
  if (first_in_first_out)
    alone.unlock(), read.unlock_shared(), upgradable.unlock_upgrade(), queue.unlock(node);
  else
    queue.unlock(node), upgradable.unlock_upgrade(), read.unlock_shared(), alone.unlock();
  if (!first_in_first_out)
    for (auto& lock : many) lock.unlock();
}

TEST_F(checked_mode, raises_no_false_alarm_about_more_locks_than_it_keeps_a_list_of) {
  constexpr std::size_t most = detail::held_locks::most;
  for (std::size_t held = most - 5; held != most + 3; ++held)
    for (const bool first_in_first_out : {true, false}) take_and_give_beside(held, first_in_first_out);
}

/// What a thread had beyond its list it has given back; then it is watched as others are.
TEST_F(checked_mode, tells_of_misuse_by_a_thread_that_had_more_locks_than_its_list) {
  const auto two_more = [] {
    shared_mutex of_another;
    of_another.lock_shared();
    elsewhere([&] {
      std::vector<mutex> many(66);
      for (auto& lock : many) lock.lock();
      for (auto& lock : many) lock.unlock();
      of_another.unlock_shared();
    });
  };
  EXPECT_DEATH(two_more(), not_this_thread);
  const auto one_more_and_one_of_another = [] {
    shared_mutex of_another[2];
    for (auto& lock : of_another) lock.lock_shared();
    elsewhere([&] {
      std::vector<mutex> many(65);
      for (auto& lock : many) lock.lock();
      of_another[0].unlock_shared();  // is not told: it may be the one beyond the list
      many.back().unlock();
      of_another[1].unlock_shared();
    });
  };
  EXPECT_DEATH(one_more_and_one_of_another(), not_this_thread);
}

template <class Team>
void tells_of_misuse_of_teams() {
  const auto too_many = [] {
    Team team{2};
    team.wait(2);
  };
  EXPECT_EXIT(too_many(), by_abort, "synchro: the team at .* is waited at as sleeper 2 of 2");
  const auto twice = [] {
    Team team{2};
    std::thread another{[&] { team.wait(0); }};
    team.wait(0);
  };
  EXPECT_DEATH(twice(), "synchro: the team at .* is waited at as sleeper 0 by two threads");
  const auto too_early = [] {
    Team team{1};
    team.trigger();
    team.trigger();
  };
  EXPECT_DEATH(too_early(), "synchro: the team at .* is triggered before all have returned");
  const auto called_too_early = [] {
    Team team{2};
    team.trigger(1);
    team.trigger(0);
    team.trigger_first(1);
  };
  EXPECT_DEATH(called_too_early(), "synchro: the team at .* is triggered before all have returned");
  const auto nobody = [] {
    Team team{2};
    team.trigger(2);
  };
  EXPECT_DEATH(nobody(), "synchro: the team at .* is triggered for sleeper 2 of 2");
  const auto more_than_there_are = [] {
    Team team{2};
    team.trigger_first(3);
  };
  EXPECT_EXIT(more_than_there_are(), by_abort, "synchro: the team at .* is triggered for 3 sleepers of 2");
  const auto nobody_among_others = [] {
    Team team{2};
    team.trigger_some(std::array{0U, 2U});
  };
  EXPECT_DEATH(nobody_among_others(), "synchro: the team at .* is triggered for sleeper 2 of 2");
  const auto named_twice = [] {
    Team team{2};
    team.trigger_some(std::array{1U, 1U});
  };
  EXPECT_DEATH(named_twice(), "synchro: the team at .* is triggered before all have returned");
  const auto larger_than_it_may_be = [] {
    Team team{2};
    team.resize(3);
  };
  EXPECT_DEATH(larger_than_it_may_be(), "synchro: the team at .* is resized to 3 sleepers of 2");
}

TEST_F(checked_mode, tells_of_misuse_of_teams) {
  tells_of_misuse_of_teams<event_group>();
  tells_of_misuse_of_teams<cascade>();
  tells_of_misuse_of_teams<rendezvous>();
}

/// Answers what it was told to, and notes who came.
struct answering {
  explicit answering(unsigned /*sleepers*/) {}
  bool wait(unsigned /*i*/) const { return says; }
  bool try_wait(unsigned i) const { return wait(i); }
  bool wait_for(unsigned i, int /*patience*/) const { return wait(i); }
  bool wait_until(unsigned i, int /*moment*/) const { return wait(i); }
  void trigger() {}
  bool says = false;
};

struct noting {
  explicit noting(unsigned /*sleepers*/) {}
  void wait(unsigned i) { came = i; }
  void trigger() {}
  unsigned came = 0;
};

/// Who was not woken need not return.
TEST_F(checked_mode, raises_no_false_alarm_about_a_team_that_waits_in_vain) {
  checked_team<answering> team{1};
  const auto all_wait = [&] {
    return team.wait(0) || team.try_wait(0) || team.wait_for(0, 1) || team.wait_until(0, 1);
  };
  EXPECT_FALSE(all_wait());
  team.trigger();
  EXPECT_FALSE(all_wait());
  team.says = true;
  EXPECT_TRUE(team.wait(0));
  team.trigger();
}

TEST_F(checked_mode, lets_each_sleeper_wait_as_itself) {
  checked_team<noting> team{3};
  team.wait(2);
  EXPECT_EQ(team.came, 2U);
}

/// Sleeps until the end of the process, and says that it does.
struct endless_sleep {
  explicit endless_sleep(unsigned /*sleepers*/) {}
  void wait(unsigned /*i*/) {
    asleep = true;
    asleep.notify_all();
    for (;;) std::this_thread::sleep_for(1h);
  }
  void trigger() {}
  std::atomic<bool> asleep{false};
};

TEST_F(checked_mode, tells_of_a_team_that_is_destroyed_under_its_sleepers) {
  const auto destroyed = [] {
    checked_team<endless_sleep> team{1};
    std::thread{[&] { team.wait(0); }}.detach();
    team.asleep.wait(false);
  };
  EXPECT_EXIT(destroyed(), by_abort, "synchro: the team at .* is destroyed while a sleeper waits");
}

TEST_F(checked_mode, raises_no_false_alarm_about_teams) {
  event_group team{2};
  std::vector<std::thread> sleepers;
  std::atomic<unsigned> returned{0};
  for (unsigned i = 0; i != 2; ++i)
    sleepers.emplace_back([&, i] {
      for (int round = 0; round != 50; ++round) {
        team.wait(i);
        ++returned;
        returned.notify_all();
      }
    });
  for (unsigned round = 0; round != 50; ++round) {
    for (unsigned seen = returned; seen != 2 * round; seen = returned) returned.wait(seen);
    team.trigger();
  }
  for (auto& one : sleepers) one.join();
  EXPECT_EQ(returned.load(), 100U);
}

TEST_F(checked_mode, raises_no_false_alarm_about_a_team_of_which_some_are_woken_or_stopped) {
  cascade team{3};
  team.trigger(1);
  EXPECT_TRUE(team.wait(1));
  team.trigger_first(2);
  EXPECT_TRUE(team.try_wait(0) && team.wait_for(1, 1h));
  team.resize(1);
  team.trigger();
  EXPECT_TRUE(team.wait(0));
  team.resize(3);
  team.stop(2);
  EXPECT_FALSE(team.wait(2));
  for (int round = 0; round != 3; ++round) {
    team.trigger();
    EXPECT_TRUE(team.wait(0) && team.wait(1));
  }
}

/// Of a team of two, of which one is stopped while it is triggered again and again, and then comes back.
template <class Team, class Trigger>
void stop_and_resume_one(Trigger trigger) {
  Team team{2};
  team.stop(1);
  for (int round = 0; round != 3; ++round) {
    trigger(team);
    EXPECT_TRUE(team.wait(0));
  }
  team.resume(1);
  EXPECT_TRUE(team.try_wait(1)) << "one trigger waits";
  trigger(team);
  EXPECT_TRUE(team.wait(0) && team.wait(1));
  team.stop(1);
  EXPECT_FALSE(team.wait(1));
  for (int round = 0; round != 3; ++round) {
    trigger(team);
    EXPECT_TRUE(team.wait(0) && team.wait(1)) << "for the trigger first";
    EXPECT_FALSE(team.wait(1));
  }
  team.resume(1);
  EXPECT_FALSE(team.try_wait(1));
  trigger(team);
  EXPECT_TRUE(team.wait(0) && team.wait(1));
}
template <class Team>
void stop_and_resume() {
  stop_and_resume_one<Team>([](Team& team) { team.trigger(); });
  stop_and_resume_one<Team>([](Team& team) { team.trigger_first(2); });
  stop_and_resume_one<Team>([](Team& team) { team.trigger(0), team.trigger(1); });
  stop_and_resume_one<Team>([](Team& team) { team.trigger_some(std::array{0U, 1U}); });
}

TEST_F(checked_mode, raises_no_false_alarm_about_a_sleeper_that_comes_back) {
  stop_and_resume<event_group>();
  stop_and_resume<cascade>();
  stop_and_resume<rendezvous>();
}

TEST_F(checked_mode, tells_of_misuse_of_upgrades) {
  const auto not_upgradable = [] {
    shared_mutex lock;
    lock.unlock_upgrade_and_lock();
  };
  EXPECT_DEATH(not_upgradable(), "unlocked shared though no reader has it");
  const auto not_alone = [] {
    shared_mutex lock;
    lock.lock_shared();
    lock.unlock_and_lock_shared();
  };
  EXPECT_DEATH(not_alone(), "unlocked though nobody has it");
}

/// Everything that is right, by several threads at once.
template <class Lock>
void use_well() {
  Lock lock;
  long count = 0;
  std::vector<std::thread> team;
  for (int t = 0; t != 4; ++t)
    team.emplace_back([&] {
      for (int i = 0; i != 500; ++i) {
        const std::unique_lock guard{lock, std::defer_lock};
        if (i % 2 == 0 || !lock.try_lock()) lock.lock();
        ++count;
        lock.unlock();
      }
    });
  for (auto& each : team) each.join();
  EXPECT_EQ(count, 2000);
}

template <class Lock>
void is_free_again() {
  Lock lock;
  lock.lock_shared();
  lock.unlock_shared();
  ASSERT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST_F(checked_mode, raises_no_false_alarm) {
  use_well<mutex>();
  use_well<fair_mutex>();
  use_well<ticket_yield_lock>();
  use_well<array_yield_lock>();
  use_well<mcs_park_lock>();
  use_well<clh_park_lock>();
  use_well<shared_mutex>();
  use_well<phase_fair_yield_lock>();
  use_well<big_reader_yield_lock>();
  use_well<recursive<mutex>>();
  is_free_again<shared_mutex>();
  is_free_again<phase_fair_yield_lock>();
}

TEST_F(checked_mode, raises_no_false_alarm_with_nodes_and_conditions) {
  mcs_park_lock queue;
  mutex m;
  condition_variable changed;
  bool ready = false;
  std::thread waiter{[&] {
    std::unique_lock guard{m};
    EXPECT_FALSE(changed.wait_for(guard, 1us, [] { return false; }));
    changed.wait(guard, [&] { return ready; });
  }};
  {
    const node_guard guard{queue};
    EXPECT_FALSE(queue.try_lock());
  }
  {
    const node_guard guard{queue, std::try_to_lock};
    EXPECT_TRUE(guard);
  }
  {
    const std::scoped_lock guard{m};
    ready = true;
  }
  changed.notify_all();
  waiter.join();
}

TEST_F(checked_mode, raises_no_false_alarm_with_upgrades) {
  shared_mutex m;
  m.lock_upgrade();
  m.unlock_upgrade_and_lock();
  m.unlock_and_lock_upgrade();
  EXPECT_TRUE(m.try_unlock_upgrade_and_lock_for(0ms));
  m.unlock_and_lock_shared();
  EXPECT_TRUE(m.try_unlock_shared_and_lock());
  m.unlock();
  const std::shared_lock one{m};
  const std::shared_lock two{m, 1ms};
  EXPECT_FALSE(m.try_unlock_shared_and_lock());
  EXPECT_TRUE(m.try_lock_upgrade());
  m.unlock_upgrade_and_lock_shared();
  m.unlock_shared();
}

}  // namespace
}  // namespace synchro
