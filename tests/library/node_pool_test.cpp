// The pool of queue nodes: nodes are never in two hands, never lost, and find their way between threads.

#include "synchro/detail/node_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "library/recorder.hpp"
#include "locks/machines.hpp"
#include "locks/teams.hpp"

namespace synchro::tests {
namespace {

/// A node type, and so a pool, for each test.
template <int Test, class Machine = counting>
struct node {
  typename Machine::template plain<node*> pool_next{nullptr};
  typename Machine::template plain<node*> pool_batch{nullptr};
  std::atomic<bool> taken{false};
};

template <int Test, class Machine = counting>
struct pool : node_pool<Machine, node<Test, Machine>> {
  using base = node_pool<Machine, node<Test, Machine>>;

  static node<Test, Machine>* take() {
    auto* const one = base::take();
    EXPECT_FALSE(one->taken.exchange(true)) << "taken twice";
    return one;
  }
  static void give(node<Test, Machine>* one) {
    EXPECT_TRUE(one->taken.exchange(false)) << "given twice";
    base::give(one);
  }
  /// Takes one that is at hand, and gives the other in its place, in one step or behind it. Null if there is none.
  static node<Test, Machine>* exchange(node<Test, Machine>* other, bool in_one_step) {
    const auto find_other = [&](auto&) {
      EXPECT_TRUE(other->taken.exchange(false)) << "given twice";
      return other;
    };
    const auto done = base::exchange(find_other, [=](const auto&) { return in_one_step; });
    if (done.taken == nullptr) return nullptr;
    EXPECT_FALSE(done.taken->taken.exchange(true)) << "taken twice";
    EXPECT_EQ(done.found, in_one_step ? nullptr : other);
    if (done.found != nullptr) base::give(done.found);
    return done.taken;
  }
};

TEST(node_pool, gives_back_what_it_was_given) {
  auto* const first = pool<1>::take();
  pool<1>::give(first);
  EXPECT_EQ(pool<1>::take(), first);
  pool<1>::give(first);
}

TEST(node_pool, exchanges_what_is_at_hand) {
  using exchanging = pool<8>;
  elsewhere([] {
    auto* one = exchanging::take();
    EXPECT_EQ(exchanging::exchange(one, true), nullptr) << "there is none";
    auto* const other = exchanging::take();
    exchanging::give(other);
    EXPECT_EQ(exchanging::exchange(one, true), other);
    EXPECT_EQ(exchanging::exchange(other, false), one);
    EXPECT_EQ(exchanging::take(), other);
    auto* const third = exchanging::take();  // another than these two
    exchanging::give(third);
    EXPECT_EQ(exchanging::exchange(one, true), third);
    for (auto* const each : {other, third}) exchanging::give(each);
  });
}

TEST(node_pool, many_at_once) {
  std::vector<node<2>*> all;
  const std::size_t before = counting::made;
  for (int round = 0; round != 3; ++round) {
    for (int i = 0; i != 1000; ++i) all.push_back(pool<2>::take());
    for (auto* const one : all) pool<2>::give(one);
    all.clear();
  }
  EXPECT_EQ(counting::made - before, 1000U);
}

TEST(node_pool, an_ended_thread_s_nodes_serve_others) {
  const auto take_and_give_40 = [] {
    std::vector<node<3>*> all;
    for (int i = 0; i != 40; ++i) all.push_back(pool<3>::take());
    for (auto* const one : all) pool<3>::give(one);
  };
  elsewhere(take_and_give_40);
  const std::size_t before = counting::made;
  for (int i = 0; i != 100; ++i) elsewhere(take_and_give_40);
  EXPECT_EQ(counting::made, before);
}

TEST(node_pool, threads_that_only_take_and_threads_that_only_give) {
  const std::size_t before = counting::made;
  std::mutex guard;
  std::vector<node<4>*> between;
  contest(4, [&](unsigned i) {
    if (i % 2 == 0) {
      auto* const one = pool<4>::take();
      const std::lock_guard held{guard};
      between.push_back(one);
    } else {
      node<4>* one = nullptr;
      {
        const std::lock_guard held{guard};
        if (between.size() > 100) {
          one = between.back();
          between.pop_back();
        }
      }
      if (one != nullptr) pool<4>::give(one);
    }
    std::unique_lock held{guard};
    while (i % 2 == 0 && between.size() > 200) {
      held.unlock();
      std::this_thread::yield();
      held.lock();
      if (between.size() > 200) {
        auto* const back = between.back();
        between.pop_back();
        held.unlock();
        pool<4>::give(back);
        held.lock();
      }
    }
  });
  EXPECT_LE(counting::made - before, 210U + 4 * 64) << "those between the threads, and every thread's own stash";
  for (auto* const one : between) pool<4>::give(one);
}

TEST(node_pool, serves_a_thread_that_has_taken_leave) {
  using recorded_pool = pool<5, recorder>;
  recorder::reset();
  auto* const early = recorded_pool::take();
  recorded_pool::give(early);
  recorder::end_thread();
  for (int i = 0; i != 3; ++i) {
    auto* const late = recorded_pool::take();
    auto* const later = recorded_pool::take();
    recorded_pool::give(late);
    recorded_pool::give(later);
  }
  EXPECT_EQ(recorder::objects_alive(), 2U) << "nodes given after the thread took leave must be found again";
  recorder::reset();
}

TEST(node_pool, serves_a_thread_that_has_taken_leave_of_as_many_as_it_may_have) {
  using recorded_pool = pool<6, recorder>;
  recorder::reset();
  std::vector<decltype(recorded_pool::take())> all(65);  // one more than that
  for (auto& each : all) each = recorded_pool::take();
  for (std::size_t i = 1; i != all.size(); ++i) recorded_pool::give(all[i]);
  recorder::end_thread();
  recorded_pool::give(all[0]);
  for (auto& each : all) each = recorded_pool::take();
  EXPECT_EQ(recorder::objects_alive(), all.size())
      << "nodes given before or after the thread took leave must be found again";
  recorder::reset();
}

/// Counts what the system is asked for.
struct asking : hardware {
  static inline unsigned asked = 0;

