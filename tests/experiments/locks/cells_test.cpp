// Which cells the lock experiments have, and that each can be measured.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "experiments/framework/runner.hpp"
#include "experiments/framework/usage_error.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/locks.hpp"

namespace synchro::experiments {
namespace {

coordinate word(const char* text) { return std::string{text}; }

setting on(const char* synthetic, level l = level::quick) {
  setting s;
  s.machine = platform::topology_from_synthetic(synthetic);
  s.thoroughness = l;
  return s;
}

std::set<std::string> values_in(const plan& p, const std::string& axis) {
  std::set<std::string> values;
  for (const planned_cell& c : p.cells) values.insert(results::to_string(*c.at.find(axis)));
  return values;
}

TEST(locks_throughput, quick_covers_every_lock_and_peer) {
  const experiment e = locks_throughput();
  setting s = on("core:2 pu:1");
  s.chosen = {{"threads", {coordinate{1}, coordinate{2}, coordinate{16}}}};
  const plan p = make_plan(s, {&e});
  EXPECT_EQ(values_in(p, "lock").size(), all_locks().size());
  EXPECT_EQ(values_in(p, "threads"), (std::set<std::string>{"1", "16", "2"}));
}

TEST(locks_throughput, compares_like_with_like) {
  for (const experiment& e : {locks_throughput(), locks_ticket()}) {
    for (const level l : {level::quick, level::standard, level::full}) {
      std::set<std::pair<std::string, std::int64_t>> teams;
      for (const planned_cell& c : make_plan(on("core:4 pu:1", l), {&e}).cells) {
        teams.insert({c.at.word("protocol"), c.at.number("threads")});
        if (c.at.find("gap") != nullptr) {
          EXPECT_EQ(c.at.number("gap"), 0);
        }
      }
      for (const auto& [protocol, threads] : std::set{teams})
        EXPECT_TRUE(teams.contains({protocol == "paused" ? "saturated" : "paused", threads})) << e.name << threads;
    }
  }
}

TEST(locks_throughput, takes_the_pause_that_the_user_sets) {
  const experiment e = locks_throughput();
  setting s = on("core:2 pu:1");
  s.chosen = {{"gap", {coordinate{0}, coordinate{77}}}};
  EXPECT_EQ(values_in(make_plan(s, {&e}), "gap"), (std::set<std::string>{"0", "77"}));
}

TEST(locks_throughput, has_readers_where_the_lock_has) {
  const experiment e = locks_throughput();
  const plan p = make_plan(on("core:2 pu:1"), {&e});
  std::set<std::string> with_readers;
  for (const planned_cell& c : p.cells)
    if (c.at.number("readers") != 0) with_readers.insert(c.at.word("lock"));
  std::set<std::string> shared;
  for (const lock_bodies& row : all_locks())
    if (row.what.shared) shared.insert(row.name);
  EXPECT_EQ(with_readers, shared);
}

TEST(locks_throughput, refuses_what_it_cannot_do) {
  const experiment e = locks_throughput();
  for (const auto& [axis, value] : std::map<std::string, coordinate>{{"readers", coordinate{101}},
                                                                     {"locks", coordinate{0}},
                                                                     {"hold", coordinate{-1}},
                                                                     {"lock", word("mcz")},
                                                                     {"protocol", word("brisk")}}) {
    setting s = on("core:2 pu:1");
    s.chosen = {{axis, {value}}};
    EXPECT_THROW((void)make_plan(s, {&e}), usage_error) << axis;
  }
}

TEST(locks_throughput, spinning_crowds_are_planned_longer_than_parked_ones) {
  const experiment e = locks_throughput();
  const setting s = on("core:2 pu:1");
  const auto seconds = [&](const char* lock) {
    return e.seconds(s, {{"lock", word(lock)}, {"threads", coordinate{16}}});
  };
  EXPECT_GT(seconds("mcs"), seconds("mcs/park"));
}

TEST(locks_ticket, compares_three_variants) {
  const experiment e = locks_ticket();
  EXPECT_EQ(values_in(make_plan(on("core:2 pu:1"), {&e}), "lock"),
            (std::set<std::string>{"ticket", "ticket_plain", "ticket_prefetch"}));
}

TEST(locks_uncontested, takes_its_distances_from_the_machine) {
  const experiment e = locks_uncontested();
  EXPECT_EQ(values_in(make_plan(on("pu:1"), {&e}), "distance"), (std::set<std::string>{"same_cpu"}));
  const setting large = on("package:2 core:2 pu:2");
  std::set<std::string> expected{"same_cpu"};
  for (const platform::distance d : large.machine.distances()) expected.insert(platform::to_string(d));
  EXPECT_GE(expected.size(), 4U);
  EXPECT_EQ(values_in(make_plan(large, {&e}), "distance"), expected);
}

TEST(locks_uncontested, says_why_a_distance_cannot_be_measured) {
  const experiment e = locks_uncontested();
  setting s = on("core:2 pu:1");
  s.chosen = {{"distance", {word("other_package")}}};
  const plan p = make_plan(s, {&e});
  ASSERT_FALSE(p.cells.empty());
  for (const planned_cell& c : p.cells) EXPECT_TRUE(c.unavailable);
}

/// The metrics of which a repetition tells neither a value nor a reason.
std::string silent_about(const experiment& e, const repetition& r) {
  std::string silent;
  for (const metric& m : e.metrics) {
    const bool told = std::any_of(r.observations.begin(), r.observations.end(),
                                  [&](const observation& o) { return o.metric == m.name; });
    if (told == r.unavailable.contains(m.name)) silent += m.name + " ";
  }
  return silent;
}

/// With one processor every experiment still runs, and each declared metric has a value or a reason.
TEST(lock_experiments, run_on_one_processor) {
  setting s;
  s.machine = platform::read_topology();
  s.machine = s.machine.restricted_to({s.machine.processors.front().cpu});
  s.thoroughness = level::quick;
  s.chosen = {{"threads", {coordinate{1}, coordinate{3}}}};
  for (const experiment& e : {locks_ticket(), locks_throughput()})
    for (const planned_cell& c : make_plan(s, {&e}).cells) {
      const std::string& lock = c.at.word("lock");
      if (lock != "ticket" && lock != "mutex" && lock != "std/shared_mutex") continue;
      const repetition r = e.measure(s, c.at, 1);
      EXPECT_EQ(r.broken, std::nullopt);
      EXPECT_EQ(silent_about(e, r), "") << c.at.to_string();
    }
  s.chosen = {};
  const experiment e = locks_uncontested();
  const repetition r = e.measure(s, {{"lock", word("mcs")}, {"distance", word("same_cpu")}}, 1);
  EXPECT_EQ(r.broken, std::nullopt);
  EXPECT_EQ(silent_about(e, r), "");
}

TEST(lock_experiments, crowds_that_spin_say_how_they_were_bounded) {
  setting s;
  s.machine = platform::read_topology();
  s.machine = s.machine.restricted_to({s.machine.processors.front().cpu});
  s.thoroughness = level::quick;
  const coordinates at{{"lock", word("mcs")},     {"locks", coordinate{1}},  {"threads", coordinate{3}},
                       {"hold", coordinate{0}},   {"gap", coordinate{1000}}, {"placement", word("compact")},
                       {"readers", coordinate{0}}};
  const repetition r = locks_throughput().measure(s, at, 1);
  ASSERT_TRUE(r.bounded);
  EXPECT_NE(r.bounded->find("3 threads spin on 1 processor;"), std::string::npos) << *r.bounded;
}

}  // namespace
}  // namespace synchro::experiments
