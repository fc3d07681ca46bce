#include "synchro/sync/condition_variable.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/shared_mutex.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

static_assert(sizeof(condition_variable) == sizeof(void*));
[[maybe_unused]] constinit condition_variable made_by_the_compiler;

TEST(condition_variable, times_out_when_nobody_notifies) {
  mutex m;
  condition_variable c;
  std::unique_lock guard{m};
  EXPECT_EQ(c.wait_for(guard, 1ms), cv_status::timeout);
  EXPECT_EQ(c.wait_until(guard, std::chrono::system_clock::now() - 1h), cv_status::timeout);
  EXPECT_FALSE(c.wait_for(guard, 1ms, [] { return false; }));
  EXPECT_TRUE(c.wait_for(guard, 0ms, [] { return true; }));
  EXPECT_TRUE(guard.owns_lock());
  EXPECT_FALSE(m.try_lock()) << "a wait returns without the lock";
}

TEST(condition_variable, a_timeout_leaves_the_queue_in_order) {
  mutex m;
  condition_variable c;
  std::atomic<int> notified{0};
  const auto waits = [&] {
    std::unique_lock guard{m};
    c.wait(guard);
    ++notified;
  };
  // Whoever waits is in the queue when the lock is free again.
  std::thread first{waits};
  {
    std::unique_lock guard{m};
    c.wait_for(guard, 1ms);
  }
  std::thread last{waits};
  while (notified.load() != 2) {
    c.notify_one();
    std::this_thread::yield();
  }
  first.join();
  last.join();
  SUCCEED() << "a notification that goes to who has left would hang";
}

/// The oldest goes first, and nobody who stands behind it is lost with it.
TEST(condition_variable, notifies_three_in_the_order_in_which_they_came) {
  constexpr int many = 3;
  mutex m;
  condition_variable c;
  int came = 0;
  std::vector<int> went;
  std::vector<std::thread> team;
  const auto reaches = [&m](const auto& count, int wanted) {
    for (bool there = false; !there; std::this_thread::yield()) {
      const std::scoped_lock guard{m};
      there = count() == wanted;
    }
  };
  for (int i = 0; i != many; ++i) {
    team.emplace_back([&, i] {
      std::unique_lock guard{m};
      ++came;
      c.wait(guard);
      went.push_back(i);
    });
    reaches([&] { return came; }, i + 1);
  }
  for (int i = 0; i != many; ++i) {
    c.notify_one();
    reaches([&] { return static_cast<int>(went.size()); }, i + 1);
    const std::scoped_lock guard{m};
    EXPECT_EQ(went.back(), i);
  }
  for (auto& each : team) each.join();
}

template <class Lock, class Guard = std::unique_lock<Lock>>
void pass_a_flag() {
  Lock m;
  condition_variable_any c;
  bool ready = false;
  std::thread waiter{[&] {
    Guard guard{m};
    c.wait(guard, [&] { return ready; });
    EXPECT_TRUE(ready);
  }};
  {
    const std::scoped_lock guard{m};
    ready = true;
  }
  c.notify_all();
  waiter.join();
}

TEST(condition_variable, works_with_any_lock) {
  pass_a_flag<mutex>();
  pass_a_flag<mcs_park_lock>();
  pass_a_flag<std::mutex>();
  pass_a_flag<std::recursive_mutex>();
  pass_a_flag<shared_mutex, std::shared_lock<shared_mutex>>();
}

TEST(condition_variable, works_with_the_lock_itself) {
  mutex m;
  condition_variable c;
  m.lock();
  EXPECT_EQ(c.wait_for(m, 1ms), cv_status::timeout);
  EXPECT_FALSE(m.try_lock());
  m.unlock();
}

TEST(condition_variable, notify_all_wakes_all_who_wait) {
  constexpr int many = 8;
  mutex m;
  condition_variable c;
  int waiting = 0;
  int woken = 0;
  std::vector<std::thread> team;
  for (int i = 0; i != many; ++i)
    team.emplace_back([&] {
      std::unique_lock guard{m};
      ++waiting;
      c.wait(guard);  // one notification is enough: no predicate
      ++woken;
    });
  for (bool all = false; !all; std::this_thread::yield()) {
    const std::scoped_lock guard{m};
    all = waiting == many;
  }
  c.notify_all();
  for (auto& each : team) each.join();
  EXPECT_EQ(woken, many);
}

TEST(condition_variable, may_go_as_soon_as_all_are_notified) {
  for (int i = 0; i != 200; ++i) {
    mutex m;
    auto c = std::make_unique<condition_variable>();
    bool waiting = false;
    std::thread waiter{[&, on = c.get()] {
      std::unique_lock guard{m};
      waiting = true;
      on->wait(guard);
    }};
    for (bool there = false; !there; std::this_thread::yield()) {
      const std::scoped_lock guard{m};
      there = waiting;
    }
    c->notify_all();
    c.reset();
    waiter.join();
  }
  SUCCEED() << "AddressSanitizer sees who looks at it after it has gone";
}

/// A bounded queue between producers and consumers, some of whom have no patience.
template <class Lock>
class channel {
 public:
  void send(int v) {
    std::unique_lock guard{lock_};
    room_.wait(guard, [this] { return items_.size() < most; });
    items_.push_back(v);
    guard.unlock();
    filled_.notify_one();
  }
  int receive(bool impatient) {
    std::unique_lock guard{lock_};
    const auto there = [this] { return !items_.empty(); };
    if (impatient)
      while (!filled_.wait_for(guard, 20us, there)) {
      }
    else
      filled_.wait(guard, there);
    const int v = items_.front();
    items_.pop_front();
    guard.unlock();
    room_.notify_one();
    return v;
  }

 private:
  static constexpr std::size_t most = 3;
  Lock lock_;
  condition_variable room_;
  condition_variable filled_;
  std::deque<int> items_;
};

template <class Lock>
void exchange_all() {
  constexpr int pairs = 3;
  constexpr int each_sends = 800;
  channel<Lock> c;
  std::atomic<long> sum{0};
  std::vector<std::thread> team;
  for (int p = 0; p != pairs; ++p) {
    team.emplace_back([&] {
      for (int i = 1; i <= each_sends; ++i) c.send(i);
    });
    team.emplace_back([&, p] {
      long mine = 0;
      for (int i = 0; i != each_sends; ++i) mine += c.receive(p % 2 == 1);
      sum += mine;
    });
  }
  for (auto& each : team) each.join();
  EXPECT_EQ(sum.load(), long{pairs} * each_sends * (each_sends + 1) / 2);
}

TEST(condition_variable, loses_nothing_between_producers_and_consumers) {
  exchange_all<mutex>();
  exchange_all<mcs_park_lock>();
}

/// Rounds of all: whoever comes last wakes the others.
TEST(condition_variable, loses_nobody_in_rounds) {
  constexpr int many = 5;
  constexpr int rounds = 500;
  mutex m;
  condition_variable c;
  int came = 0;
  int round = 0;
  std::vector<std::thread> team;
  for (int t = 0; t != many; ++t)
    team.emplace_back([&] {
      for (int i = 0; i != rounds; ++i) {
        std::unique_lock guard{m};
        if (++came == many) {
          came = 0;
          ++round;
          c.notify_all();
        } else {
          c.wait(guard, [&] { return round > i; });
        }
      }
    });
  for (auto& each : team) each.join();
  EXPECT_EQ(round, rounds);
}

}  // namespace
}  // namespace synchro