  template <void (*F)(void*)>
  static bool at_thread_exit(void* p) noexcept {
    ++asked;
    return hardware::at_thread_exit<F>(p);
  }
};

TEST(node_pool, asks_the_system_for_nothing_once_a_node_is_taken) {
  elsewhere([] {
    auto* const one = pool<6, asking>::take();
    EXPECT_EQ(asking::asked, 1U);
    pool<6, asking>::give(one);
    EXPECT_EQ(asking::asked, 1U) << "the caller may hold a lock that a thread in the loader waits for";
  });
}

/// Where the pool looks at a node's fields, or changes them, a handler of signals may come in between.
struct interrupted : counting {
  static inline thread_local void (*handler)() = nullptr;
  static inline thread_local unsigned deep = 0, deepest = 0;

  static void interrupt() {
    if (handler == nullptr || deep == deepest) return;
    ++deep;
    handler();
    --deep;
  }

  /// Knows all nodes: those that a handler on top of a handler drops, and the one that stays in hand, are lost to the pool.
  template <class T>
  static T* make() {
    static auto& all = *new std::vector<T*>;
    return all.emplace_back(counting::make<T>());
  }

  template <class T>
  class plain {
   public:
    constexpr plain() = default;
    constexpr plain(T value) : value_{value} {}  // NOLINT(google-explicit-constructor): as the field that it stands for
    operator T() const {                         // NOLINT(google-explicit-constructor)
      interrupt();
      return value_;
    }
    plain& operator=(T value) {
      interrupt();
      value_ = value;
      interrupt();
      return *this;
    }

   private:
    T value_{};
  };
};

using interrupted_pool = pool<7, interrupted>;

/// As a clh lock does: gives back another node than the one it took.
void take_one_and_give_another() {
  static thread_local node<7, interrupted>* kept = nullptr;
  auto* const other = std::exchange(kept, interrupted_pool::take());
  if (other != nullptr) interrupted_pool::give(other);
}

/// The same in one step, or in two, where there is a node at hand.
void exchange_one_for_another() {
  static thread_local node<7, interrupted>* kept = nullptr;
  static thread_local unsigned times = 0;
  auto* const other = kept != nullptr ? std::exchange(kept, nullptr) : interrupted_pool::take();
  auto* const taken = interrupted_pool::exchange(other, ++times % 2 == 0);
  kept = taken != nullptr ? taken : other;
}

TEST(node_pool, a_handler_on_top_of_exchange) {
  const std::size_t before = counting::made;
  elsewhere([] {
    interrupted::handler = exchange_one_for_another;
    interrupted::deepest = 1;
    std::vector<node<7, interrupted>*> all;
    for (int i = 0; i != 20; ++i) all.push_back(interrupted_pool::take());
    for (auto* const one : all) interrupted_pool::give(one);
    auto* mine = interrupted_pool::take();
    for (int i = 0; i != 1000; ++i) {
      auto* const taken = interrupted_pool::exchange(mine, i % 2 == 0);
      if (taken != nullptr) mine = taken;
    }
    interrupted_pool::give(mine);
    interrupted::handler = nullptr;
  });
  EXPECT_LE(counting::made - before, 100U) << "a handler's nodes must be found again";
}

/// Returns how many nodes were made.
std::size_t take_and_give_interrupted(unsigned deepest) {
  const std::size_t before = counting::made;
  elsewhere([=] {
    interrupted::handler = take_one_and_give_another;
    interrupted::deepest = deepest;
    for (int round = 0; round != 30; ++round) {
      std::vector<node<7, interrupted>*> all;
      for (int i = 0; i != 100; ++i) all.push_back(interrupted_pool::take());
      for (auto* const one : all) interrupted_pool::give(one);
    }
    interrupted::handler = nullptr;
  });
  return counting::made - before;
}

using left_aside = pool<9, interrupted>;

void take_two_and_give_them() {
  auto* const one = left_aside::take();
  auto* const other = left_aside::take();
  left_aside::give(one);
  left_aside::give(other);
}

TEST(node_pool, what_a_handler_has_left_aside_serves_others_after_the_end) {
  const std::size_t before = counting::made;
  for (int i = 0; i != 10; ++i)
    elsewhere([] {
      interrupted::handler = take_two_and_give_them;
      interrupted::deepest = 1;
      left_aside::give(left_aside::take());
      interrupted::handler = nullptr;
    });
  const std::size_t all = counting::made - before;
  elsewhere([=] {
    std::vector<node<9, interrupted>*> taken;
    for (std::size_t i = 0; i != all; ++i) taken.push_back(left_aside::take());
    EXPECT_EQ(counting::made - before, all) << "some were lost";
    for (auto* const one : taken) left_aside::give(one);
  });
}

TEST(node_pool, a_handler_on_top_of_take_or_give) {
  EXPECT_LE(take_and_give_interrupted(1), 300U) << "a handler's nodes must be found again";
}

TEST(node_pool, a_handler_on_top_of_a_handler) { EXPECT_GT(take_and_give_interrupted(2), 0U); }

}  // namespace
}  // namespace synchro::tests
