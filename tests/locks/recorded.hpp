// What every lock of the catalog asks of its machine, seen on the recorder in one thread.

#ifndef SYNCHRO_TESTS_LOCKS_RECORDED_HPP
#define SYNCHRO_TESTS_LOCKS_RECORDED_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "catalog/lock_line.hpp"
#include "library/recorder.hpp"
#include "locks/behaviour.hpp"
#include "synchro/traits.hpp"

namespace synchro::tests {

inline bool acquires(const access& a) {
  const bool reads = a.what == operation::load || a.what == operation::read_modify_write;
  return reads && (a.how == memory_order::acquire || a.how == memory_order::acq_rel);
}
inline bool releases(const access& a) {
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

template <class Lock>
void lock_acquires_and_unlock_releases() {
  const recorded_run run;
  Lock lock = make_lock<Lock>(recorder::here());
  for (int round = 0; round != 3; ++round) {
    EXPECT_TRUE(any_access([&] { lock.lock(); }, acquires));
    EXPECT_TRUE(any_access([&] { lock.unlock(); }, releases));
  }
  if constexpr (try_lockable<Lock>) {
    EXPECT_TRUE(any_access([&] { EXPECT_TRUE(lock.try_lock()); }, acquires));
    EXPECT_TRUE(any_access([&] { lock.unlock(); }, releases));
  }
  if constexpr (timed_lockable<Lock>) {
    EXPECT_TRUE(any_access([&] { EXPECT_TRUE(lock.try_lock_for(1s)); }, acquires));
    EXPECT_TRUE(any_access([&] { lock.unlock(); }, releases));
  }
  if constexpr (node_lockable<Lock>) {
    typename Lock::node mine;
    EXPECT_TRUE(any_access([&] { lock.lock(mine); }, acquires));
    EXPECT_TRUE(any_access([&] { lock.unlock(mine); }, releases));
  }
  if constexpr (shared_lockable<Lock>) {
    EXPECT_TRUE(any_access([&] { lock.lock_shared(); }, acquires));
    EXPECT_TRUE(any_access([&] { lock.unlock_shared(); }, releases));
  }
}

template <class Lock>
void every_order_stands_in_the_library() {
  const recorded_run run;
  Lock lock = make_lock<Lock>(recorder::here());
  recorder::forget();
  lock.lock();
  lock.unlock();
  EXPECT_FALSE(recorder::accesses().empty());
  for (const access& a : recorder::accesses())
    if (a.what == operation::load || a.what == operation::store || a.what == operation::read_modify_write) {
      EXPECT_NE(std::string_view{a.file}.find("synchro/"), std::string_view::npos) << a.file << ':' << a.line;
    }
}

template <class Lock>
void tries_and_deadlines_fail_while_held() {
  const recorded_run run;
  Lock lock = make_lock<Lock>(recorder::here());
  for (int round = 0; round != 3; ++round) {
    lock.lock();
    if constexpr (try_lockable<Lock>) {
      EXPECT_FALSE(lock.try_lock());
    }
    if constexpr (timed_lockable<Lock>) {
      const auto deadline = recorder::clock::now() + 1h;
      EXPECT_FALSE(lock.try_lock_until(deadline));
      EXPECT_GE(recorder::clock::now(), deadline);
      EXPECT_FALSE(lock.try_lock_for(0s));
    }
    lock.unlock();
    if constexpr (try_lockable<Lock>) {
      EXPECT_TRUE(lock.try_lock());
      lock.unlock();
    }
  }
}

template <class Lock>
void several_held_released_out_of_order() {
  const recorded_run run;
  std::array<std::unique_ptr<Lock>, 5> locks;
  for (auto& lock : locks) lock = std::unique_ptr<Lock>{new Lock(make_lock<Lock>(recorder::here()))};
  for (int round = 0; round != 3; ++round) {
    for (auto& lock : locks) lock->lock();
    for (const std::size_t i : {3U, 0U, 4U, 1U, 2U}) locks[i]->unlock();
  }
  if constexpr (try_lockable<Lock>) {
    for (auto& lock : locks) EXPECT_TRUE(lock->try_lock());
  }
}

/// From every domain the machine has, and released in another.
template <class Lock>
void the_domain_may_change_while_held() {
  const recorded_run run;
  Lock lock = make_lock<Lock>(recorder::here());
  for (unsigned round = 0; round != 8; ++round) {
    recorder::in_domain = round % 2;
    lock.lock();
    recorder::in_domain = round / 2 % 2;
    lock.unlock();
  }
  EXPECT_TRUE(any_access([&] { lock.lock(); }, acquires));
  lock.unlock();
}

template <class Line>
bool add_recorded() {
  Line::each([](const auto& variant) {
    using lock = typename std::decay_t<decltype(variant)>::template lock<recorder>;
    const suite tests{"recorded/" + variant.name};
    tests.add("lock_acquires_and_unlock_releases", lock_acquires_and_unlock_releases<lock>);
    tests.add("every_order_stands_in_the_library", every_order_stands_in_the_library<lock>);
    tests.add("tries_and_deadlines_fail_while_held", tries_and_deadlines_fail_while_held<lock>);
    tests.add("several_held_released_out_of_order", several_held_released_out_of_order<lock>);
    tests.add("the_domain_may_change_while_held", the_domain_may_change_while_held<lock>);
  });
  return true;
}

}  // namespace synchro::tests

#endif
