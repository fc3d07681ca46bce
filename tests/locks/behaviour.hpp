// What every lock of the catalog must do, under every waiting policy it allows. A lock that does not offer a thing is
// left out of its tests by the concepts of traits.hpp, and by nothing else.

#ifndef SYNCHRO_TESTS_LOCKS_BEHAVIOUR_HPP
#define SYNCHRO_TESTS_LOCKS_BEHAVIOUR_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "catalog/lock_line.hpp"
#include "locks/machines.hpp"
#include "locks/teams.hpp"
#include "synchro/first_ticket.hpp"
#include "synchro/traits.hpp"

namespace synchro::tests {

using namespace std::chrono_literals;
using catalog::make_lock;

// Exclusion.

template <class Lock>
void one_at_a_time(unsigned threads) {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  contest(threads, [&](unsigned) {
    lock.lock();
    data.visit();
    lock.unlock();
  });
  EXPECT_TRUE(data.intact());
  EXPECT_GE(data.visits(), threads);
}

template <class Lock>
void excludes() {
  one_at_a_time<Lock>(2);
}

/// More threads than processors, and than any table sized by them.
template <class Lock>
void excludes_with_more_threads_than_processors() {
  one_at_a_time<Lock>(4 * processors() + 1);
}

template <class Lock>
void own_nodes_and_lock_s_nodes_queue_together() {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  contest(3, [&](unsigned i) {
    thread_local typename Lock::node mine;
    if (i == 0) {
      lock.lock();
      data.visit();
      lock.unlock();
    } else {
      lock.lock(mine);
      data.visit();
      lock.unlock(mine);
    }
  });
  EXPECT_TRUE(data.intact());
}

// Several locks.

template <class Lock>
void several_held_and_released_in_any_order() {
  Lock a = make_lock<Lock>(hardware::here());
  Lock b = make_lock<Lock>(hardware::here());
  Lock c = make_lock<Lock>(hardware::here());
  std::array<guarded, 3> data;
  contest(2, [&](unsigned i) {
    a.lock();
    b.lock();
    c.lock();
    for (guarded& one : data) one.visit();
    if (i == 0) {
      a.unlock();
      c.unlock();
      b.unlock();
    } else {
      b.unlock();
      a.unlock();
      c.unlock();
    }
  });
  for (const guarded& one : data) EXPECT_TRUE(one.intact());
}

template <class Lock>
void works_with_scoped_lock() {
  Lock a = make_lock<Lock>(hardware::here());
  Lock b = make_lock<Lock>(hardware::here());
  guarded data;
  contest(2, [&](unsigned i) {
    const std::scoped_lock both{i == 0 ? a : b, i == 0 ? b : a};
    data.visit();
  });
  EXPECT_TRUE(data.intact());
}

template <class Lock>
void works_with_unique_lock() {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  contest(2, [&](unsigned) {
    std::unique_lock<Lock> guard{lock};
    data.visit();
    guard.unlock();
    guard.lock();
    data.visit();
    std::unique_lock<Lock> other{std::move(guard)};
  });
  EXPECT_TRUE(data.intact());
}

template <class Lock>
void works_with_condition_variable_any() {
  Lock lock = make_lock<Lock>(hardware::here());
  std::condition_variable_any changed;
  unsigned turn = 0;
  constexpr unsigned last_turn = 60;
  const auto player = [&](unsigned me) {
    for (;;) {
      std::unique_lock<Lock> guard{lock};
      changed.wait(guard, [&] { return turn % 3 == me || turn >= last_turn; });
      if (turn >= last_turn) return;
      ++turn;
      changed.notify_all();
    }
  };
  std::thread first{player, 0U};
  std::thread second{player, 1U};
  player(2U);
  first.join();
  second.join();
  EXPECT_EQ(turn, last_turn);
}

// Threads that come and go.

template <class Lock>
void unlocked_by_another_thread() {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  std::binary_semaphore locked{0};
  std::binary_semaphore unlocked{0};
  constexpr int rounds = 100;
  std::thread unlocker{[&] {
    for (int i = 0; i != rounds; ++i) {
      locked.acquire();
      data.visit();
      lock.unlock();
      unlocked.release();
    }
  }};
  for (int i = 0; i != rounds; ++i) {
    lock.lock();
    data.visit();
    locked.release();
    unlocked.acquire();
  }
  unlocker.join();
  EXPECT_EQ(data.visits(), 2 * rounds);
  EXPECT_TRUE(data.intact());
}

/// Locks when its thread ends.
template <class Lock>
struct farewell {
  Lock* lock = nullptr;
  guarded* data = nullptr;

