// What the C++ standard library makes of the C library's functions: a program that knows of no other.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "check.hpp"

namespace {

using namespace std::chrono_literals;

void timed_mutexes() {
  std::timed_mutex m;
  std::recursive_timed_mutex r;
  EQUAL(m.try_lock_for(10min), true);
  EQUAL(r.try_lock_until(std::chrono::system_clock::now() + 10min), true);
  EQUAL(r.try_lock(), true);
  std::thread{[&] {
    EQUAL(m.try_lock_for(2ms), false);
    EQUAL(m.try_lock_until(std::chrono::system_clock::now() + 2ms), false);
    EQUAL(r.try_lock_for(2ms), false);
  }}.join();
  std::thread late{[&] {
    EQUAL(m.try_lock_for(10min), true);
    m.unlock();
  }};
  m.unlock();
  late.join();
  r.unlock(), r.unlock();
}

void shared_mutexes() {
  std::shared_timed_mutex m;
  std::shared_mutex plain;
  long value = 0;
  std::vector<std::thread> team;
  for (int i = 0; i < 4; ++i)
    team.emplace_back([&, i] {
      for (int n = 0; n < 50; ++n)
        if (i % 2 == 0) {
          const std::unique_lock one{m};
          const std::unique_lock two{plain};
          ++value;
        } else {
          const std::shared_lock one{m};
          const std::shared_lock two{plain};
          EQUAL(value <= 100, true);
        }
    });
  for (auto& t : team) t.join();
  EQUAL(value, 100);
  m.lock();
  std::thread{[&] { EQUAL(m.try_lock_shared_for(2ms), false); }}.join();
  m.unlock();
  m.lock_shared();
  std::thread{[&] { EQUAL(m.try_lock_for(2ms), false); }}.join();
  m.unlock_shared();
}

void conditions() {
  std::mutex m;
  std::condition_variable c;
  std::condition_variable_any any;
  int ready = 0;
  std::unique_lock lock{m};
  EQUAL(c.wait_for(lock, 2ms, [&] { return ready != 0; }), false);
  EQUAL(any.wait_for(lock, 2ms, [&] { return ready != 0; }), false);
  std::vector<std::thread> team;
  std::atomic<int> passed{0};
  for (int i = 0; i < 8; ++i)
    team.emplace_back([&] {
      std::unique_lock mine{m};
      EQUAL(c.wait_for(mine, 10min, [&] { return ready >= 1; }), true);
      any.wait(mine, [&] { return ready == 2; });
      ++passed;
    });
  ready = 1;
  lock.unlock();
  c.notify_all();
  lock.lock();
  ready = 2;
  lock.unlock();
  any.notify_all();
  for (auto& t : team) t.join();
  EQUAL(passed, 8);
}

void once_and_destructors() {
  static std::once_flag flag;
  static std::atomic<int> calls{0};
  struct at_exit {
    std::mutex* m;
    ~at_exit() {
      if (m != nullptr) const std::lock_guard hold{*m};
    }
  };
  static std::mutex of_all;
  static thread_local at_exit last{nullptr};
  std::vector<std::thread> team;
  for (int i = 0; i < 4; ++i)
    team.emplace_back([&] {
      last.m = &of_all;
      std::call_once(flag, [] { ++calls; });
    });
  for (auto& t : team) t.join();
  EQUAL(calls, 1);
}

}  // namespace

int main() {
  timed_mutexes();
  shared_mutexes();
  conditions();
  once_and_destructors();
}
