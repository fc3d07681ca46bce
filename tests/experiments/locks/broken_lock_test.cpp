// The self-check: locks that let two in at a time are found out, and their cells become errors.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "experiments/framework/runner.hpp"
#include "experiments/locks/contention.hpp"
#include "experiments/locks/lock_rows.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/locks.hpp"
#include "measure/host.hpp"

namespace synchro::experiments {
namespace {

/// This host, but work hands the processor to the next thread: a holder is overtaken even on one processor.
struct yielding_host : measure::host {
  static void work(std::uint64_t /*cycles*/) noexcept { std::this_thread::yield(); }
};

/// Lets everyone in. The atomic keeps the compiler from merging critical sections.
class no_lock {
 public:
  static constexpr lock_traits traits{.judgement = "none", .citation = "none"};

  void lock() { word_.exchange(1, std::memory_order_acq_rel); }
  void unlock() { word_.store(0, std::memory_order_release); }
  void lock_shared() { lock(); }
  void unlock_shared() { unlock(); }

 private:
  std::atomic<int> word_{0};
};

lock_bodies broken_row() { return bodies_of<yielding_host, no_lock>("no_lock"); }

locks::contention_task a_task() {
  locks::contention_task task;
  task.threads = 4;
  task.hold = 1;
  task.window_ns = 5e6;
  return task;
}

TEST(self_check, finds_two_holders) {
  const locks::contention_result r = broken_row().contend(a_task());
  ASSERT_TRUE(r.broken);
  EXPECT_NE(r.broken->find("two in at a time"), std::string::npos) << *r.broken;
}

TEST(self_check, finds_a_reader_beside_a_writer) {
  locks::contention_task task = a_task();
  task.readers = 50;
  EXPECT_TRUE(broken_row().contend(task).broken);
}

setting this_machine(level l) {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = l;
  return s;
}

TEST(self_check, makes_the_cell_an_error_and_the_run_broken) {
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
