// Lock elision: what it decides, with transactions that the tests make up; what it keeps, with those of the processor, where it
// has any; and that it is the lock below where there are none.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "synchro/domains.hpp"
#include "synchro/locks/elided.hpp"

namespace synchro {
namespace {

// Made up. An abort cannot return from the beginning a second time; here it is as if it had.

/// Says what it is told, one answer for each attempt; then none succeeds.
struct told : hardware {
  struct transactions {
    static constexpr unsigned attempts = 3;
    static inline std::deque<transaction_start> answers;
    static inline std::atomic<unsigned> begun{0}, committed{0}, aborted{0}, given_up{0};
    static inline bool usable = true, under_way = false;

    static void tell(std::deque<transaction_start> all) {
      answers = std::move(all);
      for (std::atomic<unsigned>* each : {&begun, &committed, &aborted, &given_up}) each->store(0);
      usable = true;
      under_way = false;
    }
    static bool are_usable() { return usable; }
    static bool is_under_way() { return under_way; }
    static transaction_start begin() {
      ++begun;
      if (answers.empty()) return transaction_start::hopeless;
      const transaction_start next = answers.front();
      answers.pop_front();
      return next;
    }
    static void commit() { ++committed; }
    static void abort_to_retry() { ++aborted; }
    static void abort_for_good() { given_up += under_way ? 1U : 0U; }
  };
};

/// Counts what is done to it.
struct counted {
  std::atomic<std::uint32_t> state{0};
  unsigned locked = 0, unlocked = 0;
  [[nodiscard]] const auto& word() const { return state; }
  void lock() { ++locked, state = 1; }
  bool try_lock() { return state == 0 && (lock(), true); }
  void unlock() { ++unlocked, state = 0; }
};

/// Shows the lock below.
counted* below = nullptr;
struct shown : counted {
  shown() { below = this; }
};

using tried = elided<shown, told>;
using enum transaction_start;

void run(tried& l) {
  l.lock();
  l.unlock();
}

TEST(Elision, RunsASectionInATransaction) {
  told::transactions::tell({started});
  tried l;
  run(l);
  EXPECT_EQ(told::transactions::committed, 1U);
  EXPECT_EQ(below->locked + below->unlocked, 0U);
}

TEST(Elision, TriesAgainWhenTwoHaveMet) {
  told::transactions::tell({retry, retry, started});
  tried l;
  run(l);
  EXPECT_EQ(told::transactions::begun, 3U);
  EXPECT_EQ(told::transactions::committed, 1U);
  EXPECT_EQ(below->locked, 0U);
}

TEST(Elision, TakesTheLockAfterThreeAttempts) {
  told::transactions::tell({retry, retry, retry, started});
  tried l;
  run(l);
  EXPECT_EQ(told::transactions::begun, 3U);
  EXPECT_EQ(told::transactions::committed, 0U);
  EXPECT_EQ(below->locked, 1U);
  EXPECT_EQ(below->unlocked, 1U);
}

TEST(Elision, TakesTheLockAtOnceWhereThereIsNoHope) {
  told::transactions::tell({hopeless, started});
  tried l;
  run(l);
  EXPECT_EQ(told::transactions::begun, 1U);
  EXPECT_EQ(below->locked, 1U);
  run(l);
  EXPECT_EQ(told::transactions::committed, 1U) << "the next section is tried again";
}

TEST(Elision, AbortsWhereTheLockIsHeld) {
  told::transactions::tell({hopeless, started, started});
  tried l;
  l.lock();
  EXPECT_FALSE(l.try_lock());
  EXPECT_EQ(told::transactions::aborted, 1U);
  l.unlock();
  EXPECT_EQ(below->unlocked, 1U);
  EXPECT_EQ(told::transactions::committed, 0U);
  EXPECT_TRUE(l.try_lock());
  l.unlock();
  EXPECT_EQ(told::transactions::committed, 1U);
}

/// Not by taking it: that would abort all others.
TEST(Elision, WaitsUntilTheHolderHasLeft) {
  told::transactions::tell({hopeless, started});
  tried l;
  l.lock();
  std::atomic<bool> is_about_to_wait{false};
  std::thread other{[&] {
    while (!is_about_to_wait) std::this_thread::yield();
    for (int i = 0; i != 100; ++i) std::this_thread::yield();
    EXPECT_EQ(told::transactions::begun, 1U);
    l.unlock();
  }};
  is_about_to_wait = true;
  l.lock();
  other.join();
  l.unlock();
  EXPECT_EQ(told::transactions::committed, 1U);
  EXPECT_EQ(below->locked, 1U);
}

/// The lock may be held by this thread, or by one that waits for what the outer transaction has read.
TEST(Elision, DoesNotWaitWithinATransaction) {
  told::transactions::tell({hopeless, started, started, started});
  tried l;
  l.lock();
  told::transactions::under_way = true;
  std::thread other{[&] {
    while (told::transactions::aborted != 3) std::this_thread::yield();
    l.unlock();
  }};
  told::transactions::answers = {started, started, started};
  l.lock();
  other.join();
  EXPECT_EQ(told::transactions::aborted, 3U);
}

/// Only the lock below can say whether this thread has it. (With the processor's transactions a wrong answer is taken back as soon
/// as a test complains of it.)
TEST(Elision, ATryWithinATransactionEndsIt) {
  told::transactions::tell({started, hopeless});
  tried l;
  l.lock();
  told::transactions::under_way = true;
  EXPECT_TRUE(l.try_lock()) << "the lock below is free: these transactions do not take back that it was elided";
  EXPECT_EQ(told::transactions::given_up, 1U);
  EXPECT_EQ(below->locked, 1U);
}

TEST(Elision, IsTheLockBelowWithoutTransactions) {
  told::transactions::tell({started});
  told::transactions::usable = false;
  tried l;
  EXPECT_FALSE(tried::elides());
  run(l);
  EXPECT_TRUE(l.try_lock());
  EXPECT_FALSE(l.try_lock());
  l.unlock();
  EXPECT_EQ(told::transactions::begun + told::transactions::committed, 0U);
  EXPECT_EQ(below->locked, 2U);
  EXPECT_EQ(below->unlocked, 2U);
}

// The processor's, and none.

struct without : hardware {
  using transactions = no_transactions;
};

/// Counts what the calling thread has committed.
struct counting : hardware {
  struct transactions : hardware::transactions {
    static inline thread_local std::uint64_t committed = 0;
    static void commit() noexcept {
      hardware::transactions::commit();
      ++committed;
    }
  };
};

template <class Machine>
using spinning = basic_elided_lock<Machine, spin_yield>;
template <class Machine>
using sleeping = basic_elided_lock<Machine, spin_park>;

template <class Body>
void in_threads(unsigned n, Body body) {
  std::vector<std::thread> team;
  for (unsigned t = 0; t != n; ++t) team.emplace_back(body, t);
  for (std::thread& each : team) each.join();
}

/// What no transaction outlives.
void call_the_system() { std::this_thread::yield(); }

template <class Lock>
class ElidedLock : public testing::Test {};
using kinds = testing::Types<spinning<hardware>, sleeping<hardware>, spinning<without>, sleeping<without>>;
TYPED_TEST_SUITE(ElidedLock, kinds);

/// Sections in transactions beside others that hold the lock.
TYPED_TEST(ElidedLock, LosesNoSectionBesideHolders) {
  TypeParam lock;
  std::uint64_t count = 0, twice = 0;
  std::atomic<std::uint64_t> torn{0};
  constexpr unsigned threads = 4, rounds = 3'000;
  in_threads(threads, [&](unsigned t) {
    for (unsigned i = 0; i != rounds; ++i) {
      bool is_torn = false;
      {
        const std::lock_guard guard{lock};
        is_torn = twice != 2 * count;
        ++count;
        if ((i + t) % 64 == 0) call_the_system();
        twice += 2;
      }
      if (is_torn) ++torn;
    }
  });
  EXPECT_EQ(count, threads * rounds);
  EXPECT_EQ(twice, 2 * count);
  EXPECT_EQ(torn, 0U);
}

TYPED_TEST(ElidedLock, TriesLoseNoSection) {
  TypeParam lock;
  std::uint64_t count = 0;
  std::atomic<std::uint64_t> entered{0};
  in_threads(3, [&](unsigned t) {
    std::uint64_t mine = 0;
    for (unsigned i = 0; i != 20'000; ++i) {
      if (t == 0)
        lock.lock();
      else if (!lock.try_lock())
        continue;
      ++count;
      if (i % 64 == 0) call_the_system();
      lock.unlock();
      ++mine;
    }
    entered += mine;
  });
  EXPECT_EQ(count, entered);
}

TYPED_TEST(ElidedLock, ATryOfOnesOwnLockFails) {
  TypeParam lock;
  for (int i = 0; i != 1000; ++i) {
    lock.lock();
    const bool again = lock.try_lock();
    lock.unlock();
    ASSERT_FALSE(again);
    ASSERT_TRUE(lock.try_lock());
    lock.unlock();
  }
}

/// Two that are held at once, given back in either order; one of them often for real.
TYPED_TEST(ElidedLock, MayBeNested) {
  TypeParam a, b;
  std::uint64_t of_a = 0, of_b = 0;
  constexpr unsigned rounds = 2'000;
  in_threads(3, [&](unsigned t) {
    for (unsigned i = 0; i != rounds; ++i) {
      if (t == 2) {
        const std::lock_guard guard{b};
        ++of_b;
        if (i % 8 == 0) call_the_system();
        continue;
      }
      a.lock();
      ++of_a;
      b.lock();
      ++of_b;
      if (i % 2 == 0) {
        a.unlock();
        b.unlock();
      } else {
        b.unlock();
        a.unlock();
      }
    }
  });
  EXPECT_EQ(of_a, 2 * rounds);
  EXPECT_EQ(of_b, 3 * rounds);
}

TYPED_TEST(ElidedLock, AnExceptionLeavesASection) {
  TypeParam lock;
  std::uint64_t count = 0, caught = 0;
  for (int i = 0; i != 200; ++i) try {
      const std::lock_guard guard{lock};
      ++count;
      if (i % 2 == 0) throw std::runtime_error{"out"};
    } catch (const std::runtime_error& e) {
      caught += std::string{e.what()} == "out" ? 1U : 0U;
    }
  EXPECT_EQ(count, 200U);
  EXPECT_EQ(caught, 100U);
  EXPECT_TRUE(lock.try_lock()) << "it is free again";
  lock.unlock();
}

/// More than any cache of a processor's core holds.
TYPED_TEST(ElidedLock, ASectionMayWriteMoreThanATransactionHolds) {
  TypeParam lock;
  std::vector<std::uint64_t> all(1U << 20U);
  in_threads(2, [&](unsigned) {
    for (int round = 0; round != 3; ++round) {
      const std::lock_guard guard{lock};
      for (std::uint64_t& each : all) ++each;
    }
  });
  for (const std::uint64_t each : all) ASSERT_EQ(each, 6U);
}

TYPED_TEST(ElidedLock, MayBeUnlockedByAnotherThread) {
  TypeParam lock;
  std::uint64_t count = 0;
  std::atomic<int> turn{0};
  std::thread other{[&] {
    for (int i = 0; i != 100; ++i) {
      while (turn != 1) std::this_thread::yield();
      ++count;
      lock.unlock();
      turn = 0;
    }
  }};
  for (int i = 0; i != 100; ++i) {
    lock.lock();
    ++count;
    turn = 1;
    while (turn != 0) std::this_thread::yield();
  }
  other.join();
  EXPECT_EQ(count, 200U);
}

// Only where there are some.

#define SYNCHRO_NEEDS_TRANSACTIONS() \
  if (const char* const why = hardware::transactions::why_not()) GTEST_SKIP() << why

TEST(HardwareTransactions, AreThereOrItIsSaidWhyNot) {
  EXPECT_EQ(hardware::transactions::are_usable(), hardware::transactions::why_not() == nullptr);
  EXPECT_EQ(spinning<hardware>::elides(), hardware::transactions::are_usable());
  if (const char* const why = hardware::transactions::why_not()) {
    EXPECT_GT(std::string{why}.size(), 20U);
  }
}

TEST(HardwareTransactions, SectionsCommit) {
  SYNCHRO_NEEDS_TRANSACTIONS();
  spinning<counting> lock;
  struct alignas(256) count {
    std::uint64_t value = 0;
  };
  std::array<count, 2> counts;
  std::atomic<std::uint64_t> committed{0};
  in_threads(2, [&](unsigned t) {
    for (int i = 0; i != 10'000; ++i) {
      const std::lock_guard guard{lock};
      ++counts[t].value;
    }
    committed += counting::transactions::committed;
  });
  EXPECT_EQ(counts[0].value + counts[1].value, 20'000U);
  EXPECT_GT(committed, 0U);
  RecordProperty("committed", std::to_string(committed));
}

/// Whether it commits or takes the lock, a section is seen once.
TEST(HardwareTransactions, ASectionIsSeenOnce) {
  SYNCHRO_NEEDS_TRANSACTIONS();
  spinning<counting> lock;
  std::uint64_t count = 0;
  counting::transactions::committed = 0;
  std::uint64_t rounds = 0;
  for (; counting::transactions::committed == 0 && rounds != 10'000; ++rounds) {
    lock.lock();
    ++count;
    lock.unlock();
  }
  EXPECT_EQ(counting::transactions::committed, 1U);
  EXPECT_EQ(count, rounds);
}

TEST(HardwareTransactions, ACallOfTheSystemTakesTheLock) {
  SYNCHRO_NEEDS_TRANSACTIONS();
  spinning<counting> lock;
  counting::transactions::committed = 0;
  std::uint64_t count = 0;
  for (int i = 0; i != 100; ++i) {
    lock.lock();
    call_the_system();
    EXPECT_FALSE(counting::transactions::is_under_way());
    ++count;
    lock.unlock();
  }
  EXPECT_EQ(counting::transactions::committed, 0U);
  EXPECT_EQ(count, 100U);
}

TEST(HardwareTransactions, WhatIsTooLargeTakesTheLock) {
  SYNCHRO_NEEDS_TRANSACTIONS();
  spinning<counting> lock;
  counting::transactions::committed = 0;
  std::vector<std::uint64_t> all(1U << 20U);
  lock.lock();
  for (std::uint64_t& each : all) ++each;
  lock.unlock();
  EXPECT_EQ(counting::transactions::committed, 0U);
  EXPECT_EQ(all.front() + all.back(), 2U);
}

TEST(HardwareTransactions, NestedSectionsCommitTogether) {
  SYNCHRO_NEEDS_TRANSACTIONS();
  spinning<counting> a, b;
  std::uint64_t count = 0, rounds = 0;
  bool still_under_way = false;
  counting::transactions::committed = 0;
  for (; !still_under_way && rounds != 10'000; ++rounds) {
    a.lock();
    b.lock();
    ++count;
    b.unlock();
    still_under_way = counting::transactions::is_under_way();
    a.unlock();
  }
  EXPECT_TRUE(still_under_way) << "the inner end commits nothing";
  EXPECT_EQ(count, rounds);
  EXPECT_FALSE(counting::transactions::is_under_way());
}

}  // namespace
}  // namespace synchro
