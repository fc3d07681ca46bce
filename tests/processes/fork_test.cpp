// What a child has of the library whose parent was forked while its threads were at work.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "synchro/detail/node_pool.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/hierarchical/hmcs.hpp"
#include "synchro/locks/mcs.hpp"

#if defined(__SANITIZE_THREAD__)
#define SYNCHRO_TESTS_SKIP GTEST_SKIP() << "ThreadSanitizer does not follow a fork"
#else
#define SYNCHRO_TESTS_SKIP static_cast<void>(0)
#endif

namespace synchro::tests {
namespace {

/// Runs body() in a child; whether it ended by itself. A child that hangs is ended by its alarm.
template <class Body>
bool ends_in_a_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    body();
    _exit(0);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Stops a thread in the middle of the depot: after it has taken the depot's lock.
struct halting : hardware {
  static inline std::atomic<int> stage{0};  // 0: nobody halts; 1: the next one does; 2: it has; 3: it goes on

  template <class T, class Accept>
  static T exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o) {
    const T old = hardware::exchange_until(word, value, accept, o);
    int next = 1;
    if (stage.compare_exchange_strong(next, 2)) {
      stage.notify_all();
      stage.wait(2);
    }
    return old;
  }
};

struct node {
  halting::plain<node*> pool_next{nullptr};
  halting::plain<node*> pool_batch{nullptr};
};
using pool = node_pool<halting, node>;

/// Takes and gives back more than a thread keeps.
template <class Pool>
void through_the_depot() {
  std::vector<decltype(Pool::take())> taken;
  for (int i = 0; i != 200; ++i) taken.push_back(Pool::take());
  for (auto* const one : taken) Pool::give(one);
}

TEST(forked, while_another_thread_was_in_the_depot) {
  through_the_depot<pool>();
  halting::stage = 1;
  std::thread halted{through_the_depot<pool>};
  halting::stage.wait(1);
  EXPECT_TRUE(ends_in_a_child(through_the_depot<pool>));
  halting::stage = 3;
  halting::stage.notify_all();
  halted.join();
  through_the_depot<pool>();
}

TEST(forked, slots_are_those_of_the_threads_alive) {
  SYNCHRO_TESTS_SKIP;
  std::atomic<int> ready{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> others;
  for (int i = 0; i != 5; ++i)
    others.emplace_back([&] {
      hardware::slot();
      ++ready;
      done.wait(false);
    });
  while (ready != 5) std::this_thread::yield();
  const unsigned mine = hardware::slot();
  EXPECT_TRUE(ends_in_a_child([mine] {
    if (hardware::slot() != mine) _exit(1);
    std::thread{[mine] {
      const unsigned other = hardware::slot();
      if (other == mine || other > 1) _exit(2);
    }}.join();
  }));
  done = true;
  done.notify_all();
  for (auto& one : others) one.join();
}

template <class Lock>
void many_locks() {
  static constexpr int many = 100;
  std::vector<Lock> locks(many);
  for (auto& lock : locks) lock.lock();
  for (auto& lock : locks) lock.unlock();
}

void all_kinds_of_locks() {
  many_locks<mcs_lock>();
  many_locks<clh_lock>();
  many_locks<hmcs_lock>();
}

TEST(forked, from_several_threads_that_all_use_locks) {
  SYNCHRO_TESTS_SKIP;
  constexpr int forks = 100;
  std::atomic<int> forking{4};
  std::atomic<int> ended{0};
  std::vector<std::thread> team;
  for (int i = 0; i != 4; ++i) {
    team.emplace_back([&] {
      for (int n = 0; n != forks; ++n) ended += ends_in_a_child(all_kinds_of_locks) ? 1 : 0;
      --forking;
    });
    team.emplace_back([&] {
      while (forking != 0) all_kinds_of_locks();
    });
  }
  for (auto& one : team) one.join();
  EXPECT_EQ(ended, 4 * forks);
}

/// Pages of this process that are in memory.
long resident_pages() {
  std::ifstream statm{"/proc/self/statm"};
  long size = 0;
  long resident = 0;
  statm >> size >> resident;
  return resident;
}

TEST(forked, ten_thousand_times_from_eight_threads) {
  SYNCHRO_TESTS_SKIP;
  constexpr int threads = 8;
  const auto storm = [](int forks) {
    std::atomic<int> ended{0};
    std::vector<std::thread> team;
    for (int i = 0; i != threads; ++i)
      team.emplace_back([&] {
        for (int n = 0; n != forks / threads; ++n) {
          all_kinds_of_locks();
          ended += ends_in_a_child(all_kinds_of_locks) ? 1 : 0;
        }
      });
    for (auto& one : team) one.join();
    return ended.load();
  };
  ASSERT_EQ(storm(2000), 2000);
  const long before = resident_pages();
  ASSERT_EQ(storm(8000), 8000);
  EXPECT_LT(resident_pages() - before, 1024) << "pages more, of " << before;
}

}  // namespace
}  // namespace synchro::tests
