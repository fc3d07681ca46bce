// Checked mode: each mistake named, and no false alarm. Built with SYNCHRO_CHECKED.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "synchro/synchro.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

static_assert(std::is_base_of_v<basic_mutex_lock<>, mutex> && !std::is_same_v<basic_mutex_lock<>, mutex>);
[[maybe_unused]] constinit mutex made_by_the_compiler;

template <class F>
void elsewhere(F f) {
  std::thread{f}.join();
}

class checked_mode : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

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

TEST_F(checked_mode, raises_no_false_alarm) {
  use_well<mutex>();
  use_well<ticket_yield_lock>();
  use_well<array_yield_lock>();
  use_well<mcs_park_lock>();
  use_well<clh_park_lock>();
  use_well<shared_mutex>();
  use_well<phase_fair_yield_lock>();
  use_well<big_reader_yield_lock>();
  use_well<recursive<mutex>>();
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
