// The self-check: locks that let two in at a time are found out, and their cells become errors.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "experiments/framework/runner.hpp"
#include "experiments/locks/contention.hpp"
#include "experiments/locks/lock_body_rows.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/locks.hpp"
#include "measure/host.hpp"

namespace synchro::experiments {
namespace {

enum class kind : std::uint8_t { writer, reader };
thread_local kind my_kind = kind::writer;

/// This host, but work inside a critical section lasts until two are inside: one of each kind, if so asked. That a lock
/// lets two in is therefore no matter of luck. Locks that do not would wait here for ever.
struct meeting_host : measure::host {
  /// Shared data is atomic here: two inside at once are a bug of the lock, but no undefined behaviour of the test.
  struct machine : hardware {
    template <class T>
    using plain = std::atomic<T>;
  };

  static void work(std::uint64_t /*cycles*/) noexcept {
    ++inside[static_cast<std::size_t>(my_kind)];
    while (!met.load()) {
      const unsigned writers = inside[0].load();
      const unsigned readers = inside[1].load();
      if (want_both_kinds ? writers != 0 && readers != 0 : writers + readers >= 2) met = true;
      std::this_thread::yield();
    }
    --inside[static_cast<std::size_t>(my_kind)];
  }

  static void reset(bool both_kinds) {
    want_both_kinds = both_kinds;
    met = false;
  }

  static inline bool want_both_kinds = false;
  static inline std::atomic<bool> met{false};
  static inline std::array<std::atomic<unsigned>, 2> inside{};
};

/// Lets everyone in.
class no_lock {
 public:
  static constexpr lock_traits traits{.judgement = "none", .citation = "none"};

  void lock() { my_kind = kind::writer; }
  void unlock() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  void lock_shared() { my_kind = kind::reader; }
  void unlock_shared() { unlock(); }

  char state = 0;
};

lock_bodies broken_row() {
  lock_bodies row = row_of<no_lock>("no_lock");
  give_bodies<meeting_host, no_lock>(row);
  return row;
}

locks::contention_task a_task() {
  locks::contention_task task;
  task.threads = 4;
  task.hold = 1;
  task.window_ns = 1e6;
  return task;
}

TEST(self_check, finds_two_holders) {
  meeting_host::reset(false);
  const locks::contention_result r = broken_row().contend(a_task());
  ASSERT_TRUE(r.broken);
  EXPECT_NE(r.broken->find("mutual exclusion failed"), std::string::npos) << *r.broken;
}

/// A seed by which not all of the threads begin alike.
std::uint64_t seed_of_both_kinds(const locks::contention_task& task) {
  for (std::uint64_t seed = 1;; ++seed) {
    unsigned readers = 0;
    for (unsigned me = 0; me < task.threads; ++me)
      readers += static_cast<unsigned>(locks::detail::dice{seed + me}.below(100) < task.readers);
    if (readers != 0 && readers != task.threads) return seed;
  }
}

TEST(self_check, finds_a_reader_beside_a_writer) {
  meeting_host::reset(true);
  locks::contention_task task = a_task();
  task.readers = 50;
  task.seed = seed_of_both_kinds(task);
  EXPECT_TRUE(broken_row().contend(task).broken);
}

setting this_machine(level l) {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = l;
  return s;
}

TEST(self_check, makes_the_cell_an_error_and_the_run_broken) {
  meeting_host::reset(false);
  experiment e = locks_throughput();
  e.measure = [](const setting& s, const coordinates& at, std::uint64_t seed) {
    return measure_throughput(broken_row(), s, at, seed);
  };
  setting s = this_machine(level::quick);
  s.chosen = {{"lock", {coordinate{std::string{"mcs"}}}}, {"threads", {coordinate{4}}}, {"hold", {coordinate{1}}}};
  run_control control;
  control.probe_modes = false;
  const run_outcome outcome = run(make_plan(s, {&e}), s, control);
  EXPECT_TRUE(outcome.broken);
  ASSERT_FALSE(outcome.cells.empty());
  for (const results::cell& c : outcome.cells) {
    EXPECT_FALSE(c.valid);
    EXPECT_EQ(c.value, std::nullopt) << c.metric;
    EXPECT_TRUE(c.reason);
  }
}

}  // namespace
}  // namespace synchro::experiments
