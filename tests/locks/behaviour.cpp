#include "locks/behaviour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "locks/suite.hpp"
#include "locks/teams.hpp"
#include "synchro/hardware.hpp"

namespace synchro::tests {

namespace {

using namespace std::chrono_literals;

/// What a holder does in most tests: once in, and out.
void visit_alone(any_lock& lock, guarded& data) {
  lock.lock();
  data.visit();
  lock.unlock();
}

/// One thread locks again and again, and another always unlocks.
void one_locks_and_another_unlocks(any_lock& lock, int rounds, const std::function<void()>& inside) {
  std::binary_semaphore locked{0};
  std::binary_semaphore unlocked{0};
  std::thread unlocker{[&] {
    for (int i = 0; i != rounds; ++i) {
      locked.acquire();
      inside();
      lock.unlock();
      unlocked.release();
    }
  }};
  for (int i = 0; i != rounds; ++i) {
    lock.lock();
    inside();
    locked.release();
    unlocked.acquire();
  }
  unlocker.join();
}

// Exclusion.

void one_at_a_time(const maker& make, unsigned threads) {
  const lock_ptr lock = make();
  guarded data;
  contest(threads, [&](unsigned) { visit_alone(*lock, data); });
  EXPECT_TRUE(data.intact());
  EXPECT_GE(data.visits(), threads);
}

void excludes(const maker& make) { one_at_a_time(make, 2); }

/// More threads than processors, and than any table sized by them.
void excludes_with_more_threads_than_processors(const maker& make) { one_at_a_time(make, 4 * processors() + 1); }

void own_nodes_and_lock_s_nodes_queue_together(const maker& make) {
  const lock_ptr lock = make();
  guarded data;
  contest(3, [&](unsigned i) {
    thread_local const std::unique_ptr<any_node> mine = lock->new_node();
    if (i == 0) {
      visit_alone(*lock, data);
    } else {
      mine->lock();
      data.visit();
      mine->unlock();
    }
  });
  EXPECT_TRUE(data.intact());
}

// Several locks.

void several_held_and_released_in_any_order(const maker& make) {
  const lock_ptr a = make();
  const lock_ptr b = make();
  const lock_ptr c = make();
  std::array<guarded, 3> data;
  contest(2, [&](unsigned i) {
    a->lock();
    b->lock();
    c->lock();
    for (guarded& one : data) one.visit();
    if (i == 0) {
      a->unlock();
      c->unlock();
      b->unlock();
    } else {
      b->unlock();
      a->unlock();
      c->unlock();
    }
  });
  for (const guarded& one : data) EXPECT_TRUE(one.intact());
}

void works_with_scoped_lock(const maker& make) {
  const lock_ptr a = make();
  const lock_ptr b = make();
  guarded data;
  contest(2, [&](unsigned i) {
    const std::scoped_lock both{i == 0 ? *a : *b, i == 0 ? *b : *a};
    data.visit();
  });
  EXPECT_TRUE(data.intact());
}

void works_with_unique_lock(const maker& make) {
  const lock_ptr lock = make();
  guarded data;
  contest(2, [&](unsigned) {
    std::unique_lock<any_lock> guard{*lock};
    data.visit();
    guard.unlock();
    guard.lock();
    data.visit();
    std::unique_lock<any_lock> other{std::move(guard)};
  });
  EXPECT_TRUE(data.intact());
}

void works_with_condition_variable_any(const maker& make) {
  const lock_ptr lock = make();
  std::condition_variable_any changed;
  unsigned turn = 0;
  constexpr unsigned last_turn = 60;
  const auto player = [&](unsigned me) {
    for (;;) {
      std::unique_lock<any_lock> guard{*lock};
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

void unlocked_by_another_thread(const maker& make) {
  const lock_ptr lock = make();
  guarded data;
  constexpr int rounds = 100;
  one_locks_and_another_unlocks(*lock, rounds, [&] { data.visit(); });
  EXPECT_EQ(data.visits(), 2 * rounds);
  EXPECT_TRUE(data.intact());
}

/// Locks when its thread ends.
struct farewell {
  any_lock* lock = nullptr;
  guarded* data = nullptr;

  ~farewell() {
    if (lock == nullptr) return;
    visit_alone(*lock, *data);
  }
};

void used_when_a_thread_ends(const maker& make) {
  const lock_ptr lock = make();
  guarded data;
  contest(2, [&](unsigned) {
    elsewhere([&] {
      thread_local farewell at_the_end;
      at_the_end.lock = lock.get();
      at_the_end.data = &data;  // the thread's first use of the lock is in this object's destructor
    });
    elsewhere([&] {
      thread_local farewell after_use;
      after_use.lock = lock.get();
      after_use.data = &data;
      visit_alone(*lock, data);
    });
  });
  EXPECT_TRUE(data.intact());
}

/// Locks after the library has taken leave of the thread: in the last round of the system's own thread-exit calls.
struct late_farewell {
  static inline any_lock* lock = nullptr;
  static inline guarded* data = nullptr;
  static inline thread_local int calls = 0;

  static void call(void* p) {
    if (++calls < 3) {
      hardware::at_thread_exit<call>(p);
      return;
    }
    visit_alone(*lock, *data);
  }
};

void used_after_the_thread_s_own_objects_are_gone(const maker& make) {
  const lock_ptr lock = make();
  guarded data;
  late_farewell::lock = lock.get();
  late_farewell::data = &data;
  contest(2, [&](unsigned) {
    elsewhere([&] {
      int anything = 0;
      hardware::at_thread_exit<late_farewell::call>(&anything);
      visit_alone(*lock, data);
    });
  });
  EXPECT_TRUE(data.intact());
  EXPECT_EQ(data.visits() % 2, 0);
}

/// Made on the counting machine.
void short_lived_threads_need_no_new_memory(const maker& make) {
  std::array<lock_ptr, 7> locks;
  for (lock_ptr& lock : locks) lock = make();
  const auto lock_all = [&] {
    for (auto& lock : locks) lock->lock();
    for (auto& lock : locks) lock->unlock();
  };
  elsewhere(lock_all);
  const std::size_t made_by_the_first = counting::made;
  for (int thread = 0; thread != 300; ++thread) elsewhere(lock_all);
  EXPECT_EQ(counting::made, made_by_the_first);
}

/// Made on the counting machine.
void nodes_flow_back_between_threads(const maker& make) {
  const lock_ptr lock = make();
  const std::size_t made_before = counting::made;
  one_locks_and_another_unlocks(*lock, 400, [] {});
  EXPECT_LE(counting::made - made_before, 200U);
}

// Trying.

void try_lock_succeeds_only_when_free(const maker& make) {
  const lock_ptr lock = make();
  for (int round = 0; round != 100; ++round) {
    ASSERT_TRUE(lock->try_lock());
    if (round % 10 == 0) elsewhere([&] { EXPECT_FALSE(lock->try_lock()); });
    EXPECT_FALSE(lock->try_lock());
    lock->unlock();
    lock->lock();
    EXPECT_FALSE(lock->try_lock());
    lock->unlock();
  }
}

void try_lock_excludes(const maker& make) {
  const lock_ptr lock = make();
  guarded data;
  contest(3, [&](unsigned i) {
    if (i == 0)
      lock->lock();
    else if (!lock->try_lock())
      return;
    data.visit();
    lock->unlock();
  });
  EXPECT_TRUE(data.intact());
  EXPECT_TRUE(lock->try_lock());
  lock->unlock();
}

void own_nodes_try(const maker& make) {
  const lock_ptr lock = make();
  guarded data;
  contest(3, [&](unsigned i) {
    thread_local const std::unique_ptr<any_node> mine = lock->new_node();
    if (i == 0)
      mine->lock();
    else if (!mine->try_lock())
      return;
    data.visit();
    EXPECT_FALSE(lock->try_lock());
    mine->unlock();
  });
  EXPECT_TRUE(data.intact());
}

// Deadlines.

void a_deadline_passes(const maker& make) {
  const lock_ptr lock = make();
  lock->lock();
  elsewhere([&] {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(lock->try_lock_for(2ms));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 2ms);
    EXPECT_FALSE(lock->try_lock_for(0ns));
    EXPECT_FALSE(lock->try_lock_for(-1h));
    EXPECT_FALSE(lock->try_lock_until(std::chrono::system_clock::now() + 1ms));
  });
  lock->unlock();
  EXPECT_TRUE(lock->try_lock());
  lock->unlock();
  EXPECT_TRUE(lock->try_lock_for(0ns));
  lock->unlock();
  EXPECT_TRUE(lock->try_lock_for(std::chrono::hours::max()));
  lock->unlock();
  EXPECT_TRUE(lock->try_lock_until(std::chrono::steady_clock::now() - 1h));
  lock->unlock();
}

/// Made on the watched machine.
void a_waiter_with_a_deadline_gets_the_lock(const maker& make) {
  const lock_ptr lock = make();
  lock->lock();
  std::atomic<bool> waits{false};
  std::thread waiter{[&] {
    watched::told_when_waiting = &waits;
    EXPECT_TRUE(lock->try_lock_for(1h));
    lock->unlock();
  }};
  while (!waits) std::this_thread::yield();
  lock->unlock();
  waiter.join();
  EXPECT_TRUE(lock->try_lock());
  lock->unlock();
}

/// Made on the watched machine. So many have given up that others wait outside of the queue, asleep where the lock sleeps.
void waiters_get_the_lock_beside_many_who_gave_up(const maker& make) {
  const lock_ptr lock = make();
  for (int round = 0; round != 3; ++round) {
    lock->lock();
    for (int i = 0; i != 50; ++i) EXPECT_FALSE(lock->try_lock_for(0s));
    std::array<std::atomic<bool>, 3> waits{};
    std::vector<std::thread> waiters;
    for (auto& mine : waits)
      waiters.emplace_back([&] {
        watched::told_when_waiting = &mine;
        EXPECT_TRUE(lock->try_lock_for(1h));
        lock->unlock();
      });
    for (auto& one : waits)
      while (!one) std::this_thread::yield();
    lock->unlock();
    for (std::thread& one : waiters) one.join();
  }
}

/// Waiters give up at the front, in the middle and at the end of the queue, while others stay.
void those_who_give_up_break_no_queue(const maker& make, unsigned threads) {
  const lock_ptr lock = make();
  guarded data;
  std::vector<unsigned> turns(threads);
  const auto turn = [&](unsigned i) {
    const unsigned n = turns[i]++;
    if (n % 3 == i % 3)
      lock->lock();
    else if (n % 7 == 0 ? !lock->try_lock() : !lock->try_lock_for((n * 7 + i) % 40 * 1us))
      return;
    data.visit();
    if (n % 8 == 0) std::this_thread::yield();
    lock->unlock();
  };
  contest(threads, turn, 60ms);
  EXPECT_TRUE(data.intact());
  EXPECT_TRUE(lock->try_lock());
  lock->unlock();
}

/// Made on the counting machine.
void those_who_give_up_leave_no_memory_behind(const maker& make) {
  const lock_ptr lock = make();
  const std::size_t made_before = counting::made;
  lock->lock();
  constexpr unsigned threads = 3;
  std::atomic<long> given_up{0};
  contest(threads, [&](unsigned i) {
    for (int n = 0; n != 500; ++n)
      if (!lock->try_lock_for(i * 3us)) given_up.fetch_add(1, std::memory_order_relaxed);
  });
  // Each thread may keep a handful of batches of nodes for itself; what must not be is a node for each attempt.
  EXPECT_GE(given_up, 1500);
  EXPECT_LE(counting::made - made_before, 300U) << given_up << " waiters gave up";
  lock->unlock();
  EXPECT_TRUE(lock->try_lock());
  lock->unlock();
}

// Order.

/// Made on the watched machine. Threads join the queue one by one, each known to wait before the next one comes.
void served_in_order_of_arrival(const lock_ptr& lock) {
  constexpr unsigned waiters = 6;
  std::vector<unsigned> served;
  std::vector<std::thread> queue;
  std::array<std::atomic<bool>, waiters> waits{};
  lock->lock();
  for (unsigned i = 0; i != waiters; ++i) {
    queue.emplace_back([&, i] {
      watched::told_when_waiting = &waits[i];
      lock->lock();
      watched::told_when_waiting = nullptr;
      served.push_back(i);
      lock->unlock();
    });
    while (!waits[i]) std::this_thread::yield();
  }
  lock->unlock();
  for (std::thread& waiter : queue) waiter.join();
  ASSERT_EQ(served.size(), waiters);
  EXPECT_TRUE(std::is_sorted(served.begin(), served.end()));
}

// Numbers that wrap.

void counts_past_the_wrap(const lock_kind& kind) {
  const lock_ptr alone = kind.before_wrap(50);
  for (int i = 0; i != 100; ++i) {
    alone->lock();
    if (kind.tries) {
      EXPECT_FALSE(alone->try_lock());
      alone->unlock();
      ASSERT_TRUE(alone->try_lock());
    }
    if (kind.timed) {
      EXPECT_FALSE(alone->try_lock_for(0ns));
      alone->unlock();
      ASSERT_TRUE(alone->try_lock_for(0ns));
    }
    alone->unlock();
  }
  const lock_ptr lock = kind.before_wrap(100);
  guarded data;
  contest(5, [&](unsigned) { visit_alone(*lock, data); });
  while (data.visits() < 200) {
    visit_alone(*lock, data);
  }
  EXPECT_TRUE(data.intact());
}

// The list.

void add_plain(const suite& tests, const lock_kind& kind) {
  const maker& make = kind.on_hardware;
  tests.add("excludes", [=] { excludes(make); });
  tests.add("excludes_with_more_threads_than_processors", [=] { excludes_with_more_threads_than_processors(make); });
  tests.add("several_held_and_released_in_any_order", [=] { several_held_and_released_in_any_order(make); });
  tests.add("works_with_unique_lock", [=] { works_with_unique_lock(make); });
  tests.add("works_with_condition_variable_any", [=] { works_with_condition_variable_any(make); });
  tests.add("unlocked_by_another_thread", [=] { unlocked_by_another_thread(make); });
  tests.add("used_when_a_thread_ends", [=] { used_when_a_thread_ends(make); });
  tests.add("used_after_the_thread_s_own_objects_are_gone",
            [=] { used_after_the_thread_s_own_objects_are_gone(make); });
  if (kind.own_nodes)
    tests.add("own_nodes_and_lock_s_nodes_queue_together", [=] { own_nodes_and_lock_s_nodes_queue_together(make); });
  if (kind.before_wrap) tests.add("counts_past_the_wrap", [=] { counts_past_the_wrap(kind); });
}

void add_trying(const suite& tests, const lock_kind& kind) {
  const maker& make = kind.on_hardware;
  if (kind.tries) {
    tests.add("try_lock_succeeds_only_when_free", [=] { try_lock_succeeds_only_when_free(make); });
    tests.add("try_lock_excludes", [=] { try_lock_excludes(make); });
    tests.add("works_with_scoped_lock", [=] { works_with_scoped_lock(make); });
    if (kind.own_nodes_try) tests.add("own_nodes_try", [=] { own_nodes_try(make); });
  }
  if (kind.timed) {
    tests.add("a_deadline_passes", [=] { a_deadline_passes(make); });
    tests.add("those_who_give_up_break_no_queue", [=] { those_who_give_up_break_no_queue(make, 3); });
    tests.add("those_who_give_up_break_no_queue_oversubscribed",
              [=] { those_who_give_up_break_no_queue(make, 2 * processors() + 3); });
  }
}

void add_counted(const suite& tests, const lock_kind& kind) {
  const maker& make = kind.on_counting;
  tests.add("short_lived_threads_need_no_new_memory", [=] { short_lived_threads_need_no_new_memory(make); });
  tests.add("nodes_flow_back_between_threads", [=] { nodes_flow_back_between_threads(make); });
  if (kind.timed)
    tests.add("those_who_give_up_leave_no_memory_behind", [=] { those_who_give_up_leave_no_memory_behind(make); });
}

void add_watched(const suite& tests, const lock_kind& kind) {
  const maker& make = kind.on_watched;
  if (kind.timed) {
    tests.add("a_waiter_with_a_deadline_gets_the_lock", [=] { a_waiter_with_a_deadline_gets_the_lock(make); });
    tests.add("waiters_get_the_lock_beside_many_who_gave_up",
              [=] { waiters_get_the_lock_beside_many_who_gave_up(make); });
  }
  if (!kind.first_come) return;
  tests.add("served_in_order_of_arrival", [=] { served_in_order_of_arrival(make()); });
  if (kind.before_wrap_on_watched)
    tests.add("served_in_order_past_the_wrap",
              [make_before_wrap = kind.before_wrap_on_watched] { served_in_order_of_arrival(make_before_wrap(3)); });
}

}  // namespace

void add_behaviour(const lock_kind& kind) {
  const suite tests{kind.name};
  add_plain(tests, kind);
  add_trying(tests, kind);
  add_counted(tests, kind);
  add_watched(tests, kind);
}

[[maybe_unused]] static const bool locks_added = (add_locks(), true);

}  // namespace synchro::tests