  ~farewell() {
    if (lock == nullptr) return;
    lock->lock();
    data->visit();
    lock->unlock();
  }
};

template <class Lock>
void used_when_a_thread_ends() {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  contest(2, [&](unsigned) {
    elsewhere([&] {
      thread_local farewell<Lock> at_the_end;
      at_the_end.lock = &lock;
      at_the_end.data = &data;  // the thread's first use of the lock is in this object's destructor
    });
    elsewhere([&] {
      thread_local farewell<Lock> after_use;
      after_use.lock = &lock;
      after_use.data = &data;
      lock.lock();
      data.visit();
      lock.unlock();
    });
  });
  EXPECT_TRUE(data.intact());
}

/// Locks after the library has taken leave of the thread: in the last round of the system's own thread-exit calls.
template <class Lock>
struct late_farewell {
  static inline Lock* lock = nullptr;
  static inline guarded* data = nullptr;
  static inline thread_local int calls = 0;

  static void call(void* p) {
    if (++calls < 3) {
      hardware::at_thread_exit<call>(p);
      return;
    }
    lock->lock();
    data->visit();
    lock->unlock();
  }
};

template <class Lock>
void used_after_the_thread_s_own_objects_are_gone() {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  late_farewell<Lock>::lock = &lock;
  late_farewell<Lock>::data = &data;
  contest(2, [&](unsigned) {
    elsewhere([&] {
      int anything = 0;
      hardware::at_thread_exit<late_farewell<Lock>::call>(&anything);
      lock.lock();
      data.visit();
      lock.unlock();
    });
  });
  EXPECT_TRUE(data.intact());
  EXPECT_EQ(data.visits() % 2, 0);
}

/// Lock is on the counting machine.
template <class Lock>
void short_lived_threads_need_no_new_memory() {
  std::array<std::unique_ptr<Lock>, 7> locks;
  for (auto& lock : locks) lock = std::unique_ptr<Lock>{new Lock(make_lock<Lock>(hardware::here()))};
  const auto lock_all = [&] {
    for (auto& lock : locks) lock->lock();
    for (auto& lock : locks) lock->unlock();
  };
  elsewhere(lock_all);
  const std::size_t made_by_the_first = counting::made;
  for (int thread = 0; thread != 300; ++thread) elsewhere(lock_all);
  EXPECT_EQ(counting::made, made_by_the_first);
}

/// Lock is on the counting machine. One thread always locks, and another always unlocks.
template <class Lock>
void nodes_flow_back_between_threads() {
  Lock lock = make_lock<Lock>(hardware::here());
  constexpr int rounds = 400;
  const std::size_t made_before = counting::made;
  std::binary_semaphore locked{0};
  std::binary_semaphore unlocked{0};
  std::thread unlocker{[&] {
    for (int i = 0; i != rounds; ++i) {
      locked.acquire();
      lock.unlock();
      unlocked.release();
    }
  }};
  for (int i = 0; i != rounds; ++i) {
    lock.lock();
    locked.release();
    unlocked.acquire();
  }
  unlocker.join();
  EXPECT_LE(counting::made - made_before, 200U);
}

// Trying.

template <class Lock>
void try_lock_succeeds_only_when_free() {
  Lock lock = make_lock<Lock>(hardware::here());
  for (int round = 0; round != 100; ++round) {
    ASSERT_TRUE(lock.try_lock());
    if (round % 10 == 0) elsewhere([&] { EXPECT_FALSE(lock.try_lock()); });
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
    lock.lock();
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
  }
}

template <class Lock>
void try_lock_excludes() {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  contest(3, [&](unsigned i) {
    if (i == 0)
      lock.lock();
    else if (!lock.try_lock())
      return;
    data.visit();
    lock.unlock();
  });
  EXPECT_TRUE(data.intact());
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

template <class L>
concept node_try_lockable = node_lockable<L> && requires(L& lock, typename L::node& node) {
  { lock.try_lock(node) } -> std::same_as<bool>;
};

template <class Lock>
void own_nodes_try() {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  contest(3, [&](unsigned i) {
    thread_local typename Lock::node mine;
    if (i == 0)
      lock.lock(mine);
    else if (!lock.try_lock(mine))
      return;
    data.visit();
    EXPECT_FALSE(lock.try_lock());
    lock.unlock(mine);
  });
  EXPECT_TRUE(data.intact());
}

// Deadlines.

template <class Lock>
void a_deadline_passes() {
  Lock lock = make_lock<Lock>(hardware::here());
  lock.lock();
  elsewhere([&] {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(lock.try_lock_for(2ms));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 2ms);
    EXPECT_FALSE(lock.try_lock_for(0ns));
    EXPECT_FALSE(lock.try_lock_for(-1h));
    EXPECT_FALSE(lock.try_lock_until(std::chrono::system_clock::now() + 1ms));
  });
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock_for(0ns));
  lock.unlock();
  EXPECT_TRUE(lock.try_lock_for(std::chrono::hours::max()));
  lock.unlock();
  EXPECT_TRUE(lock.try_lock_until(std::chrono::steady_clock::now() - 1h));
  lock.unlock();
}

