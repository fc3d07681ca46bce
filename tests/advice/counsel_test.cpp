// All of the advice, as it is handed out.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "advice/advise.hpp"
#include "advice/locks.hpp"
#include "book_of_locks.hpp"
#include "simulate/modelled.hpp"

namespace synchro::tests {
namespace {

const std::vector<std::string> topics{"lock", "sharding", "delegation", "waking", "group", "permits", "forking"};

TEST(Counsel, SaysSomethingOfEachTopicAndWhatItRestsOn) {
  book b{8};
  add_locks(b, {.threads = 8}, {{"mcs", 5}, {"mutex", 4}});
  const knowledge all{b};
  const advice::counsel c = advice::advise(all.document(), {});
  EXPECT_EQ(c.of.threads, 8);
  ASSERT_EQ(c.advice.size(), topics.size());
  for (std::size_t i = 0; i < topics.size(); ++i) {
    EXPECT_EQ(c.advice[i].topic, topics[i]);
    EXPECT_FALSE(c.advice[i].because.empty());
    EXPECT_NE(c.advice[i].figures.empty(), c.advice[i].rule.empty()) << topics[i] << " rests on figures or on a rule";
  }
  std::istringstream lines{in_words(c, 80)};
  std::string line;
  std::size_t count = 0;
  for (; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_LE(count, 30U);
}

TEST(Counsel, AsJsonHoldsTheCells) {
  book b{8};
  add_locks(b, {.threads = 8}, {{"mcs", 5}, {"mutex", 4}});
  const knowledge all{b};
  const auto j = to_json(advice::advise(all.document(), {.fair = true}), all.document());
  EXPECT_EQ(j.at("schema"), "synchroscope-advice/1");
  EXPECT_EQ(j.at("workload").at("threads"), 8);
  EXPECT_EQ(j.at("workload").at("fair"), true);
  EXPECT_EQ(j.at("machine").at("processors"), 8);
  ASSERT_EQ(j.at("advice").size(), topics.size());
  const auto of_all = to_json(advice::advise(all.document(), {}), all.document());
  const auto& lock = of_all.at("advice").at(0);
  EXPECT_EQ(lock.at("take"), "mcs");
  EXPECT_EQ(lock.at("confidence"), "high");
  EXPECT_TRUE(lock.at("rule").is_null());
  EXPECT_EQ(lock.at("figures").at(0).at("metric"), "throughput");
  EXPECT_FALSE(lock.at("figures").at(0).contains("samples"));
}

TEST(Counsel, NeedsToKnowTheProcessors) {
  results::document d = book{4};
  d.topology = nlohmann::ordered_json::object();
  EXPECT_THROW((void)advice::advise(d, {}), std::runtime_error);
  EXPECT_THROW((void)advice::taken_together({d}), std::runtime_error);
  EXPECT_THROW((void)advice::taken_together({}), std::runtime_error);
}

TEST(SeveralFiles, AreOfOneMachineAndLaterOnesCount) {
  book old{8}, fresh{8}, other{4};
  add_locks(old, {}, {{"mcs", 5}, {"mutex", 4}});
  add_locks(fresh, {}, {{"mcs", 3}, {"mutex", 4}});
  const advice::workload w{.threads = 4, .critical_ns = 0};
  EXPECT_EQ(advice::advise(advice::taken_together({old, fresh}), w).advice[0].take, "mutex");
  EXPECT_EQ(advice::advise(advice::taken_together({fresh, old}), w).advice[0].take, "mcs");
  EXPECT_THROW((void)advice::taken_together({old, other}), std::runtime_error);
  results::document two = old;
  for (const char* const machine : {"opteron", "xeon"})
    two.cells[machine[0] == 'x'].at.set("machine", std::string{machine});
  EXPECT_THROW((void)advice::taken_together({two}), std::runtime_error);
}

TEST(OnAModel, TheCellsThatTheWorkloadAsksForAreSimulated) {
  const auto m = std::make_shared<const simulator::model>(simulator::load_model("opteron-2384"));
  const advice::workload w{.threads = 4, .critical_ns = 50, .gap_ns = 400};
  const results::document d = simulate::simulated_for(w, m);
  const advice::counsel c = advice::advise(d, w);
  EXPECT_EQ(c.processors, 8);
  for (const char* const topic : {"lock", "sharding", "waking", "group"}) {
    const auto found = std::find_if(c.advice.begin(), c.advice.end(), [&](const auto& r) { return r.topic == topic; });
    EXPECT_FALSE(found->figures.empty()) << topic;
  }
  EXPECT_NE(c.advice[0].because.find("At 4 threads, 1 lock, 50.0 ns inside, 400 ns between:"), std::string::npos)
      << c.advice[0].because;
  const results::document asleep = simulate::simulated_for({.threads = 16, .sleeps = true, .fair = true}, m);
  for (const results::cell& cell : asleep.cells)
    if (cell.experiment == results::measured::locks_throughput) {
      EXPECT_TRUE(advice::facts_of(claims::word_at(cell, "lock"))->parks) << claims::word_at(cell, "lock");
    }
}

}  // namespace
}  // namespace synchro::tests
