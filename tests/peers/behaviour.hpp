// What every peer must do behind its adapter. What an adapter does not offer is left out by the concepts of
// traits.hpp, and by nothing else.

#ifndef SYNCHRO_TESTS_PEERS_BEHAVIOUR_HPP
#define SYNCHRO_TESTS_PEERS_BEHAVIOUR_HPP

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catalog/lock_line.hpp"
#include "locks/teams.hpp"
#include "synchro/shape.hpp"
#include "synchro/traits.hpp"

namespace synchro::tests {

using catalog::make_lock;

inline shape team_of(unsigned threads) { return shape{std::vector<unsigned>(threads, 0)}; }

template <class Line>
void says_what_it_is() {
  using lock = typename Line::lock;
  const lock_description d = describe<lock>();
  EXPECT_NE(std::string{Line::name}.find('/'), std::string::npos);
  EXPECT_FALSE(d.words.judgement.empty());
  EXPECT_FALSE(d.words.citation.empty());
  EXPECT_TRUE((std::set<std::string>{"spin", "yield", "park"}.contains(lock::waits))) << lock::waits;
  EXPECT_EQ(d.parks, std::string{lock::waits} == "park");
}

template <class Lock>
void excludes(unsigned threads) {
  auto lock = make_lock<Lock>(team_of(threads));
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
void own_nodes_and_its_own_queue_together() {
  auto lock = make_lock<Lock>(team_of(3));
  guarded data;
  std::array<typename Lock::node, 3> nodes;
  contest(3, [&](unsigned me) {
    me == 0 ? lock.lock() : lock.lock(nodes[me]);
    data.visit();
    me == 0 ? lock.unlock() : lock.unlock(nodes[me]);
  });
  EXPECT_TRUE(data.intact());
}

template <class Lock>
void several_held_and_released_in_any_order() {
  auto a = make_lock<Lock>(team_of(2));
  auto b = make_lock<Lock>(team_of(2));
  auto c = make_lock<Lock>(team_of(2));
  guarded data;
  contest(2, [&](unsigned me) {
    a.lock();
    b.lock();
    c.lock();
    data.visit();
    (me == 0 ? b : a).unlock();
    (me == 0 ? a : b).unlock();
    c.unlock();
  });
  EXPECT_TRUE(data.intact());
}

/// True if another thread's attempt succeeds; it then releases what it got.
template <class Lock, class Try>
bool another_gets(Lock& lock, Try attempt) {
  bool got = false;
  elsewhere([&] {
    got = attempt();
    if (got) lock.unlock();
  });
  return got;
}

template <class Lock>
void try_lock_succeeds_only_when_free() {
  auto lock = make_lock<Lock>(team_of(2));
  const auto attempt = [&] { return lock.try_lock(); };
  EXPECT_TRUE(another_gets(lock, attempt));
  lock.lock();
  EXPECT_FALSE(another_gets(lock, attempt));
  lock.unlock();
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(another_gets(lock, attempt));
  lock.unlock();
  EXPECT_TRUE(another_gets(lock, attempt));
}

template <class Lock>
void works_with_scoped_lock() {
  auto a = make_lock<Lock>(team_of(2));
  auto b = make_lock<Lock>(team_of(2));
  guarded data;
  contest(2, [&](unsigned me) {
    const std::scoped_lock both{me == 0 ? a : b, me == 0 ? b : a};
    data.visit();
  });
  EXPECT_TRUE(data.intact());
}

template <class Lock>
void a_deadline_passes() {
  using namespace std::chrono_literals;
  auto lock = make_lock<Lock>(team_of(2));
  const auto with = [&](std::chrono::nanoseconds patience) {
    return [&, patience] { return lock.try_lock_for(patience); };
  };
  EXPECT_TRUE(another_gets(lock, with(10s)));
  lock.lock();
  EXPECT_FALSE(another_gets(lock, with(2ms)));
  EXPECT_FALSE(another_gets(lock, with(-1s)));
  lock.unlock();
  EXPECT_TRUE(another_gets(lock, with(0s)));
}

/// Hangs if a reader keeps another one out.
template <class Lock>
void readers_are_in_together() {
  auto lock = make_lock<Lock>(team_of(3));
  std::latch inside{3};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&] {
      lock.lock_shared();
      inside.arrive_and_wait();
      lock.unlock_shared();
    });
  for (std::thread& reader : readers) reader.join();
  EXPECT_TRUE(inside.try_wait());
  EXPECT_TRUE(another_gets(lock, [&] { return lock.try_lock(); }));
}

template <class Lock>
void readers_and_writers_keep_apart() {
  auto lock = make_lock<Lock>(team_of(3));
  long begun = 0;
  long ended = 0;
  std::atomic<long> torn{0};
  contest(3, [&](unsigned me) {
    if (me == 0) {
      lock.lock();
      ++begun;
      std::this_thread::yield();
      ++ended;
      lock.unlock();
    } else {
      lock.lock_shared();
      const long seen = ended;
      std::this_thread::yield();
      if (begun != seen) ++torn;
      lock.unlock_shared();
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(torn.load(), 0);
  EXPECT_EQ(begun, ended);
}

// Registration.

class behaviour_test : public testing::Test {
 public:
  explicit behaviour_test(std::function<void()> body) : body_{std::move(body)} {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

inline void add_test(const std::string& suite, const char* name, std::function<void()> body) {
  testing::RegisterTest(suite.c_str(), name, nullptr, nullptr, __FILE__, __LINE__,
                        [body = std::move(body)]() -> behaviour_test* { return new behaviour_test(body); });
}

/// Adds the tests of a line of the catalog.
template <class Line>
void add_line() {
  using lock = typename Line::lock;
  const auto add = [](const char* name, std::function<void()> body) { add_test(Line::name, name, std::move(body)); };
  add("says_what_it_is", says_what_it_is<Line>);
  add("excludes", [] { excludes<lock>(2); });
  add("excludes_with_more_threads_than_processors", [] { excludes<lock>(4 * processors() + 1); });
  add("several_held_and_released_in_any_order", several_held_and_released_in_any_order<lock>);
  if constexpr (node_lockable<lock>)
    add("own_nodes_and_its_own_queue_together", own_nodes_and_its_own_queue_together<lock>);
  if constexpr (try_lockable<lock>) {
    add("try_lock_succeeds_only_when_free", try_lock_succeeds_only_when_free<lock>);
    add("works_with_scoped_lock", works_with_scoped_lock<lock>);
  }
  if constexpr (timed_lockable<lock>) add("a_deadline_passes", a_deadline_passes<lock>);
  if constexpr (shared_lockable<lock>) {
    add("readers_are_in_together", readers_are_in_together<lock>);
    add("readers_and_writers_keep_apart", readers_and_writers_keep_apart<lock>);
  }
}

/// As generated: the tests of all locks of others.
void add_peers();

}  // namespace synchro::tests

#endif
