#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../machine_of.hpp"
#include "../standing_clock.hpp"
#include "experiments/framework/runner.hpp"
#include "experiments/hashtable/all_tables.hpp"
#include "experiments/hashtable/hashtable.hpp"
#include "experiments/hashtable/served.hpp"
#include "experiments/hashtable/trial.hpp"
#include "measure/host.hpp"
#include "synchro/domains.hpp"

namespace synchro::experiments::hashtable {
namespace {

using tests::machine_of;

table_task brief(unsigned threads) {
  table_task t;
  t.threads = threads;
  t.window_ns = 2e6;
  return t;
}

TEST(TableKeys, FillEachBucketAlike) {
  const std::vector<key> keys = keys_of(12, 48, 7);
  ASSERT_EQ(keys.size(), 12U * 96);
  EXPECT_EQ(std::set<key>(keys.begin(), keys.end()).size(), keys.size());
  const synchro::hash_table<key, char> places{fixed_buckets{12}};
  std::map<std::size_t, unsigned> first, all;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ++all[places.bucket(keys[i])];
    if (i % 2 == 0) ++first[places.bucket(keys[i])];
  }
  EXPECT_EQ(all.size(), 12U);
  for (const auto& [bucket, n] : all) {
    EXPECT_LT(bucket, 12U);
    EXPECT_EQ(n, 96U);
    EXPECT_EQ(first[bucket], 48U);
  }
  EXPECT_EQ(keys, keys_of(12, 48, 7));
  EXPECT_NE(keys, keys_of(12, 48, 8));
}

/// Against the law itself, computed here: the share of rank r is r^-0.99 over the sum of all.
TEST(TableKeys, AreDrawnByZipfsLaw) {
  constexpr std::uint32_t n = 50;
  const zipf draws{n};
  dice by{3};
  std::vector<double> seen(n);
  constexpr int times = 400'000;
  for (int i = 0; i < times; ++i) seen[draws.draw(by)] += 1.0 / times;
  double sum = 0;
  for (std::uint32_t r = 1; r <= n; ++r) sum += std::pow(r, -0.99);
  for (std::uint32_t r = 1; r <= n; ++r) EXPECT_NEAR(seen[r - 1], std::pow(r, -0.99) / sum, 0.004) << "rank " << r;
}

TEST(TableOperations, AreGetsPutsAndRemovesOfAllKeys) {
  const std::vector<key> keys = keys_of(12, 48, 7);
  const std::vector<operation> all = draw_operations(keys, nullptr, 20e6, 5);
  ASSERT_EQ(all.size(), 16384U);
  std::map<act, double> share;
  std::map<key, unsigned> times;
  for (const operation& o : all) share[o.what()] += 1.0 / 16384, ++times[o.on()];
  EXPECT_NEAR(share[act::get], 0.8, 0.015);
  EXPECT_NEAR(share[act::put], 0.1, 0.015);
  EXPECT_NEAR(share[act::remove], 0.1, 0.015);
  ASSERT_EQ(times.size(), keys.size());
  for (const key k : keys) EXPECT_TRUE(times.contains(k)) << k;
}

TEST(TableOperations, AreAsManyAsThereAreKeysForOrTimeFor) {
  const auto drawn = [](std::size_t n, double window_ns) {
    return draw_operations(std::vector<key>(n, key{1} << 61), nullptr, window_ns, 1).size();
  };
  EXPECT_EQ(drawn(50'000, 20e6), 100'000U);
  EXPECT_EQ(drawn(2'000'000, 20e6), std::size_t{1} << 20);
  EXPECT_EQ(drawn(50'000, 40e3), 10'001U) << "in 40 us nobody does more";
  EXPECT_EQ(draw_operations({key{1} << 61}, nullptr, 40, 1).front().on(), key{1} << 61);
}

TEST(TableOperations, AreByZipfsLawWhereThatIsAsked) {
  const std::vector<key> keys = keys_of(12, 48, 7);
  const zipf skew{static_cast<std::uint32_t>(keys.size())};
  std::map<key, unsigned> times;
  for (const operation& o : draw_operations(keys, &skew, 20e6, 5)) ++times[o.on()];
  const auto most = std::max_element(times.begin(), times.end(), [](auto& a, auto& b) { return a.second < b.second; });
  EXPECT_EQ(most->first, keys.front());
  EXPECT_GT(most->second, 1000U) << "a seventh of all";
}

TEST(Tables, AreCalledAsTheProgramKnowsThem) {
  ASSERT_EQ(table_names().size(), all_tables().size());
  for (std::size_t i = 0; i != all_tables().size(); ++i) {
    const table_name &known = table_names()[i], &made = all_tables()[i];
    EXPECT_EQ(known.name, made.name);
    EXPECT_EQ(known.waiting, made.waiting) << made.name;
    EXPECT_EQ(known.kind, made.kind) << made.name;
    EXPECT_EQ(known.first, made.first) << made.name;
  }
}

TEST(Tables, AreWhatWasPutAndNotRemoved) {
  std::set<std::string> names;
  for (const table_bodies& row : all_tables()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    table_task task = brief(row.only_spins() ? 1 : 3);
    if (row.name == served_table) continue;  // two threads that spin, on who knows how many processors
    task.skewed = row.first;
    const table_outcome o = row.run(task);
    EXPECT_EQ(o.broken, std::nullopt) << row.name;
    EXPECT_GT(o.elapsed_ns, 0) << row.name;
    EXPECT_GT(std::accumulate(o.operations.begin(), o.operations.end(), 0.0), 0) << row.name;
  }
  for (const char* name : {"optimistic", "growing", "messages/yield", "mcs", "ticket/yield", "std/unordered_map"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Tables, AreFilledBeforeSomebodyLooks) {
  std::set<std::string> filled;
  for (const table_bodies& row : all_tables()) {
    if (row.fill == nullptr) continue;
    bool looked = false;
    row.fill(100, [&looked] { looked = true; });
    EXPECT_TRUE(looked) << row.name;
    filled.insert(row.name);
    EXPECT_TRUE(row.name == "growing" || row.kind == primitive_kind::peer) << row.name;
  }
  EXPECT_TRUE(filled.contains("growing"));
  EXPECT_TRUE(filled.contains("std/unordered_map"));
}

TEST(Tables, BySeveralServersAreWhole) {
  const table_outcome o = use_served<measure::host, spin_yield>(brief(7));
  EXPECT_EQ(o.operations.size(), 5U) << "two of seven serve";
  EXPECT_EQ(o.broken, std::nullopt);
}

/// Keeps what it was told to remove, or gives what nobody put.
template <bool Tears>
struct flawed : own_table<hardware, own_word<>> {
  using own_table<hardware, own_word<>>::own_table;
  bool get(key k, payload& to) const {
    const bool found = own_table<hardware, own_word<>>::get(k, to);
    if (Tears) to.words.back() = 0;
    return found;
  }
  bool remove(key) { return !Tears; }
};

TEST(Tables, ThatAreWrongBreakTheCell) {
  const table_outcome forgets = use_table<measure::host, flawed<false>>(brief(1));
  ASSERT_TRUE(forgets.broken.has_value());
  EXPECT_NE(forgets.broken->find("elements were put and not removed, but"), std::string::npos);
  const table_outcome tears = use_table<measure::host, flawed<true>>(brief(1));
  ASSERT_TRUE(tears.broken.has_value());
  EXPECT_NE(tears.broken->find("gets returned another key's payload, or two halves"), std::string::npos);
}

/// Notes what it is asked for.
struct noting : own_table<hardware, own_word<>> {
  using own = own_table<hardware, own_word<>>;
  using own::own;
  bool get(key k, payload& to) const { return note(k, act::get), own::get(k, to); }
  bool put(key k, const payload& p) { return note(k, act::put), own::put(k, p); }
  bool remove(key k) { return note(k, act::remove), own::remove(k); }

  static void note(key k, act what) { notes().emplace_back(k, what); }
  static std::vector<operation>& notes() {
    static std::vector<operation> all;
    return all;
  }
};

/// What was drawn before comes again and again, the acts one key further on each time (drawn_again.hpp); what is drawn while the
/// clock runs does not.
TEST(Tables, AreAskedForNothingThatIsDrawnWhileTheClockRuns) {
  for (const bool skewed : {false, true}) {
    table_task task = brief(1);
    task.skewed = skewed;
    task.window_ns = 4000;  // for which few operations are drawn
    const std::vector<key> keys = keys_of(task.buckets, task.load, task.seed);
    const std::size_t drawn = operations_of(keys, task, 1).front().size();
    EXPECT_EQ((use_table<tests::standing_clock, noting>(task).broken), std::nullopt);
    std::vector<operation> seen = std::exchange(noting::notes(), {});
    seen.erase(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2));  // there at first
    ASSERT_GT(seen.size(), 2 * drawn);
    for (std::size_t i = drawn; i != seen.size(); ++i) {
      ASSERT_EQ(seen[i].on(), seen[i % drawn].on()) << "operation " << i;
      ASSERT_EQ(seen[i].what(), seen[(i + i / drawn) % drawn].what()) << "operation " << i;
    }
  }
}

TEST(TableCells, SayWhatWasSeen) {
  const repetition r = record_tables({{300, 100}, 1e6});
  ASSERT_EQ(r.observations.size(), 2U);
  EXPECT_DOUBLE_EQ(r.observations[0].value, 400 / 1e-3);
  EXPECT_DOUBLE_EQ(r.observations[1].value, 0.8);
  EXPECT_EQ(record_tables({{300}, 1e6}).unavailable.count("fairness"), 1U);
  EXPECT_EQ(record_tables({{300}, 1e6, "wrong"}).broken, "wrong");
}

TEST(TableCells, AreThePapersFourConfigurations) {
  const experiment e = hashtable_throughput();
  std::set<std::pair<std::int64_t, std::int64_t>> shapes;
  for (const planned_cell& c : make_plan(machine_of(4), {&e}).cells)
    shapes.insert({c.at.number("buckets"), c.at.number("load")});
  EXPECT_EQ(shapes, (std::set<std::pair<std::int64_t, std::int64_t>>{{12, 12}, {12, 48}, {512, 12}, {512, 48}}));
}

TEST(TableCells, ThatSpinHaveAProcessorForEachThread) {
  const experiment e = hashtable_throughput();
  setting s = machine_of(2);
  s.chosen["lock"] = {coordinate{"ttas"}, coordinate{"optimistic"}};
  s.chosen["threads"] = {coordinate{std::int64_t{8}}};
  std::map<std::string, std::set<bool>> obstructed;
  for (const planned_cell& c : make_plan(s, {&e}).cells)
    obstructed[c.at.word("lock")].insert(c.unavailable.has_value());
  EXPECT_EQ(obstructed["ttas"], std::set<bool>{true});
  EXPECT_EQ(obstructed["optimistic"], std::set<bool>{false});
}

TEST(TableCells, SpreadTheClientFromItsServer) {
  const experiment e = hashtable_throughput();
  setting s;
  s.machine = platform::topology_from_synthetic("package:2 core:2 pu:1");
  const auto left_out = [&](const std::string& table) {
    return e.skip(s, {{"lock", table},
                      {"threads", std::int64_t{1}},
                      {"buckets", std::int64_t{12}},
                      {"load", std::int64_t{12}},
                      {"keys", "uniform"},
                      {"placement", "spread"}});
  };
  EXPECT_FALSE(left_out(served_table)) << "one thread alone is a client beside a server";
  EXPECT_FALSE(left_out(served_table_yielding));
  EXPECT_TRUE(left_out("mcs"));
}

}  // namespace
}  // namespace synchro::experiments::hashtable
