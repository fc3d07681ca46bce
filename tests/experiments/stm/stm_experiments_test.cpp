#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../machine_of.hpp"
#include "../standing_clock.hpp"
#include "experiments/framework/runner.hpp"
#include "experiments/stm/bank.hpp"
#include "experiments/stm/means.hpp"
#include "experiments/stm/memories.hpp"
#include "experiments/stm/set.hpp"
#include "experiments/stm/stm.hpp"
#include "platform/topology.hpp"

namespace synchro::experiments {
namespace {

using tests::machine_of;

using namespace transactions;

/// Not pinned: there may be one processor.
task brief(unsigned updates, unsigned threads = 3, unsigned buckets = 4) {
  return {{}, threads, 32, buckets, updates, 1e6, 7};
}

/// Of three threads, one serves where there are servers.
void expect_sound(const outcome& o, const std::string& name) {
  EXPECT_EQ(o.broken, std::nullopt) << name;
  EXPECT_EQ(o.threads.size(), name.starts_with("messages") ? 2U : 3U) << name;
  for (const tally& t : o.threads) {
    EXPECT_GT(t.transactions, 0U) << name;
    EXPECT_EQ(t.attempts >= t.transactions, o.counts_attempts) << name;
  }
  EXPECT_GT(o.duration(), 0U);
}

TEST(StmBodies, KeepTheirInvariantsByEveryMeans) {
  for (const means& m : all_means()) {
    if (!m.is_here) continue;
    const bodies run = bodies_of_means(m.name);
    expect_sound(run.bank(brief(50)), m.name);
    expect_sound(run.set(brief(50)), m.name);
    expect_sound(run.set(brief(100, 3, 1)), m.name);
  }
}

TEST(StmBodies, DoWhatTheyAreToldOnly) {
  const bodies stm = bodies_of_means("stm");
  for (const tally& t : stm.set(brief(0)).threads) EXPECT_EQ(t.added, 0);
  const outcome alone = stm.bank(brief(100, 1));
  EXPECT_EQ(alone.sum(&tally::attempts), alone.sum(&tally::transactions)) << "alone nothing begins again";
}

/// What a search finds is asked for: a compiler would drop the search.
TEST(StmBodies, CountWhatLookUpsFind) {
  set<by_one_lock<std::mutex>> keys{brief(0)};
  tally mine;
  const std::vector<choice> choices = draw_choices(keys.places(brief(0)), 1);
  for (const choice& c : choices) keys.step(c, 0, mine);
  EXPECT_EQ(mine.found, choices.size() / 2) << "every second key is there";
}

TEST(StmChoices, AreOfEachKindAndPlaceAsOftenAsOfAnyOther) {
  const std::vector<choice> all = draw_choices(1024, 1);
  ASSERT_EQ(all.size(), 4096U);
  std::map<std::uint32_t, int> one, other, kind;
  unsigned as_before = 0;
  for (std::size_t i = 0; i != all.size(); ++i) {
    ++one[all[i].one], ++other[all[i].other], ++kind[all[i].kind];
    EXPECT_LT(all[i].amount, 100);
    as_before += i > 0 && all[i].one == all[i - 1].one + 1 ? 1U : 0U;
  }
  EXPECT_LT(as_before, 100U) << "not in order";
  for (const auto& places : {one, other}) {
    ASSERT_EQ(places.size(), 1024U);
    for (const auto& [place, times] : places) EXPECT_EQ(times, 4) << place;
  }
  ASSERT_EQ(kind.size(), std::size_t{choice::kinds});
  for (const auto& [which, times] : kind) EXPECT_NEAR(times, 4096.0 / choice::kinds, 1) << which;
  EXPECT_EQ(draw_choices(100'000, 1).size(), 200'000U);
  EXPECT_EQ(draw_choices(1'000'000, 1).size(), std::size_t{1} << 20);
  EXPECT_NE(draw_choices(1024, 2).front().one, all.front().one);
}

/// Loses the first write that would have changed something, and no other: what is lost now and then cancels out now and then.
class leaky : public by_one_lock<std::mutex> {
 public:
  template <class F>
  auto atomically(F&& f) {
    access all{{}, &lost_};
    return f(all);
  }
  template <class F>
  auto read_only(F&& f) {
    return atomically(f);
  }

 private:
  struct access : bare_access {
    bool* lost;
    template <class T>
    void write(bare_variable<T>& x, T v) const {
      if (*lost || read(x) == v)
        bare_access::write(x, v);
      else
        *lost = true;
    }
  };
  bool lost_ = false;
};

TEST(StmBodies, NoticeLostWrites) {
  const auto why = [](const outcome& o) { return o.broken.value_or("nothing is wrong"); };
  EXPECT_NE(why(play<bank<leaky>>(brief(50, 1))).find(" audits found another total than there was"), std::string::npos);
  EXPECT_NE(why(play<bank<leaky>>(brief(100, 1))).find("the accounts have "), std::string::npos);
  EXPECT_NE(why(play<transactions::set<leaky>>(brief(100, 1))).find("the set has "), std::string::npos);
}

TEST(StmBodies, KnowASetFromItsTallies) {
  transactions::set<by_one_lock<std::mutex>> keys{brief(0)};
  tally t;
  EXPECT_TRUE(keys.contains(0));
  EXPECT_FALSE(keys.contains(1));
  EXPECT_TRUE(keys.insert(1));
  EXPECT_FALSE(keys.insert(1));
  EXPECT_TRUE(keys.erase(0));
  EXPECT_FALSE(keys.erase(0));
  EXPECT_TRUE(keys.erase(2));
  EXPECT_EQ(keys.broken({t}), "the set has 31 keys, where 32 are due");
  t.added = -1;
  EXPECT_EQ(keys.broken({t}), std::nullopt);
}

/// Notes what each transaction reads.
class noting : public by_one_lock<std::mutex> {
 public:
  using path = std::vector<const void*>;
  static std::vector<path>& paths() {
    static std::vector<path> all;
    return all;
  }

  template <class F>
  auto atomically(F&& f) {
    paths().emplace_back();
    access all;
    return f(all);
  }
  template <class F>
  auto read_only(F&& f) {
    return atomically(f);
  }

 private:
  struct access : bare_access {
    template <class T>
    T read(const bare_variable<T>& x) const {
      paths().back().push_back(&x);
      return bare_access::read(x);
    }
  };
};

/// What was drawn before comes again and again; what is drawn while the clock runs does not.
template <class Workload>
void expect_drawn_before(const task& t) {
  noting::paths().clear();
  EXPECT_EQ(play<Workload>(t).broken, std::nullopt);
  const std::vector<noting::path> seen = std::exchange(noting::paths(), {});
  const std::size_t drawn = choices_of<Workload>(t, 0).size();
  ASSERT_GT(seen.size(), 2 * drawn);
  EXPECT_GT(std::set(seen.begin(), seen.end()).size(), t.elements / 2) << "not always the same";
  for (std::size_t i = drawn; i != seen.size(); ++i) ASSERT_EQ(seen[i], seen[i - drawn]) << "transaction " << i;
}

TEST(StmBodies, DrawNothingWhileTheClockRuns) {
  expect_drawn_before<bank<noting, tests::standing_clock>>(brief(100, 1));
  expect_drawn_before<transactions::set<noting, tests::standing_clock>>(brief(0, 1, 1));
  expect_drawn_before<transactions::set<noting, tests::standing_clock>>(brief(0, 1, 8));
}

TEST(StmRecord, SaysWhatOutcomesComeTo) {
  outcome o;
  o.threads = {{100, 150, 0, 0, 0, 1000}, {300, 350, 0, 0, 0, 1000}};
  o.counts_attempts = true;
  repetition r = record_stm(o, 500);
  ASSERT_EQ(r.observations.size(), 3U);
  EXPECT_DOUBLE_EQ(r.observations[0].value, 400 / 500e-9);
  EXPECT_DOUBLE_EQ(r.observations[1].value, 0.2);
  EXPECT_DOUBLE_EQ(r.observations[2].value, 400.0 * 400 / (2 * (100.0 * 100 + 300.0 * 300)));
  EXPECT_EQ(r.broken, std::nullopt);
  o.threads.pop_back();
  o.counts_attempts = false;
  o.broken = "no";
  r = record_stm(o, 500);
  EXPECT_EQ(r.observations.size(), 1U);
  EXPECT_EQ(r.unavailable.at("aborts"), "it does not report how often it restarted");
  EXPECT_EQ(r.unavailable.at("fairness"), "there is only one thread");
  EXPECT_EQ(r.broken, "no");
}

TEST(StmExperiments, PlanEveryMeans) {
  for (const experiment& e : {stm_bank(), stm_list(), stm_hashtable()}) {
    for (const level l : {level::quick, level::standard}) {
      std::set<std::string> names;
      for (const planned_cell& c : make_plan(machine_of(4, l), {&e}).cells) {
        const std::string name = c.at.word("means");
        EXPECT_EQ(c.unavailable.has_value(), !means_of(name).is_here);
        names.insert(name);
      }
      EXPECT_EQ(names.size(), l == level::quick ? 6U : all_means().size()) << e.name;
    }
  }
}

TEST(StmExperiments, MeasureACell) {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  for (const experiment& e : {stm_bank(), stm_list(), stm_hashtable()}) {
    const repetition r = e.measure(s,
                                   {{"means", "stm"},
                                    {"threads", std::int64_t{2}},
                                    {"elements", std::int64_t{64}},
                                    {"updates", std::int64_t{50}},
                                    {"placement", "compact"}},
                                   1);
    EXPECT_EQ(r.broken, std::nullopt) << e.name;
    EXPECT_EQ(r.observations.size(), 3U) << e.name;
    EXPECT_GT(r.observations.front().value, 0) << e.name;
  }
}

coordinates by(const std::string& name, std::int64_t threads) {
  return {{"means", name},
          {"threads", threads},
          {"elements", std::int64_t{64}},
          {"updates", std::int64_t{50}},
          {"placement", "compact"}};
}

TEST(StmExperiments, GiveClientsAndServersAProcessorEach) {
  for (const experiment& e : {stm_bank(), stm_list(), stm_hashtable()}) {
    const auto processors = [&](const std::string& name, std::int64_t threads) {
      return e.processors(machine_of(4), by(name, threads)).size();
    };
    EXPECT_EQ(processors("messages", 1), 2U) << e.name << ": one thread alone is a client beside a server";
    EXPECT_EQ(processors("messages/greedy", 1), 2U) << e.name;
    EXPECT_EQ(processors("messages", 4), 4U) << e.name;
    EXPECT_EQ(processors("stm", 1), 1U) << e.name;
  }
}

TEST(StmExperiments, AskNoServerOnTheClientsOwnProcessor) {
  for (const experiment& e : {stm_bank(), stm_list(), stm_hashtable()}) {
    EXPECT_EQ(e.unavailable(machine_of(1), by("messages", 1)),
              "one thread alone is a client beside a server, and they need a processor each");
    EXPECT_EQ(e.unavailable(machine_of(2), by("messages", 1)), std::nullopt);
    EXPECT_EQ(e.unavailable(machine_of(1), by("stm", 1)), std::nullopt);
  }
}

TEST(StmExperiments, SpreadTheClientFromItsServer) {
  setting s;
  s.machine = platform::topology_from_synthetic("package:2 core:2 pu:1");
  const experiment e = stm_bank();
  const auto left_out = [&](const std::string& name) {
    coordinates at = by(name, 1);
    at.set("placement", "spread");
    return e.skip(s, at);
  };
  EXPECT_FALSE(left_out("messages"));
  EXPECT_TRUE(left_out("stm")) << "one thread stands where it stands";
}

TEST(StmExperiments, RefuseAnUnknownMeans) {
  const experiment e = stm_list();
  setting s = machine_of(2);
  s.chosen = {{"means", {"hope"}}};
  EXPECT_THROW((void)make_plan(s, {&e}), std::exception);
  EXPECT_THROW((void)means_of("hope"), std::invalid_argument);
}

}  // namespace
}  // namespace synchro::experiments
