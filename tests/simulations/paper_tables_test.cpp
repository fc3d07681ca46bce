// The paper's hash table, by which claims about tables are judged, and what it scores beside what its authors measured.

#include "simulations/paper_tables.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cells.hpp"
#include "simulations/asked_ssht.hpp"
#include "simulations/networked.hpp"
#include "simulations/paper_locks.hpp"
#include "simulations/paper_messages.hpp"
#include "simulations/simulations.hpp"
#include "simulations/table_curves.hpp"

namespace synchro::tests {
namespace {

using simulations::ssht::cell;
using simulator::laboratory;

/// Operations a second of each.
std::map<std::string, double> rates(const simulations::model_ptr& m, const std::vector<std::string>& names,
                                    std::int64_t threads, std::int64_t buckets) {
  std::map<std::string, double> found;
  for (const results::cell& c : cells_of(
           m, "hashtable.throughput",
           {{"lock", {names.begin(), names.end()}}, {"threads", {threads}}, {"buckets", {buckets}}, {"load", {12}}})) {
    EXPECT_TRUE(c.valid) << m->name() << ", " << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == "throughput" && c.value) found[c.at.word("lock")] = *c.value;
  }
  return found;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names{simulations::paper_served_table};
  for (const auto& row : simulations::paper_locks()) names.push_back(row.name);
  return names;
}

/// A table that has not what was put and not removed makes its cell invalid.
TEST(PaperTables, KeepWhatIsPutUnderEachLockAndByMessages) {
  for (const char* machine : {"opteron", "xeon", "niagara", "tilera"})
    for (const std::int64_t buckets : {2, 12})
      for (const std::int64_t threads : {1, 2, 36})
        EXPECT_EQ(rates(built_in(machine), all_names(), threads, buckets).size(), all_names().size());
}

TEST(PaperTables, DependOnTheSeedAlone) {
  const auto first = rates(built_in("xeon"), all_names(), 12, 12);
  std::vector<std::vector<char>> between;
  for (std::size_t bytes = 16; bytes <= 512; bytes += 16) between.emplace_back(bytes);
  for (std::size_t i = 0; i < between.size(); i += 2) between[i] = {};
  EXPECT_EQ(rates(built_in("xeon"), all_names(), 12, 12), first);
}

/// What is done in a simulated world of one thread.
template <class Body>
void alone(Body body) {
  const auto m = built_in("opteron");
  simulator::world w{*m, 1};
  laboratory::team({0}, 1, [&](unsigned) { body(); });
}

TEST(PaperTables, ChainCellsOfSixAndPutTheLastOneInThePlaceOfTheRemoved) {
  alone([] {
    simulations::ssht::table t{1};
    simulations::ssht::heap pieces;
    for (std::uint64_t k = 1; k <= 13; ++k) EXPECT_TRUE(t.put(0, k, pieces));
    EXPECT_FALSE(t.put(0, 9, pieces)) << "it is there";
    EXPECT_EQ(t.count(), 13U);
    EXPECT_TRUE(t.remove(0, 2, pieces)) << "13 takes its place, and the third cell goes";
    EXPECT_FALSE(t.remove(0, 2, pieces));
    EXPECT_FALSE(t.get(0, 2));
    for (const std::uint64_t k : {1U, 3U, 12U, 13U}) EXPECT_TRUE(t.get(0, k)) << k;
    EXPECT_TRUE(t.remove(0, 12, pieces));
    EXPECT_TRUE(t.remove(0, 13, pieces));
    EXPECT_EQ(t.count(), 10U);
    EXPECT_TRUE(t.put(0, 2, pieces));
    EXPECT_EQ(t.count(), 11U);
  });
}

TEST(PaperTables, HaveCellsWhereMallocPutsThem) {
  const auto m = built_in("opteron");
  simulator::world w{*m, 1};
  const auto in_line = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % cpu::cache_line; };
  const auto first = simulations::ssht::heap::row(3, simulations::ssht::heap::size);
  for (const cell* c : first) EXPECT_EQ(in_line(c), 16U);
  simulations::ssht::heap pieces;
  const cell* const a = pieces.make();
  const cell* const b = pieces.make();
  EXPECT_EQ(in_line(a), 16U);
  EXPECT_EQ(in_line(b), 32U) << "128 bytes and a word of 16 behind the first";
}

