// The guard with a node of its own, locks that may be taken again by who has them, and the names that people type.

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "synchro/synchro.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

static_assert(describe<mcs_park_lock>().parks && describe<clh_park_lock>().parks && !describe<mcs_yield_lock>().parks);
// Unchecked, a plain name is the lock itself and nothing else.
#ifndef SYNCHRO_SEEN_BY_THREAD_SANITIZER
static_assert(std::is_same_v<mutex, basic_mutex_lock<>> && std::is_same_v<mcs_lock, basic_mcs_lock<>>);
#endif
static_assert(!std::is_same_v<mcs_lock, mcs_park_lock> && !std::is_same_v<tas_lock, tas_yield_lock>);

template <class Lock>
void count_with_own_nodes() {
  Lock lock;
  long count = 0;
  std::vector<std::thread> team;
  for (int t = 0; t != 4; ++t)
    team.emplace_back([&] {
      for (int i = 0; i != 2000; ++i) {
        node_guard guard{lock};
        ++count;
        if (i % 3 == 0) guard.unlock();
      }
    });
  for (auto& each : team) each.join();
  EXPECT_EQ(count, 8000);
}

TEST(node_guard, locks_as_long_as_it_is_there) {
  count_with_own_nodes<mcs_park_lock>();
  count_with_own_nodes<mcs_yield_lock>();
  count_with_own_nodes<array_yield_lock>();
}

TEST(node_guard, tells_whether_it_could_be_had_at_once) {
  mcs_park_lock lock;
  node_guard first{lock, std::try_to_lock};
  EXPECT_TRUE(first.owns_lock());
  {
    const node_guard second{lock, std::try_to_lock};
    EXPECT_FALSE(second);
  }
  first.unlock();
  EXPECT_FALSE(first);
  const node_guard third{lock, std::try_to_lock};
  EXPECT_TRUE(third);
}

TEST(node_guard, keeps_what_its_lock_notes_in_the_node) {
  array_yield_lock lock{shape{{0, 0}}};
  for (int i = 0; i != 3; ++i) {  // each with a number of its own
    const node_guard guard{lock, std::try_to_lock};
    EXPECT_TRUE(guard);
  }
  ASSERT_TRUE(lock.try_lock());
  lock.unlock();
}

template <class Lock>
void take_again_and_again() {
  recursive<Lock> lock;
  long count = 0;
  std::vector<std::thread> team;
  for (int t = 0; t != 4; ++t)
    team.emplace_back([&] {
      for (int i = 0; i != 1000; ++i) {
        const std::lock_guard outer{lock};
        const long before = ++count;
        {
          const std::lock_guard inner{lock};
          const std::lock_guard innermost{lock};
          ++count;
        }
        EXPECT_EQ(count, before + 1) << "an inner release let somebody in";
      }
    });
  for (auto& each : team) each.join();
  EXPECT_EQ(count, 8000);
}

TEST(recursive, lets_its_owner_in_again) {
  take_again_and_again<mutex>();
  take_again_and_again<ticket_yield_lock>();
  take_again_and_again<mcs_park_lock>();
}

TEST(recursive, keeps_others_out_until_the_outermost_is_released) {
  recursive<mutex> lock;
  const auto free = [&] {
    bool taken = false;
    std::thread{[&] {
      taken = lock.try_lock_for(1ms);
      if (taken) lock.unlock();
    }}.join();
    return taken;
  };
  lock.lock();
  EXPECT_TRUE(lock.try_lock());
  EXPECT_TRUE(lock.try_lock_for(1ms));
  lock.unlock();
  lock.unlock();
  EXPECT_FALSE(free());
  lock.unlock();
  EXPECT_TRUE(free());
}

}  // namespace
}  // namespace synchro
