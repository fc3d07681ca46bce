// The bodies, for every lock and peer of the table. No assertion on times: only on what is counted.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "experiments/locks/contention.hpp"
#include "experiments/locks/guarded_locks.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/previous_holder.hpp"
#include "measure/host.hpp"
#include "synchro/domains.hpp"
#include "synchro/hardware_transactions.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::experiments {
namespace {

constexpr double window_ns = 2e6;

locks::contention_task a_task(unsigned threads) {
  locks::contention_task task;
  task.threads = threads;
  task.window_ns = window_ns;
  return task;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

class every_lock : public testing::TestWithParam<std::string> {
 protected:
  const lock_bodies& row_ = find_lock(GetParam());

  void contend_intact(const locks::contention_task& task) {
    const locks::contention_result r = row_.contend(task);
    EXPECT_EQ(r.broken, std::nullopt);
    ASSERT_EQ(r.acquisitions.size(), task.threads);
    EXPECT_GT(sum(r.acquisitions), 0);
    EXPECT_GE(r.elapsed_ns, task.window_ns);
    EXPECT_LE(r.hand_offs, r.exclusive);
    for (const double wait : r.waits_ns) ASSERT_TRUE(std::isfinite(wait));
  }
};

TEST_P(every_lock, alone) { contend_intact(a_task(1)); }

TEST_P(every_lock, two_threads) { contend_intact(a_task(2)); }

TEST_P(every_lock, sixteen_threads_come_to_an_end) { contend_intact(a_task(16)); }

TEST_P(every_lock, many_locks_with_work_inside_and_between) {
  locks::contention_task task = a_task(2);
  task.locks = 130;  // more than one block of memory holds
  task.hold = 300;
  task.gap = 500;
  contend_intact(task);
}

TEST_P(every_lock, pairs_of_acquisition_and_release) {
  locks::contention_task task = a_task(1);
  task.pairs = 64;
  contend_intact(task);
}

class every_shared_lock : public every_lock {};

TEST_P(every_shared_lock, with_readers) {
  locks::contention_task task = a_task(3);
  task.hold = 300;
  for (const unsigned percent : {50U, 90U, 100U}) {
    task.readers = percent;
    const locks::contention_result r = row_.contend(task);
    EXPECT_EQ(r.broken, std::nullopt);
    EXPECT_GT(sum(r.acquisitions), 0);
    EXPECT_EQ(r.exclusive == 0, percent == 100);
  }
}

TEST_P(every_lock, after_itself_and_after_another) {
  for (const bool other : {false, true}) {
    locks::previous_holder_task task;
    task.other_thread = other;
    task.rounds = 6;
    task.batch = 60;  // ThreadSanitizer knows no thread that holds more than 64 mutexes
    const locks::previous_holder_result r = row_.succeed(task);
    EXPECT_EQ(r.broken, std::nullopt);
    EXPECT_EQ(r.acquire_ns.size(), task.rounds / 2);
    EXPECT_EQ(r.release_ns.size(), task.rounds / 2);
    EXPECT_EQ(r.pair_ns.size(), task.rounds / 2);
    // What a transaction writes nobody sees before it ends.
    EXPECT_EQ(r.chained, !(row_.what.may_elide && hardware::transactions::are_usable()))
        << "nothing in the lock's own bytes says that it is held: acquisitions overlap";
  }
}

struct pimpl_lock {
  void lock() { inner->lock(); }
  void unlock() { inner->unlock(); }
  std::unique_ptr<ttas_lock> inner = std::make_unique<ttas_lock>();
};

TEST(held_marks, are_the_bytes_that_lock_changes) {
  struct wide_lock : ttas_lock {
    wide_lock() = default;
    std::array<unsigned char, 40> other{};
    std::atomic<std::uint32_t> tickets{0};
    void lock() { ttas_lock::lock(), ++tickets; }
  };
  wide_lock lock;
  const locks::held_marks marks = locks::held_marks::find(lock);
  EXPECT_FALSE(marks.none());
  lock.other.fill(0xff);
  lock.tickets = 0;
  EXPECT_EQ(marks.read(&lock), 0U) << "nothing else is looked at";
  lock.tickets = 0x40;
  EXPECT_EQ(marks.read(&lock), 0x40U);
  lock.lock();
  EXPECT_EQ(marks.read(&lock), 0x41U) << "the lock's own word, and the ticket";
}

TEST(held_marks, of_a_lock_that_lies_elsewhere_are_none) {
  pimpl_lock lock;
  EXPECT_TRUE(locks::held_marks::find(lock).none());
  locks::previous_holder_task task;
  task.rounds = 2;
  task.batch = 2;
  EXPECT_FALSE((locks::succeed<measure::host, pimpl_lock>(task).chained));
}

/// Masks marks with ones where the host masks them with zeros: what waits for the lock before goes to another place.
template <class T>
struct revealing_atomic : std::atomic<T> {
  using std::atomic<T>::atomic;
  T load(memory_order o) const noexcept { return std::atomic<T>::load(o) | T{o == memory_order::relaxed}; }
};
struct revealing_host : measure::host {
  struct machine : hardware {
    template <class T>
    using atomic = revealing_atomic<T>;
  };
};

/// Notes the calls of threads. It is a byte on a line of its own, and so there is room for another one behind it.
struct noting_lock {
  struct call {
    std::thread::id by;
    bool takes, elsewhere;
  };
  static std::vector<call>& calls() {
    static std::vector<call> all;
    return all;
  }
  void lock() { note(true), held = 1; }
  void unlock() { note(false), held = 0; }
  void note(bool takes) const {
    calls().push_back(
        {std::this_thread::get_id(), takes, reinterpret_cast<std::uintptr_t>(this) % cpu::cache_line != 0});
  }
  unsigned char held = 0;
};

/// How many calls there were, and how many of them waited for the call before.
struct in_chains {
  unsigned all = 0, chained = 0;
  void count(const noting_lock::call& c) { ++all, chained += c.elsewhere ? 1U : 0U; }
};

TEST(acquisitions_of_free_locks, are_chained_only_where_another_thread_had_them) {
  for (const bool other : {false, true}) {
    locks::previous_holder_task task;
    task.other_thread = other;
    task.rounds = 6;
    noting_lock::calls().clear();
    EXPECT_TRUE((locks::succeed<revealing_host, noting_lock>(task).chained));
    const std::vector<noting_lock::call> calls = std::exchange(noting_lock::calls(), {});
    in_chains acquire, release, pair;
    for (std::size_t i = 1; i < calls.size(); ++i) {
      const noting_lock::call &before = calls[i - 1], &now = calls[i];
      if (before.by != now.by) continue;
      if (before.takes && now.takes) acquire.count(now);
      if (!before.takes && !now.takes) release.count(now);
      if (!before.takes && now.takes) pair.count(now);
    }
    EXPECT_GT(acquire.all, 0U);
    EXPECT_EQ(acquire.chained, acquire.all) << "those that are timed apart from their releases";
    EXPECT_GT(release.all, 0U);
    EXPECT_EQ(release.chained, 0U);
    EXPECT_GT(pair.all, 0U);
    EXPECT_EQ(pair.chained != 0, other) << "one's own pairs follow each other as in any loop";
  }
}

std::vector<std::string> names(bool only_shared) {
  std::vector<std::string> all;
  for (const lock_bodies& row : all_locks())
    if (row.what.shared || !only_shared) all.push_back(row.name);
  return all;
}

std::string with_underscore(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(table, every_lock, testing::ValuesIn(names(false)), with_underscore);
INSTANTIATE_TEST_SUITE_P(table, every_shared_lock, testing::ValuesIn(names(true)), with_underscore);

TEST(guarded_locks, share_no_line) {
  struct tiny {
    void lock() {}
    void unlock() {}
    char state = 0;
  };
  const locks::guarded_locks<measure::host, tiny> cells{300, shape{}};
  std::set<std::uintptr_t> pairs_of_lines;
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const void* p : {static_cast<const void*>(&cells.lock(i)), static_cast<const void*>(&cells.guarded(i))})
      pairs_of_lines.insert(reinterpret_cast<std::uintptr_t>(p) / (2 * cpu::cache_line));
  EXPECT_EQ(pairs_of_lines.size(), 2 * cells.size());
}

TEST(dice, reach_every_lock) {
  locks::detail::dice d{7};
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 2000; ++i) seen.insert(d.below(16));
  EXPECT_EQ(seen.size(), 16U);
  EXPECT_LT(*seen.rbegin(), 16U);
}

/// The host's machine, which remembers who asked for its shape.
struct asked_machine : hardware {
  static shape here() {
    askers().insert(std::this_thread::get_id());
    return shape{{0, 1}};
  }
  static std::set<std::thread::id>& askers() {
    static std::set<std::thread::id> all;
    return all;
  }
};
struct asked_host : measure::host {
  using machine = asked_machine;
};
struct shaped_lock : ttas_lock {
  explicit shaped_lock(const shape& team) { domains() = team.domains(); }
  static std::size_t& domains() {
    static std::size_t last = 0;
    return last;
  }
};

TEST(locks_of_a_pinned_team, are_made_for_the_shape_that_an_unpinned_thread_sees) {
  locks::contention_task task = a_task(2);
  task.cpus = {os::allowed_cpus().front()};
  EXPECT_EQ((locks::contend<asked_host, shaped_lock>(task).broken), std::nullopt);
  EXPECT_EQ(std::exchange(shaped_lock::domains(), 0), 2U);
  locks::previous_holder_task next;
  next.cpus = task.cpus;
  next.rounds = 2;
  next.batch = 2;
  EXPECT_EQ((locks::succeed<asked_host, shaped_lock>(next).broken), std::nullopt);
  EXPECT_EQ(shaped_lock::domains(), 2U);
  EXPECT_EQ(asked_machine::askers(), std::set{std::this_thread::get_id()});
}

TEST(shape_for, names_a_domain_for_each_thread) {
  for (const unsigned n : {1U, 3U, 40U}) EXPECT_EQ(locks::shape_for<hardware>(n).domain_of_thread.size(), n);
}

}  // namespace
}  // namespace synchro::experiments
