// Writes at a line's home, where a machine's writes go there: for how long others wait, and when the next store goes on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "simulator/laboratory.hpp"

namespace synchro::simulator {
namespace {

using json = nlohmann::ordered_json;
using word = simulated::atomic<std::uint64_t>;

struct two_lines {
  alignas(line_table::bytes) word a;
  word b;  // of the same line
  alignas(line_table::bytes) word other;
};

constexpr double load = 24, store = 24, cas = 66, own_cas = 71, share = 0.15;
/// Of a load's latency half of what its line does not notice.
constexpr double way = (1 - share) / 2 * load;

/// A Niagara whose work does not vary and whose instructions take no time.
model plain_niagara() {
  json m = json::parse(built_in_model("niagara"));
  m["knobs"]["jitter"] = {{"value", 0}, {"kind", "assumed"}, {"from", "a test"}};
  m["read_occupancy"] = {{"value", share}, {"kind", "assumed"}, {"from", "a test"}};
  m.erase("core");
  return model{m};
}

/// Cycles that a thread needs for `body` on lines that a thread of another core has written.
double cycles_of(const std::function<void(two_lines&)>& body) {
  const model m = plain_niagara();
  world w{m, 1};
  laboratory::fresh<two_lines> lines;
  laboratory::team({8}, 1, [&](unsigned) {
    lines->a.store(1, memory_order::relaxed);
    lines->other.store(1, memory_order::relaxed);
  });
  std::uint64_t took = 0;
  laboratory::team({0}, 1, [&](unsigned) {
    const std::uint64_t begin = laboratory::now();
    body(*lines);
    took = laboratory::now() - begin;
  });
  return static_cast<double>(took) / per_cycle;
}

void fence() { simulated::fence(); }

/// A store to another core's line, and one more by `next`, until both are there.
double cycles_of_a_store_and(const std::function<void(two_lines&)>& next) {
  return cycles_of([&](two_lines& l) {
    l.a.store(2, memory_order::relaxed);
    next(l);
    fence();
  });
}
double cycles_of_a_store() {
  return cycles_of_a_store_and([](two_lines&) {});
}

/// Compare-and-swaps a cycle of so many threads, each on a core of its own, on one line.
double swaps_a_cycle(unsigned threads) {
  const model m = plain_niagara();
  world w{m, 1};
  laboratory::fresh<word> counter;
  std::vector<unsigned> cores(threads);
  std::iota(cores.begin(), cores.end(), 0);
  for (unsigned& c : cores) c *= m.threads_per_core();
  constexpr int each = 1000;
  std::uint64_t end = 0;
  laboratory::team(cores, threads, [&](unsigned) {
    for (int i = 0; i < each; ++i) {
      std::uint64_t seen = 0;
      counter->compare_exchange_strong(seen, seen, memory_order::relaxed, memory_order::relaxed);
    }
    end = std::max(end, laboratory::now());
  });
  return threads * each / (static_cast<double>(end) / per_cycle);
}

TEST(Home, AThreadAloneWaitsForTheWholeLatency) { EXPECT_NEAR(1 / swaps_a_cycle(1), own_cas, 1); }

TEST(Home, IsHeldByAWriteForItsOwnTimeAndNotForTheWay) {
  for (const unsigned threads : {2U, 4U, 8U}) EXPECT_NEAR(1 / swaps_a_cycle(threads), cas - 2 * way, 1) << threads;
}

TEST(Home, StoresToOneLineAreOnTheirWayTogether) {
  const double two = cycles_of_a_store_and([](two_lines& l) { l.b.store(2, memory_order::relaxed); });
  EXPECT_NEAR(two - cycles_of_a_store(), store - 2 * way, 1);
}

TEST(Home, AStoreToAnotherLineWaitsForTheAnswer) {
  const double two = cycles_of_a_store_and([](two_lines& l) { l.other.store(2, memory_order::relaxed); });
  EXPECT_NEAR(two - cycles_of_a_store(), store, 1);
}

TEST(Home, AFenceWaitsForTheAnswerToo) {
  const double fenced = cycles_of([](two_lines&) { fence(); });
  EXPECT_NEAR(cycles_of_a_store() - fenced, store, 1);
}

}  // namespace
}  // namespace synchro::simulator
