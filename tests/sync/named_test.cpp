// Locks with a name and a hook: it is told of waits, and of nothing else.

#include "synchro/named.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/locks/tas.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;

struct counts {
  std::atomic<unsigned> begun{0};
  std::atomic<unsigned> taken{0};
  std::atomic<unsigned> given_up{0};
  std::atomic<const char*> at{nullptr};
  void waits(const char* name, const void* /*lock*/) noexcept {
    at = name;
    begun.fetch_add(1);
  }
  void waited(const char* /*name*/, const void* /*lock*/, bool is_taken) noexcept {
    (is_taken ? taken : given_up).fetch_add(1);
  }
};

TEST(Named, KnowsItsName) {
  named<basic_mutex_lock<>> lock{"the cache"};
  EXPECT_EQ(lock.name(), std::string{"the cache"});
  lock.lock();
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock_for(1s));
  lock.unlock();
}

TEST(Named, AnEmptyHookTakesNoRoom) {
  struct empty {
    void waits(const char* /*name*/, const void* /*lock*/) noexcept {}
    void waited(const char* /*name*/, const void* /*lock*/, bool /*taken*/) noexcept {}
  };
  EXPECT_EQ(sizeof(named<basic_mutex_lock<>, empty>), sizeof(named<basic_mutex_lock<>>));
  EXPECT_EQ(sizeof(named<basic_mutex_lock<>>), 2 * sizeof(void*));
}

template <class Lock>
class NamedLocks : public testing::Test {};
using locks = testing::Types<basic_mutex_lock<>, basic_tas_lock<>, basic_mcs_lock<hardware, spin_park>, std::mutex>;
TYPED_TEST_SUITE(NamedLocks, locks, );

TYPED_TEST(NamedLocks, TheHookIsToldOfAWaitAndOfNothingElse) {
  named<TypeParam, counts> lock{"shelf"};
  for (int i = 0; i != 3; ++i) {
    const std::lock_guard<decltype(lock)> section{lock};
  }
  EXPECT_EQ(lock.hook().begun, 0U);
  lock.lock();
  std::thread other{[&] {
    lock.lock();
    EXPECT_EQ(lock.hook().taken, 1U);
    lock.unlock();
  }};
  while (lock.hook().begun.load() == 0) std::this_thread::yield();
  EXPECT_EQ(lock.hook().at.load(), std::string{"shelf"});
  EXPECT_EQ(lock.hook().taken, 0U);
  lock.unlock();
  other.join();
  EXPECT_EQ(lock.hook().begun, 1U);
  EXPECT_EQ(lock.hook().given_up, 0U);
}

TEST(Named, TheHookIsToldWhoGivesUp) {
  named<basic_shared_mutex_lock<>, counts> lock{"page"};
  lock.lock_shared();
  lock.lock_shared();
  EXPECT_EQ(lock.hook().begun, 0U);
  std::thread{[&] { EXPECT_FALSE(lock.try_lock_for(1ms)); }}.join();
  EXPECT_EQ(lock.hook().begun, 1U);
  EXPECT_EQ(lock.hook().given_up, 1U);
  lock.unlock_shared();
  lock.unlock_shared();
  lock.lock();
  std::thread{[&] { EXPECT_FALSE(lock.try_lock_shared_until(std::chrono::steady_clock::now() + 1ms)); }}.join();
  EXPECT_EQ(lock.hook().given_up, 2U);
  EXPECT_EQ(lock.hook().taken, 0U);
  lock.unlock();
}

/// No memory for a node, say.
struct throws_when_it_waits {
  static bool try_lock() { return false; }
  static void lock() { throw std::bad_alloc{}; }
  static void unlock() {}
};

TEST(Named, TheHookIsToldThatAWaitThatThrewTookNothing) {
  named<throws_when_it_waits, counts> lock{"page"};
  EXPECT_THROW(lock.lock(), std::bad_alloc);
  EXPECT_EQ(lock.hook().begun, 1U);
  EXPECT_EQ(lock.hook().given_up, 1U);
  EXPECT_EQ(lock.hook().taken, 0U);
}

}  // namespace
}  // namespace synchro::tests
