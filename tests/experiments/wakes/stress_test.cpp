// 100,000 triggers of every wake primitive, or as many as 20 s hold, without one lost. (Threads that spin for each other
// on a machine that has other work lose a time slice at each trigger.)
//
// Nobody waits until the sleepers sleep: each trigger comes as soon as all are back from the last, so it meets them
// before their wait, on the way into it, and asleep. A sleeper that does not come back within the deadline has lost a
// wake-up; then its threads are left behind, with what they touch, and the test fails.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "experiments/wakes/availability.hpp"
#include "experiments/wakes/wake_table.hpp"
#include "synchro/wakes/rendezvous.hpp"

namespace synchro::tests {

namespace {

using experiments::wake_row;
using std::chrono::steady_clock;

constexpr std::uint32_t triggers = 100'000;
constexpr std::uint32_t fewest = 500;  // triggers, however long they take
constexpr auto long_enough = std::chrono::seconds{20};
constexpr auto deadline = std::chrono::seconds{60};  // of one trigger, on however busy a machine

/// All sleepers of a rendezvous wait until a moment. Its usual lead would be most of this test; with this one some of them
/// come before that moment and some after it.
constexpr auto lead = std::chrono::microseconds{5};

template <class Waiting>
std::unique_ptr<experiments::any_wake> make_rendezvous(unsigned sleepers) {
  return std::make_unique<experiments::wake_holder<basic_rendezvous<hardware, Waiting>>>(sleepers, lead);
}

std::unique_ptr<experiments::any_wake> make(const wake_row& row, unsigned sleepers) {
  static const std::map<std::string, decltype(row.make)> with_a_short_lead{
      {"rendezvous", make_rendezvous<yield_then_park>},
      {"rendezvous/park", make_rendezvous<spin_park>},
      {"rendezvous/spin", make_rendezvous<spin>},
      {"rendezvous/yield", make_rendezvous<spin_yield>}};
  const auto found = with_a_short_lead.find(row.name);
  return found != with_a_short_lead.end() ? found->second(sleepers) : row.make(sleepers);
}

/// What waker and sleepers share.
struct arena {
  explicit arena(std::uint32_t rounds) : last{rounds} {}
  std::unique_ptr<experiments::any_wake> wake;
  std::atomic<bool> made{false};
  std::atomic<bool> failed{false};
  std::atomic<std::uint32_t> written{0};
  std::atomic<std::uint32_t> last;  // the round that ends it
  alignas(128) std::atomic<std::uint64_t> back{0};
  std::atomic<std::uint32_t> wrong{0};
  std::atomic<std::uint32_t> done{0};
};

void sleep_again_and_again(arena& a, unsigned i) {
  while (!a.made.load(std::memory_order_acquire))
    if (a.failed.load()) return;
  for (std::uint32_t round = 1;; ++round) {
    a.wake->wait(i);
    // By the contract the round's trigger has been called, and the next one waits for this thread.
    if (a.written.load(std::memory_order_relaxed) != round) a.wrong.fetch_add(1);
    const bool ends = a.last.load(std::memory_order_relaxed) == round;
    a.back.fetch_add(1, std::memory_order_release);
    if (ends) return;
  }
}

/// False if that many do not come back.
bool await_back(const arena& a, std::uint64_t all) {
  const auto until = steady_clock::now() + deadline;
  for (unsigned looked = 0; a.back.load(std::memory_order_acquire) != all; ++looked) {
    if (looked < 200) continue;
    std::this_thread::yield();
    if (looked % 1024 == 0 && steady_clock::now() > until) return false;
  }
  return true;
}

void trigger_again_and_again(arena& a, const wake_row& row, unsigned sleepers) {
  a.wake = make(row, sleepers);
  a.made.store(true, std::memory_order_release);
  const auto end = steady_clock::now() + long_enough;
  for (std::uint32_t round = 1; round <= a.last.load(std::memory_order_relaxed); ++round) {
    a.wake->arm();
    if (round >= fewest && steady_clock::now() > end) a.last.store(round, std::memory_order_relaxed);
    a.written.store(round, std::memory_order_relaxed);
    if (row.has_each && round % 2 == 0)
      a.wake->trigger_each();
    else
      a.wake->trigger();
    if (!await_back(a, std::uint64_t{round} * sleepers)) return;
    a.done.store(round);
  }
}

void stress(const wake_row& row, unsigned sleepers, std::uint32_t rounds) {
  const auto a = std::make_shared<arena>(rounds);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != sleepers; ++i) threads.emplace_back([a, i] { sleep_again_and_again(*a, i); });
  try {
    trigger_again_and_again(*a, row, sleepers);
  } catch (const std::exception& e) {
    a->failed = true;
    ADD_FAILURE() << e.what();
  }
  const bool lost = a->done.load() != a->last.load();
  EXPECT_FALSE(lost) << row.name << " lost a wake-up: trigger " << a->done.load() + 1 << " woke "
                     << a->back.load() - std::uint64_t{a->done.load()} * sleepers << " of " << sleepers;
  EXPECT_EQ(a->wrong.load(), 0U);
  for (std::thread& t : threads) lost ? t.detach() : t.join();
}

/// The sleepers are a runtime's own; a region that is not run by all of them has lost one.
void stress_regions(const wake_row& row, unsigned sleepers) {
  const auto wake = row.make(sleepers);
  std::atomic<std::uint64_t> ran{0};
  const auto end = steady_clock::now() + long_enough;
  for (std::uint32_t round = 1; round <= triggers && (round <= fewest || steady_clock::now() < end); ++round) {
    wake->region([&](unsigned) { ran.fetch_add(1, std::memory_order_relaxed); });
    ASSERT_EQ(ran.load(), std::uint64_t{round} * (sleepers + 1));
  }
}

class stress_case : public testing::Test {
 public:
  explicit stress_case(std::string name) : name_{std::move(name)} {}
  void TestBody() override {
    const wake_row& row = experiments::find_wake(name_);
    if (const auto& why = experiments::wakes::availability_of(row).unavailable) GTEST_SKIP() << *why;
    if (row.region) return stress_regions(row, 1);
    // One sleeper for the most of it; then several, which pass each other.
    stress(row, 1, triggers);
    stress(row, 3, row.sleeps ? 2000 : 20);
  }

 private:
  std::string name_;
};

const bool added = [] {
  for (const wake_row& row : experiments::all_wakes())
    testing::RegisterTest("stress", row.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [name = row.name]() -> testing::Test* { return new stress_case{name}; });
  return true;
}();

}  // namespace

}  // namespace synchro::tests
