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

/// Something of every topic that is measured; the better of each is far ahead if `apart`.
results::document of_every_topic(bool apart) {
  using namespace results::experiment_names;
  book b{4};
  const double factor = apart ? 2 : 1;
  for (const std::int64_t threads : {4, 8})
    for (const std::int64_t locks : {1, 4})
      add_locks(b, {.threads = threads, .locks = locks},
                {{"mutex", (locks == 1 ? 4 : 4 * factor)}, {"tas", 4 / factor}});
  for (const auto& [name, ns] : {std::pair{"event", 9000.0}, {"linux/futex", 9000.0 * factor}})
    b.add(wake_broadcast, {{"primitive", name}, {"threads", 7}}, "wake_last", "ns", ns)
        .add(forkjoin_breakeven, {{"primitive", name}, {"threads", 4}}, "pays_from", "ns", 4 * ns);
  b.add(wake_groups, {{"primitive", "event"}, {"threads", 7}}, "wake_best", "ns", 9000)
      .add(wake_groups, {{"primitive", "event"}, {"threads", 7}}, "best_group", "1", 3)
      .add(wake_groups, {{"primitive", "event"}, {"threads", 7}}, "gain", "1", factor);
  for (const auto& [name, rate] : {std::pair{"mutex", 3.0}, {"cc_synch", 3.0 * factor}})
    b.add(delegation_throughput,
          {{"delegate", name}, {"threads", 8}, {"lines", 1}, {"gap", 0}, {"placement", "compact"}}, "throughput",
          "op/s", rate * 1e6);
  for (const std::int64_t permits : {4, 0})
    b.add(throttle_sum, {{"variant", "integer"}, {"permits", permits}, {"threads", 8}}, "time", "ns",
          permits == 0 ? 1e9 * factor : 1e9);
  return b;
}

TEST(Counsel, IsSureOfNothingThatRestsOnFiguresThatAreNot) {
  const advice::workload w{.threads = 8, .critical_ns = 0, .gap_ns = 1000};
  std::size_t high = 0;
  for (const bool apart : {false, true}) {
    const results::document sure = of_every_topic(apart);
    for (const auto& r : advice::advise(sure, w).advice) high += r.sure == advice::confidence::high ? 1 : 0;
    const advice::counsel none = advice::advise(flagged(sure), w);
    EXPECT_NE(none.doubt.value_or("").find("no value is sure"), std::string::npos);
    EXPECT_TRUE(in_words(none, 80).starts_with("No reliable finding")) << in_words(none, 80);
    for (const auto& r : none.advice) EXPECT_TRUE(r.figures.empty()) << apart << ' ' << r.topic << ": " << r.because;
    EXPECT_FALSE(advice::advise(sure, w).doubt);
    results::document one = sure;
    for (std::size_t i = 0; i < sure.cells.size(); ++i) {
      one.cells[i].quality = results::flag::unreliable;
      for (const auto& r : advice::advise(one, w).advice) {
        const bool unsure = std::any_of(r.figures.begin(), r.figures.end(),
                                        [](const results::cell& c) { return c.quality == results::flag::unreliable; });
        EXPECT_FALSE(unsure && r.sure == advice::confidence::high) << apart << ' ' << r.topic << ": " << r.because;
      }
      one.cells[i].quality = sure.cells[i].quality;
    }
  }
  EXPECT_GE(high, topics.size()) << "what is to be bounded is there";
}

TEST(Counsel, NeedsToKnowTheProcessors) {
  results::document d = book{4};
  d.topology = nlohmann::ordered_json::object();
  EXPECT_THROW((void)advice::advise(d, {}), std::runtime_error);
  EXPECT_THROW((void)advice::taken_together({d}), std::runtime_error);
  EXPECT_THROW((void)advice::taken_together({}), std::runtime_error);
}

TEST(Counsel, IsNotGivenByAnEmulator) {
  results::document d = book{4};
  EXPECT_NO_THROW((void)advice::taken_together({d}));
  d.machine["emulation"] = "qemu-aarch64";
  EXPECT_THROW((void)advice::taken_together({d}), std::runtime_error);
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
    if (cell.experiment == results::experiment_names::locks_throughput) {
      EXPECT_TRUE(advice::facts_of(claims::word_at(cell, "lock"))->parks) << claims::word_at(cell, "lock");
    }
}

}  // namespace
}  // namespace synchro::tests
