// What a simulated core does besides waiting for its accesses: instructions, work and requests that overlap with them.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "simulator/laboratory.hpp"

namespace synchro::simulator {
namespace {

using json = nlohmann::ordered_json;
using word = simulated::atomic<std::uint64_t>;
using fresh_word = laboratory::fresh<word>;

constexpr double instructions = 10, window = 60, misses = 4;

constexpr auto constant = [](double v) { return json{{"value", v}, {"kind", "assumed"}, {"from", "a test"}}; };

/// An Opteron whose work does not vary, with such a core; the last holder of a line is a core of the same die.
json core_of(double per_access, double overlap, double at_a_time, double ahead = 0) {
  json m = json::parse(built_in_model("opteron"));
  m["knobs"]["jitter"] = {{"value", 0}, {"kind", "assumed"}, {"from", "a test"}};
  m["core"] = {{"instructions", constant(per_access)}, {"window", constant(overlap)}, {"misses", constant(at_a_time)}};
  if (ahead != 0) m["core"]["ahead"] = constant(ahead);
  return m;
}

/// And which asks for the lines of so many stores of its buffer.
json with_stores(json m, double at_a_time) {
  m["core"]["stores"] = constant(at_a_time);
  return m;
}

constexpr double l1 = 3, transfer = 81, store = 83, local_atomic = 20;

struct lines {
  fresh_word a, b, c, d;
};

/// Cycles of what a core does with four lines that another core of its die has modified.
double cycles_of(const json& document, const std::function<void(lines&)>& body) {
  const model m{document};
  world w{m, 1};
  lines all;
  laboratory::team({1}, 1, [&](unsigned) {
    for (fresh_word* each : {&all.a, &all.b, &all.c, &all.d}) (*each)->store(1, memory_order::relaxed);
  });
  std::uint64_t took = 0;
  laboratory::team({0}, 1, [&](unsigned) {
    const std::uint64_t begin = laboratory::now();
    body(all);
    took = laboratory::now() - begin;
  });
  return static_cast<double>(took) / per_cycle;
}

std::uint64_t read(fresh_word& from) { return from->load(memory_order::relaxed); }

void look_at_all(lines& all) {
  simulated::await_any(
      memory_order::acquire, [](auto...) { return look::done(); }, *all.a, *all.b, *all.c, *all.d);
}

TEST(Core, ExecutesInstructionsWithEachAccess) {
  const auto twice = [](lines& all) {
    read(all.a);
    read(all.a);
  };
  EXPECT_EQ(cycles_of(core_of(0, 0, 1), twice), transfer + l1);
  EXPECT_EQ(cycles_of(core_of(instructions, 0, 1), twice), transfer + l1 + 2 * instructions);
}

TEST(Core, ExecutesThemWhileALoadIsUnderWay) {
  const auto once = [](lines& all) { read(all.a); };
  EXPECT_EQ(cycles_of(core_of(instructions, window, 1), once), transfer);
  const auto mine = [](lines& all) {
    all.a->fetch_add(1, memory_order::relaxed);
    read(all.a);
  };
  EXPECT_EQ(cycles_of(core_of(instructions, window, 1), mine) - cycles_of(core_of(0, 0, 1), mine),
            instructions + instructions - l1)
      << "beside a load that takes less, what is left of them";
}

TEST(Core, WorkBeginsWhileALoadIsUnderWay) {
  const auto work = [](lines& all) {
    read(all.a);
    laboratory::work(200);
  };
  EXPECT_EQ(cycles_of(core_of(0, 0, 1), work), transfer + 200);
  EXPECT_EQ(cycles_of(core_of(0, window, 1), work), transfer + 200 - window);
  EXPECT_EQ(cycles_of(core_of(0, 1000, 1), work), 200) << "no more than the load takes";
}

TEST(Core, NothingBeginsBeforeAReadModifyWriteIsDone) {
  const auto work = [](lines& all) {
    read(all.a);
    all.b->fetch_add(1, memory_order::relaxed);
    laboratory::work(200);
  };
  EXPECT_EQ(cycles_of(core_of(0, window, 1), work), cycles_of(core_of(0, 0, 1), work));
}

TEST(Core, PausesAreNotHidden) {
  const auto rest = [](lines& all) {
    read(all.a);
    simulated::pause(8);
  };
  EXPECT_EQ(cycles_of(core_of(0, window, 1), rest), cycles_of(core_of(0, 0, 1), rest));
}

TEST(Core, IndependentLoadsAreUnderWayTogether) {
  const double one = cycles_of(core_of(0, 0, 1), look_at_all), all = cycles_of(core_of(0, 0, misses), look_at_all),
               two = cycles_of(core_of(0, 0, 2), look_at_all);
  EXPECT_EQ(one, 4 * transfer);
  EXPECT_LT(all, transfer + 4 * l1);
  EXPECT_GE(all, transfer);
  EXPECT_GT(two, all + transfer / 2) << "two at a time";
  EXPECT_LT(two, one - transfer / 2);
}

TEST(Core, AHitRunsWhileAnIndependentLoadIsUnderWay) {
  const auto took = [](double overlap, bool mine_comes_first) {
    return cycles_of(core_of(instructions, overlap, misses), [mine_comes_first](lines& all) {
      const auto content = [](auto...) { return look::done(); };
      read(all.a);
      if (mine_comes_first)
        simulated::await_any(memory_order::acquire, content, *all.a, *all.b);
      else
        simulated::await_any(memory_order::acquire, content, *all.b, *all.a);
    });
  };
  EXPECT_EQ(took(window, false), transfer + instructions) << "b is asked for behind a and its instructions";
  EXPECT_EQ(took(15, false), transfer + instructions + 2 * instructions - 15) << "as far as the core goes on";
  EXPECT_EQ(took(0, false), 2 * transfer + l1 + 3 * instructions) << "in order";
  EXPECT_EQ(took(window, true), transfer + instructions + 1) << "which it is before the hit is looked at";
}

/// Looks at two lines, works, and looks at two others.
double looks_twice(double overlap, double at_a_time, double work) {
  return cycles_of(core_of(0, overlap, at_a_time), [work](lines& all) {
    const auto content = [](auto...) { return look::done(); };
    simulated::await_any(memory_order::acquire, content, *all.a, *all.b);
    laboratory::work(static_cast<std::uint64_t>(work));
    simulated::await_any(memory_order::acquire, content, *all.c, *all.d);
  });
}

TEST(Core, IndependentLoadsAreUnderWayOverWorkBetweenThem) {
  const double near = window - 20, far = window + 20, hit = 1;
  EXPECT_EQ(looks_twice(window, misses, near), transfer + hit + near) << "all but these runs beside the first looks";
  EXPECT_EQ(looks_twice(window, misses, far), 2 * transfer + hit + far - window) << "the core did not come so far";
  EXPECT_EQ(looks_twice(0, misses, near), 2 * (transfer + l1) + near) << "in order";
  EXPECT_EQ(looks_twice(window, 1, near), 4 * transfer) << "one load at a time";
}

TEST(Core, NoLoadIsUnderWayOverARest) {
  const auto body = [](lines& all) {
    const auto content = [](auto...) { return look::done(); };
    simulated::await_any(memory_order::acquire, content, *all.a, *all.b);
    simulated::pause(1);
    simulated::await_any(memory_order::acquire, content, *all.c, *all.d);
  };
  const json core = core_of(0, window, misses);
  EXPECT_EQ(cycles_of(core, body), 2 * transfer + static_cast<double>(model{core}.pause()) / per_cycle);
}

TEST(Core, AsksForTheLinesOfStoresInItsBuffer) {
  const auto body = [](lines& all) {
    for (fresh_word* each : {&all.a, &all.b, &all.c, &all.d}) (*each)->store(2, memory_order::relaxed);
    simulated::settle();
  };
  const json core = core_of(0, 0, misses);
  const double one = cycles_of(core, body);
  EXPECT_GE(one, 4 * store);
  EXPECT_EQ(cycles_of(with_stores(core, 1), body), one);
  EXPECT_LT(cycles_of(with_stores(core, 2), body), 2 * store + 10) << "two at a time";
  EXPECT_GE(cycles_of(with_stores(core, 2), body), 2 * store);
  EXPECT_LT(cycles_of(with_stores(core, 32), body), store + 10) << "four lines come at once";
  EXPECT_GE(cycles_of(with_stores(core, 32), body), store);
  EXPECT_EQ(cycles_of(with_stores(core_of(0, 0, 1), 32), body), one) << "no room for a second request";
}

TEST(Core, LoadsPassStoresToOtherWordsOfALineThatTheCoreHas) {
  struct two_words {
    word first, second;
  };
  for (const bool other : {true, false})
    cycles_of(core_of(0, 0, misses), [other](lines& all) {
      const laboratory::fresh<two_words> mine;
      const std::uint64_t begin = laboratory::now();
      all.a->store(2, memory_order::relaxed);
      mine->first.store(1, memory_order::relaxed);
      EXPECT_EQ((other ? mine->second : mine->first).load(memory_order::relaxed), other ? 0U : 1U);
      EXPECT_EQ(static_cast<double>(laboratory::now() - begin) / per_cycle, 2 + l1) << other;
      simulated::settle();
    });
}

TEST(Core, GoesOnAfterItHasAskedForALineToWrite) {
  const auto body = [](lines& all) {
    simulated::prefetch_for_write(&*all.a);
    laboratory::work(200);
    all.a->fetch_add(1, memory_order::relaxed);
  };
  const double waits = cycles_of(core_of(0, 0, 1), body), goes_on = cycles_of(core_of(0, 0, misses), body);
  EXPECT_EQ(goes_on, 1 + 200 + local_atomic);
  EXPECT_GT(waits, goes_on + transfer - 2);
}

TEST(Core, AsksForTheLineOfAStoreWhileTheLoadBeforeItIsUnderWay) {
  const auto body = [](lines& all) {
    read(all.a);
    all.b->store(2, memory_order::relaxed);
    simulated::settle();
  };
  const double waits = cycles_of(core_of(0, 0, misses), body), asks = cycles_of(core_of(0, 0, misses, 1), body);
  EXPECT_GT(waits, 2 * transfer);
  EXPECT_LT(asks, transfer + 5) << "both lines come at once";
  EXPECT_GE(asks, transfer);
}

TEST(Core, AsksForTheLineOfAReadModifyWriteThatWaitsForStores) {
  const auto body = [](lines& all) {
    all.a->store(2, memory_order::relaxed);
    all.b->store(2, memory_order::relaxed);
    all.c->fetch_add(1, memory_order::relaxed);
  };
  const double waits = cycles_of(core_of(0, 0, misses), body), asks = cycles_of(core_of(0, 0, misses, 1), body);
  EXPECT_GT(waits, 3 * transfer);
  EXPECT_LT(asks, transfer + 2 * local_atomic) << "three lines come at once";
  EXPECT_EQ(cycles_of(core_of(0, 0, 1, 1), body), waits) << "no room for a second request";
}

TEST(Core, AsksForTheLinesOfOperationsThatFollow) {
  const auto body = [](lines& all) {
    laboratory::expect(&*all.b);
    all.a->fetch_add(1, memory_order::relaxed);
    all.b->fetch_add(1, memory_order::relaxed);
  };
  EXPECT_LT(cycles_of(core_of(0, 0, misses, 1), body), transfer + 3 * local_atomic);
  const model m{core_of(0, 0, misses, 3)}, none{core_of(0, 0, misses)};
  world w{m, 1};
  EXPECT_EQ(laboratory::operations_ahead(), 3U);
  w.only_accesses();
  EXPECT_EQ(laboratory::operations_ahead(), 0U) << "a measurement of single accesses has no others";
  world without{none, 1};
  EXPECT_EQ(laboratory::operations_ahead(), 0U);
}

TEST(Core, NoStoreAsksBeforeAWait) {
  const auto after = [](bool rests, double ahead) {
    return cycles_of(core_of(0, 0, misses, ahead), [&](lines& all) {
      read(all.a);
      if (rests) simulated::pause(1);
      all.b->store(2, memory_order::relaxed);
      simulated::settle();
    });
  };
  EXPECT_LT(after(false, 1), after(false, 0));
  EXPECT_EQ(after(true, 1), after(true, 0));
}

TEST(Core, WhatAnotherCoreHasWrittenMeanwhileWasNotAskedForBefore) {
  // The second core has written b just before the first one's load of a is over, so b was not to be had any sooner.
  const auto stored = [](double wrote_at) {
    const model m{core_of(0, 0, misses, 1)};
    world w{m, 1};
    lines all;
    ticks took = 0;
    laboratory::team({1}, 1, [&](unsigned) { all.a->store(1, memory_order::relaxed); });
    laboratory::team({2}, 1, [&](unsigned) { all.b->store(1, memory_order::relaxed); });
    laboratory::team({0, 1}, 2, [&](unsigned me) {
      const ticks begin = 100'000 * per_cycle;
      w.advance_to(begin + (me == 0 ? 0 : static_cast<ticks>(wrote_at * per_cycle)));
      if (me == 1) {
        all.b->fetch_add(1, memory_order::relaxed);
        return;
      }
      read(all.a);
      all.b->store(2, memory_order::relaxed);
      simulated::settle();
      took = laboratory::now() - begin;
    });
    return static_cast<double>(took) / per_cycle;
  };
  EXPECT_GT(stored(-50), stored(-5000) + transfer / 3);
}

/// Cycles of a load that hits, of each of these threads of a Niagara, of a hundred.
double loads_of(const std::vector<unsigned>& processors, double per_access) {
  json document = json::parse(built_in_model("niagara"));
  document["core"]["instructions"]["value"] = per_access;
  const model m{document};
  world w{m, 1};
  std::vector<fresh_word> words(processors.size());
  std::uint64_t begins = 0, ends = 0;
  laboratory::team(processors, static_cast<unsigned>(processors.size()), [&](unsigned me) {
    read(words[me]);
    w.advance_to(100'000 * per_cycle);
    begins = laboratory::now();
    for (unsigned i = 0; i < 100; ++i) read(words[me]);
    ends = std::max(ends, laboratory::now());
  });
  return static_cast<double>(ends - begins) / per_cycle / 100;
}

TEST(Core, IssuesForOneThreadWhileAnotherOneWaits) {
  EXPECT_EQ(loads_of({0}, 3), l1 + 3);
  EXPECT_EQ(loads_of({0, 1}, 3), l1 + 3) << "the other's instructions fit into the load";
  EXPECT_EQ(loads_of({0, 1, 2, 3}, 3), 4 * 3) << "those of three others do not";
}

/// Sun: SPARC Enterprise T5120 and T5220 Server Architecture, 2007, Fig. 8.
TEST(Core, IssuesForThreadsZeroToThreeAndForThreadsFourToSeven) {
  EXPECT_EQ(loads_of({0, 3, 4, 7}, 3), l1 + 3);
  EXPECT_EQ(loads_of({4, 5, 6, 7}, 3), 4 * 3);
}

/// What it asks for ahead, and for how many stores.
class Ahead : public testing::TestWithParam<std::pair<double, double>> {};
INSTANTIATE_TEST_SUITE_P(Core, Ahead, testing::Values(std::pair{0, 1}, std::pair{3, 1}, std::pair{0, 32}));

TEST_P(Ahead, SeesWhatALineHoldsThatItAskedFor) {
  const auto [ahead, stores] = GetParam();
  const model m{with_stores(core_of(instructions, window, misses, ahead), stores)};
  world w{m, 1};
  lines all;
  unsigned torn = 0;
  laboratory::team({0, 6, 12, 18}, 4, [&](unsigned me) {
    for (std::uint64_t i = 1; i <= 200; ++i)
      if (me == 0) {
        all.a->store(i, memory_order::release);
        laboratory::work(50);
        all.b->store(i, memory_order::release);
      } else {
        // b is written after a: whoever sees b sees an a that is not older.
        const auto seen = simulated::await_any(
            memory_order::acquire, [](auto...) { return look::done(); }, *all.b, *all.a);
        torn += std::get<0>(seen) > std::get<1>(seen) ? 1U : 0U;
      }
  });
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(std::uint64_t{(*all.b).load(memory_order::relaxed)}, 200U);
}

TEST_P(Ahead, CountersAreWholeWhoeverAsks) {
  const auto [ahead, stores] = GetParam();
  const model m{with_stores(core_of(instructions, window, misses, ahead), stores)};
  world w{m, 1};
  fresh_word counter;
  laboratory::team({}, 24, [&](unsigned) {
    for (unsigned i = 0; i < 50; ++i) {
      simulated::prefetch_for_write(&*counter);
      counter->fetch_add(1, memory_order::relaxed);
    }
  });
  EXPECT_EQ(counter->load(memory_order::relaxed), 24U * 50U);
}

}  // namespace
}  // namespace synchro::simulator