/// One thread alone spends what its divisions take, two with each operation.
TEST(PaperTables, DivideTwiceForEachOperation) {
  nlohmann::ordered_json slow = built_in("niagara")->document(), fast = slow;
  constexpr double divided = 1000;
  slow["core"]["division"]["value"] = divided;
  slow["core"]["division"]["most"] = divided;
  fast["core"].erase("division");
  slow["knobs"]["jitter"]["value"] = fast["knobs"]["jitter"]["value"] = 0;
  const auto cycles = [](const nlohmann::ordered_json& document) {
    const auto m = std::make_shared<const simulator::model>(document);
    return m->ghz() * 1e9 / rates(m, {"libslock/tas"}, 1, 12).begin()->second;
  };
  EXPECT_NEAR(cycles(slow) - cycles(fast), 2 * divided, 0.05 * divided);
}

TEST(PaperTables, ReadOneMoreLineWithThePayloadOfWhatIsFound) {
  const auto took = [](bool there) {
    std::uint64_t t = 0;
    alone([&] {
      using lock = simulations::libslock::tas;
      simulations::ssht::table table{1};
      const simulations::ssht::spread keys{1, 2, 1};
      lock free{shape{}};
      const std::vector<lock*> locks{&free};
      simulations::ssht::under_locks<lock> through{table, keys, locks};
      EXPECT_TRUE(through.put(1));
      EXPECT_TRUE(through.get(1));
      const std::uint64_t begin = laboratory::now();
      EXPECT_EQ(through.get(there ? 1 : 2), there);
      t = laboratory::now() - begin;
    });
    return t;
  };
  EXPECT_GT(took(true), took(false));
}

TEST(PaperTables, AreServedByTheNetworkWhereThereIsOne) {
  nlohmann::ordered_json without = built_in("tilera")->document();
  without.erase("network");
  const auto by_lines = std::make_shared<const simulator::model>(without);
  EXPECT_GT(rates(built_in("tilera"), {"messages/paper"}, 12, 12).begin()->second,
            1.2 * rates(by_lines, {"messages/paper"}, 12, 12).begin()->second);
}

// What its authors measured.

TEST(TableCurves, AreOfTablesThatCanBeSimulated) {
  std::set<std::string> names;
  for (const std::string& n : all_names()) names.insert(simulations::of_the_library(n));
  std::set<std::tuple<std::string, unsigned, unsigned, std::string, unsigned>> seen;
  for (const simulations::table_curves& c : simulations::published_table_curves())
    for (const simulations::lock_point& p : c.points) {
      EXPECT_TRUE(p.lock == "messages" || names.contains(p.lock)) << p.lock;
      EXPECT_EQ(p.machine, c.machine);
      EXPECT_LE(p.threads, built_in(c.machine)->processors());
      EXPECT_GT(p.measured, 1e5);
      EXPECT_LT(p.measured, 1e8);
      EXPECT_TRUE(seen.emplace(c.machine, c.buckets, c.load, p.lock, p.threads).second);
    }
  EXPECT_EQ(seen.size(), 557U) << "nine locks on two machines, seven on two, and messages where they were measured";
}

TEST(TableCurves, ScoreEachTableAndAll) {
  const std::vector<simulations::table_curves> made_up{
      {"a", 12, 12, {{"a", "x", 1, 100, 50}, {"a", "y", 1, 200, 40}, {"a", "x", 2, 100, 100}, {"a", "y", 2, 50, 10}}},
      {"b",
       12,
       48,
       {{"b", "x", 1, 100, 100}, {"b", "y", 1, 200, 300}, {"b", "x", 2, 100, 100}, {"b", "y", 2, 100, 100}}}};
  const std::string text = simulations::table_curves_in_words(made_up);
  EXPECT_NE(text.find("| a | 12 | 12 | 1 of 2 | "), std::string::npos) << text;
  EXPECT_NE(text.find("| b | 12 | 48 | 1 of 1 | 17 % | 17 % | 1 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| all | | | 2 of 3 | "), std::string::npos) << text;
}

}  // namespace
}  // namespace synchro::tests