/// Lock is on the watched machine.
template <class Lock>
void a_waiter_with_a_deadline_gets_the_lock() {
  Lock lock = make_lock<Lock>(hardware::here());
  lock.lock();
  std::atomic<bool> waits{false};
  std::thread waiter{[&] {
    watched::told_when_waiting = &waits;
    EXPECT_TRUE(lock.try_lock_for(1h));
    lock.unlock();
  }};
  while (!waits) std::this_thread::yield();
  lock.unlock();
  waiter.join();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

/// Waiters give up at the front, in the middle and at the end of the queue, while others stay.
template <class Lock>
void those_who_give_up_break_no_queue(unsigned threads) {
  Lock lock = make_lock<Lock>(hardware::here());
  guarded data;
  std::vector<unsigned> turns(threads);
  const auto turn = [&](unsigned i) {
    const unsigned n = turns[i]++;
    if (n % 3 == i % 3)
      lock.lock();
    else if (n % 7 == 0 ? !lock.try_lock() : !lock.try_lock_for((n * 7 + i) % 40 * 1us))
      return;
    data.visit();
    if (n % 8 == 0) std::this_thread::yield();
    lock.unlock();
  };
  contest(threads, turn, 60ms);
  EXPECT_TRUE(data.intact());
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

/// Lock is on the counting machine.
template <class Lock>
void those_who_give_up_leave_no_memory_behind() {
  Lock lock = make_lock<Lock>(hardware::here());
  const std::size_t made_before = counting::made;
  lock.lock();
  constexpr unsigned threads = 3;
  std::atomic<long> given_up{0};
  contest(threads, [&](unsigned i) {
    for (int n = 0; n != 500; ++n)
      if (!lock.try_lock_for(i * 3us)) given_up.fetch_add(1, std::memory_order_relaxed);
  });
  // Each thread may keep a handful of batches of nodes for itself; what must not be is a node for each attempt.
  EXPECT_GE(given_up, 1500);
  EXPECT_LE(counting::made - made_before, 300U) << given_up << " waiters gave up";
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

// Order.

/// Lock is on the watched machine. Threads join the queue one by one, each known to wait before the next one comes.
template <class Lock>
void served_in_order_of_arrival(Lock& lock) {
  constexpr unsigned waiters = 6;
  std::vector<unsigned> served;
  std::vector<std::thread> queue;
  std::array<std::atomic<bool>, waiters> waits{};
  lock.lock();
  for (unsigned i = 0; i != waiters; ++i) {
    queue.emplace_back([&, i] {
      watched::told_when_waiting = &waits[i];
      lock.lock();
      watched::told_when_waiting = nullptr;
      served.push_back(i);
      lock.unlock();
    });
    while (!waits[i]) std::this_thread::yield();
  }
  lock.unlock();
  for (std::thread& waiter : queue) waiter.join();
  ASSERT_EQ(served.size(), waiters);
  EXPECT_TRUE(std::is_sorted(served.begin(), served.end()));
}

// Numbers that wrap.

template <class Lock>
inline constexpr bool has_tickets =
    std::is_constructible_v<Lock, first_ticket> || std::is_constructible_v<Lock, const shape&, first_ticket>;

template <class Lock>
Lock make_before_wrap(std::uint32_t tickets_before) {
  const first_ticket first{0U - tickets_before};
  if constexpr (std::is_constructible_v<Lock, const shape&, first_ticket>)
    return Lock(shape{{0, 0, 0}}, first);  // three: no divisor of 2^32
  else
    return Lock(first);
}

template <class Lock>
void counts_past_the_wrap() {
  Lock alone = make_before_wrap<Lock>(50);
  for (int i = 0; i != 100; ++i) {
    alone.lock();
    if constexpr (try_lockable<Lock>) {
      EXPECT_FALSE(alone.try_lock());
      alone.unlock();
      ASSERT_TRUE(alone.try_lock());
    }
    if constexpr (timed_lockable<Lock>) {
      EXPECT_FALSE(alone.try_lock_for(0ns));
      alone.unlock();
      ASSERT_TRUE(alone.try_lock_for(0ns));
    }
    alone.unlock();
  }
  Lock lock = make_before_wrap<Lock>(100);
  guarded data;
  contest(5, [&](unsigned) {
    lock.lock();
    data.visit();
    lock.unlock();
  });
  while (data.visits() < 200) {
    lock.lock();
    data.visit();
    lock.unlock();
  }
  EXPECT_TRUE(data.intact());
}

// The list.

class behaviour_test : public testing::Test {
 public:
  explicit behaviour_test(std::function<void()> body) : body_{std::move(body)} {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

class suite {
 public:
  explicit suite(std::string name) : name_{std::move(name)} {}

  void add(const char* test, std::function<void()> body) const {
    testing::RegisterTest(name_.c_str(), test, nullptr, nullptr, __FILE__, __LINE__,
                          [body = std::move(body)]() -> behaviour_test* { return new behaviour_test(body); });
  }

 private:
  std::string name_;
};

template <class Lock>
void add_plain(const suite& tests) {
  tests.add("excludes", excludes<Lock>);
  tests.add("excludes_with_more_threads_than_processors", excludes_with_more_threads_than_processors<Lock>);
  tests.add("several_held_and_released_in_any_order", several_held_and_released_in_any_order<Lock>);
  tests.add("works_with_unique_lock", works_with_unique_lock<Lock>);
  tests.add("works_with_condition_variable_any", works_with_condition_variable_any<Lock>);
  tests.add("unlocked_by_another_thread", unlocked_by_another_thread<Lock>);
  tests.add("used_when_a_thread_ends", used_when_a_thread_ends<Lock>);
  tests.add("used_after_the_thread_s_own_objects_are_gone", used_after_the_thread_s_own_objects_are_gone<Lock>);
  if constexpr (node_lockable<Lock>)
    tests.add("own_nodes_and_lock_s_nodes_queue_together", own_nodes_and_lock_s_nodes_queue_together<Lock>);
  if constexpr (has_tickets<Lock>) tests.add("counts_past_the_wrap", counts_past_the_wrap<Lock>);
}

template <class Lock>
void add_trying(const suite& tests) {
  if constexpr (try_lockable<Lock>) {
    tests.add("try_lock_succeeds_only_when_free", try_lock_succeeds_only_when_free<Lock>);
    tests.add("try_lock_excludes", try_lock_excludes<Lock>);
    tests.add("works_with_scoped_lock", works_with_scoped_lock<Lock>);
    if constexpr (node_try_lockable<Lock>) tests.add("own_nodes_try", own_nodes_try<Lock>);
  }
  if constexpr (timed_lockable<Lock>) {
    tests.add("a_deadline_passes", a_deadline_passes<Lock>);
    tests.add("those_who_give_up_break_no_queue", [] { those_who_give_up_break_no_queue<Lock>(3); });
    tests.add("those_who_give_up_break_no_queue_oversubscribed",
              [] { those_who_give_up_break_no_queue<Lock>(2 * processors() + 3); });
  }
}

template <class Lock>
void add_counted(const suite& tests) {
  tests.add("short_lived_threads_need_no_new_memory", short_lived_threads_need_no_new_memory<Lock>);
  tests.add("nodes_flow_back_between_threads", nodes_flow_back_between_threads<Lock>);
  if constexpr (timed_lockable<Lock>)
    tests.add("those_who_give_up_leave_no_memory_behind", those_who_give_up_leave_no_memory_behind<Lock>);
}

template <class Lock>
void add_watched(const suite& tests) {
  if constexpr (timed_lockable<Lock>)
    tests.add("a_waiter_with_a_deadline_gets_the_lock", a_waiter_with_a_deadline_gets_the_lock<Lock>);
  if constexpr (Lock::traits.fair == fairness::first_come) {
    tests.add("served_in_order_of_arrival", [] {
      Lock lock = make_lock<Lock>(hardware::here());
      served_in_order_of_arrival(lock);
    });
    if constexpr (has_tickets<Lock>)
      tests.add("served_in_order_past_the_wrap", [] {
        Lock lock = make_before_wrap<Lock>(3);
        served_in_order_of_arrival(lock);
      });
  }
}

/// Adds the tests of every variant of a catalog line.
template <class Line>
bool add_behaviour() {
  Line::each([](const auto& variant) {
    using lock_variant = std::decay_t<decltype(variant)>;
    const suite tests{variant.name};
    add_plain<typename lock_variant::template lock<hardware>>(tests);
    add_trying<typename lock_variant::template lock<hardware>>(tests);
    add_counted<typename lock_variant::template lock<counting>>(tests);
    add_watched<typename lock_variant::template lock<watched>>(tests);
  });
  return true;
}

}  // namespace synchro::tests

#endif
