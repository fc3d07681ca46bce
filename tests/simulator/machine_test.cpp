// The simulated machine: what accesses cost, and that algorithms run on it.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/laboratory.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"

namespace synchro::simulator {
namespace {

template <class Lock>
std::uint64_t count(const model& m, unsigned threads, unsigned rounds, std::uint64_t seed = 1) {
  world w{m, seed};
  typename laboratory::template fresh<Lock> lock;
  laboratory::fresh<simulated::plain<std::uint64_t>> counter;
  laboratory::team({}, threads, [&](unsigned) {
    for (unsigned i = 0; i < rounds; ++i) {
      lock->lock();
      *counter = *counter + 1;
      lock->unlock();
      laboratory::work(100);
    }
  });
  EXPECT_EQ(static_cast<std::uint64_t>(*counter), std::uint64_t{threads} * rounds);
  return w.now();
}

TEST(Simulated, LocksExclude) {
  for (const char* name : {"opteron", "xeon", "niagara", "tilera"}) {
    const model m = load_model(name);
    count<basic_tas_lock<simulated>>(m, 12, 20);
    count<basic_ticket_lock<simulated>>(m, 12, 20);
    count<basic_mcs_lock<simulated>>(m, m.processors(), 20);
    count<basic_mcs_lock<simulated, spin_park>>(m, 2 * m.processors(), 10);
    count<basic_mcs_lock<simulated, spin_yield>>(m, 2 * m.processors(), 10);
    count<basic_mutex_lock<simulated>>(m, m.processors(), 10);
  }
}

TEST(Simulated, TheSameSeedIsTheSameRun) {
  const model m = load_model("xeon");
  const auto run = [&](std::uint64_t seed) { return count<basic_ticket_lock<simulated>>(m, 24, 30, seed); };
  EXPECT_EQ(run(7), run(7));
  EXPECT_NE(run(7), run(8));
}

/// What makes numbers of addresses makes the same ones in every run.
TEST(Simulated, MemoryLiesAtTheSamePlaceOfItsBlockInEveryRun) {
  const model m = load_model("opteron");
  constexpr std::size_t block = 1 << 20;
  const auto places = [&] {
    world w{m, 1};
    std::vector<std::uintptr_t> all;
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{5000}, 3 * block, block / 2, block / 2})
      all.push_back(reinterpret_cast<std::uintptr_t>(laboratory::fresh_memory{bytes}.data()) % block);
    return all;
  };
  const auto once = places();
  const world elsewhere{m, 1};
  const std::vector<std::vector<char>> in_the_way(7, std::vector<char>(333'333));
  EXPECT_EQ(once, places());
}

/// As on hardware, where the system writes zeros where a page is touched first.
TEST(Simulated, AThreadHasWrittenTheMemoryThatItMakes) {
  struct alignas(64) one_line {
    simulated::plain<std::uint64_t> value;
  };
  for (const char* name : {"opteron", "xeon", "niagara", "tilera"}) {
    const model m = load_model(name);
    const world w{m, 1};
    std::optional<laboratory::fresh<std::array<one_line, 64>>> memory;
    const auto reading_takes = [&](unsigned processor) {
      std::uint64_t took = 0;
      laboratory::team({processor}, 1, [&](unsigned) {
        if (!memory) memory.emplace();
        const std::uint64_t begin = laboratory::now();
        for (const one_line& l : **memory) EXPECT_EQ(static_cast<std::uint64_t>(l.value), 0U);
        took = laboratory::now() - begin;
      });
      return took;
    };
    const std::uint64_t own = reading_takes(0), anothers = reading_takes(m.processors() - 1), again = reading_takes(0);
    EXPECT_LE(own, again) << name;
    EXPECT_LT(2 * own, anothers) << name;
  }
}

/// As it was before models had a core.
model without_a_core(const char* name) {
  auto document = nlohmann::ordered_json::parse(built_in_model(name));
  document.erase("core");
  return model{document};
}

// Times in 64ths of a cycle, the same with every back end of the fibers, every sanitizer and every compiler: what differs
// from them depends on something that it must not. They change when the rules or the models do.
TEST(Simulated, TimesDoNotDependOnHowTheProgramIsBuilt) {
  EXPECT_EQ(count<basic_ticket_lock<simulated>>(without_a_core("opteron"), 24, 30), 244594670U);
  EXPECT_EQ(count<basic_ticket_lock<simulated>>(load_model("opteron"), 24, 30), 247769223U);
  EXPECT_EQ(count<basic_mcs_lock<simulated>>(load_model("xeon"), 40, 30), 73698994U);
  EXPECT_EQ(count<basic_tas_lock<simulated>>(load_model("niagara"), 32, 30), 74119867U);
  EXPECT_EQ((count<basic_mcs_lock<simulated, spin_park>>(load_model("tilera"), 72, 10)), 516601561U);
}

/// Whether a team that would never end is stopped.
bool stops(unsigned threads) {
  static int questions;
  questions = 0;
  world::stop_when([]() noexcept { return ++questions > 3; });
  const model m = load_model("xeon");
  bool ended = false;
  try {
    world w{m, 1};
    const laboratory::fresh<simulated::atomic<std::uint32_t>> word;
    laboratory::team({}, threads, [&](unsigned) {
      for (;;) word->fetch_add(1, memory_order::relaxed);
    });
  } catch (const stopped&) {
    ended = true;
  }
  world::stop_when([]() noexcept { return false; });
  return ended;
}

TEST(Simulated, AnEndlessTeamStopsWhenAsked) {
  EXPECT_TRUE(stops(1)) << "a thread alone, which has no events";
  EXPECT_TRUE(stops(2));
  EXPECT_TRUE(stops(40));
  EXPECT_EQ(count<basic_tas_lock<simulated>>(load_model("opteron"), 12, 20),
            count<basic_tas_lock<simulated>>(load_model("opteron"), 12, 20))
      << "others run as ever";
}

}  // namespace
}  // namespace synchro::simulator
