// Lock elision: what it decides, with transactions that the tests make up, and what it is where there are none.

#include "synchro/elided.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "synchro/locks/ticket.hpp"

namespace synchro {
namespace {

/// Says what it is told, one answer for each attempt; then none succeeds.
struct told {
  static inline const char* reason = nullptr;
  static inline std::deque<elision> answers;
  static inline unsigned begun = 0, committed = 0, aborted = 0;

  static void tell(std::deque<elision> all, const char* why_not = nullptr) {
    answers = std::move(all);
    reason = why_not;
    begun = committed = aborted = 0;
  }
  static const char* why_not() { return reason; }
  static elision begin() {
    ++begun;
    if (answers.empty()) return elision::hopeless;
    const elision next = answers.front();
    answers.pop_front();
    return next;
  }
  static void commit() { ++committed; }
  static void abort() { ++aborted; }
};

/// Counts what is done to it.
struct counted {
  static inline unsigned locked = 0, unlocked = 0;
  static inline bool is_free = true;
  static void reset() { locked = unlocked = 0, is_free = true; }
  void lock() { ++locked; }
  bool try_lock() { return is_free && ++locked != 0; }
  void unlock() { ++unlocked; }
};

using tried = basic_elided<counted, told>;

void run(tried& l) {
  l.lock();
  l.unlock();
}

TEST(Elided, RunsInATransaction) {
  told::tell({elision::started});
  counted::reset();
  tried l;
  run(l);
  EXPECT_EQ(told::committed, 1U);
  EXPECT_EQ(counted::locked + counted::unlocked, 0U);
  EXPECT_EQ(l.counts().locked, 0U);
}

TEST(Elided, TriesAgainWhenTwoHaveMet) {
  told::tell({elision::again, elision::again, elision::started});
  counted::reset();
  tried l;
  run(l);
  EXPECT_EQ(told::begun, 3U);
  EXPECT_EQ(told::committed, 1U);
  EXPECT_EQ(counted::locked, 0U);
  EXPECT_EQ(l.counts().met_other, 2U);
}

TEST(Elided, TakesTheLockAfterAFewTries) {
  told::tell(std::deque<elision>(9, elision::again));
  counted::reset();
  tried l{{.tries = 3, .skips = 0}};
  run(l);
  EXPECT_EQ(told::begun, 3U);
  EXPECT_EQ(told::committed, 0U);
  EXPECT_EQ(counted::locked, 1U);
  EXPECT_EQ(counted::unlocked, 1U);
  EXPECT_EQ(l.counts().met_other, 3U);
  EXPECT_EQ(l.counts().locked, 1U);
}

TEST(Elided, TakesTheLockAtOnceWhereThereIsNoHope) {
  told::tell({elision::hopeless, elision::started});
  counted::reset();
  tried l{{.tries = 3, .skips = 0}};
  run(l);
  EXPECT_EQ(told::begun, 1U);
  EXPECT_EQ(counted::locked, 1U);
  EXPECT_EQ(l.counts().hopeless, 1U);
  run(l);
  EXPECT_EQ(told::committed, 1U) << "the next one is tried again";
}

TEST(Elided, SkipsAttemptsAfterAFailure) {
  told::tell({elision::hopeless, elision::started});
  counted::reset();
  tried l{{.tries = 3, .skips = 2}};
  for (int i = 0; i != 3; ++i) run(l);
  EXPECT_EQ(told::begun, 1U);
  EXPECT_EQ(counted::locked, 3U);
  run(l);
  EXPECT_EQ(told::begun, 2U);
  EXPECT_EQ(told::committed, 1U);
}

/// Within a transaction that began while the lock was held, begin returns again, which these transactions cannot: they go on
/// after abort as if it had.
TEST(Elided, AbortsWhatBeganWhileTheLockWasHeld) {
  told::tell({elision::hopeless, elision::started, elision::started});
  counted::reset();
  tried l{{.tries = 3, .skips = 0}};
  l.lock();
  counted::is_free = false;
  EXPECT_FALSE(l.try_lock());
  EXPECT_EQ(told::aborted, 1U);
  EXPECT_EQ(l.counts().met_holder, 1U);
  l.unlock();
  EXPECT_EQ(told::committed, 0U);
  EXPECT_EQ(counted::unlocked, 1U);
  EXPECT_TRUE(l.try_lock());
  l.unlock();
  EXPECT_EQ(told::committed, 1U);
}

TEST(Elided, WaitsUntilTheHolderHasLeft) {
  told::tell({elision::hopeless, elision::started, elision::started});
  counted::reset();
  tried l{{.tries = 3, .skips = 0}};
  l.lock();
  std::thread other{[&] {
    while (l.counts().met_holder == 0) std::this_thread::yield();
    l.unlock();
  }};
  l.lock();
  other.join();
  EXPECT_EQ(told::aborted, 1U);
  l.unlock();
  EXPECT_EQ(told::committed, 1U);
}

TEST(Elided, IsTheLockItselfWithoutTransactions) {
  told::tell({elision::started}, "none here");
  counted::reset();
  tried l;
  EXPECT_FALSE(tried::is_available());
  run(l);
  EXPECT_TRUE(l.try_lock());
  l.unlock();
  counted::is_free = false;
  EXPECT_FALSE(l.try_lock());
  EXPECT_EQ(told::begun + told::committed, 0U);
  EXPECT_EQ(counted::locked, 2U);
  EXPECT_EQ(counted::unlocked, 2U);
}

/// By what this processor has, whatever that is.
TEST(Elided, KeepsOthersOut) {
  elided<ticket_yield_lock> l;
  unsigned long count = 0;
  std::vector<std::thread> team;
  for (int t = 0; t != 4; ++t)
    team.emplace_back([&] {
      for (int i = 0; i != 2000; ++i) {
        const std::lock_guard guard{l};
        ++count;
      }
    });
  for (std::thread& t : team) t.join();
  EXPECT_EQ(count, 8000U);
}

TEST(HardwareTransactions, AreThereOrItIsSaidWhyNot) {
  const char* const why = hardware_transactions::why_not();
  EXPECT_EQ(elided<ticket_yield_lock>::is_available(), why == nullptr);
  if (why != nullptr) {
    EXPECT_GT(std::string{why}.size(), 20U);
    return;
  }
  unsigned committed = 0;
  for (int i = 0; i != 1000 && committed == 0; ++i)
    if (hardware_transactions::begin() == elision::started) {
      hardware_transactions::commit();
      ++committed;
    }
  EXPECT_EQ(committed, 1U);
}

}  // namespace
}  // namespace synchro
