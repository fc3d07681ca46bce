#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string_view>

#include "library/recorder.hpp"
#include "locks/behaviour.hpp"
#include "locks/suite.hpp"

namespace synchro::tests {

namespace {

using namespace std::chrono_literals;

bool acquires(const access& a) {
  const bool reads = a.what == operation::load || a.what == operation::read_modify_write;
  return reads && (a.how == memory_order::acquire || a.how == memory_order::acq_rel);
}
bool releases(const access& a) {
  const bool writes = a.what == operation::store || a.what == operation::read_modify_write;
  return writes && (a.how == memory_order::release || a.how == memory_order::acq_rel);
}

/// Runs body() and says whether any access of it has the property.
template <class Body>
bool any_access(Body body, bool (*has_property)(const access&)) {
  recorder::forget();
  body();
  const auto& all = recorder::accesses();
  return std::any_of(all.begin(), all.end(), has_property);
}

/// The world of one test: nothing is left in it from before, and afterwards the one thread has ended.
class recorded_run {
 public:
  recorded_run() { recorder::reset(); }
  ~recorded_run() {
    recorder::end_thread();
    recorder::reset();
  }
  recorded_run(const recorded_run&) = delete;
  recorded_run& operator=(const recorded_run&) = delete;
};

void lock_acquires_and_unlock_releases(const lock_kind& kind) {
  const recorded_run run;
  const lock_ptr lock = kind.on_recorder();
  for (int round = 0; round != 3; ++round) {
    EXPECT_TRUE(any_access([&] { lock->lock(); }, acquires));
    EXPECT_TRUE(any_access([&] { lock->unlock(); }, releases));
  }
  if (kind.tries) {
    EXPECT_TRUE(any_access([&] { EXPECT_TRUE(lock->try_lock()); }, acquires));
    EXPECT_TRUE(any_access([&] { lock->unlock(); }, releases));
  }
  if (kind.timed) {
    EXPECT_TRUE(any_access([&] { EXPECT_TRUE(lock->try_lock_for(1s)); }, acquires));
    EXPECT_TRUE(any_access([&] { lock->unlock(); }, releases));
  }
  if (kind.own_nodes) {
    const std::unique_ptr<any_node> mine = lock->new_node();
    EXPECT_TRUE(any_access([&] { mine->lock(); }, acquires));
    EXPECT_TRUE(any_access([&] { mine->unlock(); }, releases));
  }
  if (kind.shared) {
    EXPECT_TRUE(any_access([&] { lock->lock_shared(); }, acquires));
    EXPECT_TRUE(any_access([&] { lock->unlock_shared(); }, releases));
  }
}

void every_order_stands_in_the_library(const lock_kind& kind) {
  const recorded_run run;
  const lock_ptr lock = kind.on_recorder();
  recorder::forget();
  lock->lock();
  lock->unlock();
  EXPECT_FALSE(recorder::accesses().empty());
  for (const access& a : recorder::accesses())
    if (a.what == operation::load || a.what == operation::store || a.what == operation::read_modify_write) {
      EXPECT_NE(std::string_view{a.file}.find("synchro/"), std::string_view::npos) << a.file << ':' << a.line;
    }
}

void tries_and_deadlines_fail_while_held(const lock_kind& kind) {
  const recorded_run run;
  const lock_ptr lock = kind.on_recorder();
  for (int round = 0; round != 3; ++round) {
    lock->lock();
    if (kind.tries) {
      EXPECT_FALSE(lock->try_lock());
    }
    if (kind.timed) {
      const auto deadline = recorder::clock::now() + 1h;
      EXPECT_FALSE(lock->try_lock_until(deadline));
      EXPECT_GE(recorder::clock::now(), deadline);
      EXPECT_FALSE(lock->try_lock_for(0s));
    }
    lock->unlock();
    if (kind.tries) {
      EXPECT_TRUE(lock->try_lock());
      lock->unlock();
    }
  }
}

void several_held_released_out_of_order(const lock_kind& kind) {
  const recorded_run run;
  std::array<lock_ptr, 5> locks;
  for (lock_ptr& lock : locks) lock = kind.on_recorder();
  for (int round = 0; round != 3; ++round) {
    for (auto& lock : locks) lock->lock();
    for (const std::size_t i : {3U, 0U, 4U, 1U, 2U}) locks[i]->unlock();
  }
  if (kind.tries) {
    for (auto& lock : locks) EXPECT_TRUE(lock->try_lock());
  }
}

/// From every domain the machine has, and released in another.
void the_domain_may_change_while_held(const lock_kind& kind) {
  const recorded_run run;
  const lock_ptr lock = kind.on_recorder();
  for (unsigned round = 0; round != 8; ++round) {
    recorder::in_domain = round % 2;
    lock->lock();
    recorder::in_domain = round / 2 % 2;
    lock->unlock();
  }
  EXPECT_TRUE(any_access([&] { lock->lock(); }, acquires));
  lock->unlock();
}

/// Also beside the nodes of many who gave up.
void a_waiter_with_a_deadline_sleeps(const lock_kind& kind) {
  if (!kind.sleeps || !kind.timed) return;
  const recorded_run run;
  const lock_ptr lock = kind.on_recorder();
  lock->lock();
  const auto parks = [](const access& a) { return a.what == operation::park; };
  for (int round = 0; round != 100; ++round)
    EXPECT_TRUE(any_access([&] { EXPECT_FALSE(lock->try_lock_for(1h)); }, parks)) << "round " << round;
  lock->unlock();
  EXPECT_TRUE(lock->try_lock_for(1h));
  lock->unlock();
}

}  // namespace

void add_recorded(const lock_kind& kind) {
  const suite tests{"recorded/" + kind.name};
  tests.add("lock_acquires_and_unlock_releases", [=] { lock_acquires_and_unlock_releases(kind); });
  tests.add("every_order_stands_in_the_library", [=] { every_order_stands_in_the_library(kind); });
  tests.add("tries_and_deadlines_fail_while_held", [=] { tries_and_deadlines_fail_while_held(kind); });
  tests.add("several_held_released_out_of_order", [=] { several_held_released_out_of_order(kind); });
  tests.add("a_waiter_with_a_deadline_sleeps", [=] { a_waiter_with_a_deadline_sleeps(kind); });
  tests.add("the_domain_may_change_while_held", [=] { the_domain_may_change_while_held(kind); });
}

}  // namespace synchro::tests
