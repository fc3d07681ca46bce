// What is asked of any system (synchro/os.hpp), by the standard library alone.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "synchro/domains.hpp"
#include "synchro/locks/mcs.hpp"

namespace synchro::tests {
namespace {

static_assert(std::is_same_v<decltype(os::detail::lot_of_this_program()), os::detail::parking_lot&>,
              "this is the file that was chosen");

std::atomic<int> ended{0};
void count_end(void* /*argument*/) { ++ended; }

TEST(GenericSystem, CallsAtAThreadsEnd) {
  ended = 0;
  std::thread{[] { EXPECT_TRUE(os::thread_exit_hook<count_end>{}.arm(&ended)); }}.join();
  EXPECT_EQ(ended, 1);
}

std::atomic<int> rounds{0};
void arm_again(void* argument) {
  ++rounds;
  os::thread_exit_hook<arm_again>{}.arm(argument);
}

TEST(GenericSystem, CallsAgainWhatIsArmedAnewButNotForEver) {
  std::thread{[] { os::thread_exit_hook<arm_again>{}.arm(&rounds); }}.join();
  EXPECT_EQ(rounds, 4);
}

std::atomic<int> refused{0};
struct late {
  ~late() { refused += os::thread_exit_hook<count_end>{}.arm(&ended) ? 0 : 1; }
};

TEST(GenericSystem, SaysWhereItIsTooLateForACall) {
  std::thread{[] {
    static thread_local const late destroyed_last;
    static_cast<void>(&destroyed_last);
    os::thread_exit_hook<count_end>{}.arm(&ended);
  }}.join();
  EXPECT_EQ(refused, 1);
}

TEST(GenericSystem, SpreadsThreads) {
  std::set<unsigned> seen;
  for (unsigned i = 0; i != 2 * os::detail::processors(); ++i)
    std::thread{[&] {
      const unsigned mine = os::current_cpu();
      EXPECT_EQ(os::current_cpu(), mine);
      EXPECT_LT(mine, os::detail::processors());
      seen.insert(mine);
    }}.join();
  EXPECT_EQ(seen.size(), os::detail::processors());
  EXPECT_EQ(os::allowed_cpus().size(), os::detail::processors());
  for (const unsigned cpu : os::allowed_cpus()) EXPECT_EQ(os::domain_of(cpu), 0U);
}

/// A place in which a thread that has the lock goes to sleep slowly: when it is woken, or is not for so many turns.
struct slow_place {
  using limit = int;
  static inline std::atomic<bool> goes_to_sleep{false}, is_woken{false}, was_awake{false};

  void lock() noexcept { lock_.lock(); }
  void unlock() noexcept { lock_.unlock(); }
  void wait(limit /*until*/) noexcept {
    goes_to_sleep = true;
    for (int turn = 0; turn != 10'000 && !is_woken; ++turn) std::this_thread::yield();
    was_awake = is_woken.load();
    unlock();
    while (!is_woken) std::this_thread::yield();
    lock();
  }
  static void wake_all() noexcept { is_woken = true; }

 private:
  std::mutex lock_;
};

TEST(ParkingLot, WakesNobodyWhoIsStillGoingToSleep) {
  os::detail::basic_parking_lot<slow_place> lot;
  std::atomic<std::uint32_t> word{0};
  std::thread sleeper{[&] { lot.park(&word, 0, 0); }};
  while (!slow_place::goes_to_sleep) std::this_thread::yield();
  word = 1;
  lot.unpark(&word);
  sleeper.join();
  EXPECT_FALSE(slow_place::was_awake) << "a wake-up was lost";
}

struct locks_late {
  mcs_lock& lock;
  explicit locks_late(mcs_lock& its) : lock{its} {}
  ~locks_late() {
    lock.lock();
    lock.unlock();
  }
};

TEST(GenericSystem, ALockServesDestructorsAfterTheCallAtTheEnd) {
  mcs_lock lock;
  for (int i = 0; i != 3; ++i)
    std::thread{[&] {
      static thread_local const locks_late destroyed_last{lock};
      static_cast<void>(&destroyed_last);
      lock.lock();
      lock.unlock();
    }}.join();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

}  // namespace
}  // namespace synchro::tests
