#include <gtest/gtest.h>

#include "views/as_declared.hpp"
#include "views/cells.hpp"

namespace synchro::views {

using namespace results;
namespace {

nlohmann::ordered_json findings_of(const list& cells) {
  return chart_findings(on_two(cells), experiments::all_presentations());
}

/// What stands first at a chart: the experiment's own sentences, else those of the first place that can be chosen.
nlohmann::ordered_json told_of(const list& cells, const std::string& chart, const std::string& metric) {
  const auto found = findings_of(cells);
  if (!found.contains(chart) || !found[chart].contains(metric)) return nlohmann::ordered_json::array();
  const auto& here = found[chart][metric];
  return here["own"].empty() ? here["places"].at(0)["told"] : here["own"];
}

TEST(ChartFindings, HaveNothingToSayOfNothing) { EXPECT_TRUE(findings_of({}).empty()); }

TEST(ChartFindings, AreTheSentencesOfTheSummaryAtTheChartOfTheHeadline) {
  const list cells = {pair(0, 1, 30), pair(1, 0, 30)};
  const auto told = summary(on_two(cells));
  const auto found = findings_of(cells);
  ASSERT_TRUE(found.contains("coherence.pairs-map")) << found.dump();
  EXPECT_EQ(found["coherence.pairs-map"]["latency"]["own"][0], told.front());
}

TEST(ChartFindings, NameWhoLeadsWithTheMostThreads) {
  const auto told = told_of({rate("mcs", 1, 9e7), rate("tas", 1, 9.5e7), rate("mcs", 4, 4e7), rate("tas", 4, 1e7)},
                            "locks.throughput-threads", "throughput");
  EXPECT_EQ(told[0],
            "Throughput (threads 4, locks 1, protocol saturated): 40.0 million times a second (39.6 to 40.4) with mcs; "
            "10.0 million times a second (9.90 to 10.1) with tas. The larger is 4.00 times as much.")
      << told.dump(1);
}

TEST(ChartFindings, OfThePapersProtocolRestOnItsCellsOnly) {
  const auto paused = [](cell c) {
    c.at.set("protocol", "paused");
    return c;
  };
  const list saturated{rate("mcs", 4, 4e7), rate("tas", 4, 1e7)};
  EXPECT_FALSE(findings_of(saturated).contains("locks.throughput-paused"));
  list both = saturated;
  both.push_back(paused(rate("mcs", 4, 3e7)));
  both.push_back(paused(rate("tas", 4, 2e7)));
  EXPECT_EQ(told_of(both, "locks.throughput-threads", "throughput"),
            told_of(saturated, "locks.throughput-threads", "throughput"));
  EXPECT_EQ(
      told_of(both, "locks.throughput-paused", "throughput")[0],
      "Throughput (threads 4, locks 1, protocol paused, with pauses in between): 30.0 million times a second (29.7 to "
      "30.3) with mcs; 20.0 million times a second (19.8 to 20.2) with tas. The larger is 50 % more.");
}

TEST(ChartFindings, OfTheBestLockAreAboutThePapersNumbersOfLocksWhereTheseAreDrawnFirst) {
  const auto of_many = [](cell c) {
    c.at.set("locks", std::int64_t{16});
    return c;
  };
  list cells{rate("mcs", 4, 4e7), rate("tas", 4, 1e7)};
  const std::string one = told_of(cells, "locks.throughput-best", "throughput")[0];
  EXPECT_TRUE(one.starts_with("Throughput (threads 4, locks 1, protocol saturated): 40.0 million")) << one;
  cells.push_back(of_many(rate("mcs", 4, 2e7)));
  cells.push_back(of_many(rate("tas", 4, 3e7)));
  const std::string many = told_of(cells, "locks.throughput-best", "throughput")[0];
  EXPECT_TRUE(many.starts_with("Throughput (threads 4, locks 16, protocol saturated): 30.0 million")) << many;
}

TEST(ChartFindings, AreThereForEachPlaceThatCanBeChosen) {
  const auto at = [](const char* protocol, std::int64_t locks, cell c) {
    c.at.set("protocol", protocol);
    c.at.set("locks", locks);
    return c;
  };
  const list cells{at("saturated", 1, rate("mcs", 4, 4e7)), at("saturated", 1, rate("tas", 4, 1e7)),
                   at("paused", 512, rate("mcs", 4, 3e7)), at("paused", 512, rate("tas", 4, 2e7))};
  const auto found = findings_of(cells);
  const auto& by_rate = found.at("locks.throughput-threads").at("throughput");
  EXPECT_TRUE(by_rate["own"].empty());
  ASSERT_EQ(by_rate["places"].size(), 2U) << found.dump(1);
  EXPECT_EQ(by_rate["places"][1]["at"]["locks"], 512);
  EXPECT_EQ(by_rate["places"][1]["at"]["protocol"], "paused");
  EXPECT_FALSE(by_rate["places"][1]["at"].contains("threads")) << "the chart draws them";
  EXPECT_EQ(by_rate["places"][1]["told"][0],
            "Throughput (threads 4, locks 512, protocol paused, with pauses in between): 30.0 million times a second "
            "(29.7 to "
            "30.3) with mcs; 20.0 million times a second (19.8 to 20.2) with tas. The larger is 50 % more.");
}

TEST(ChartFindings, SayNothingTwice) {
  // The tour's sentence is about hand-offs; rates have their places alone, and a chart without sentences of its own none.
  const std::string text = findings_of({rate("mcs", 4, 4e7), rate("tas", 4, 1e7)})["locks.throughput-threads"].dump();
  const std::string sentence = "Throughput (threads 4";
  EXPECT_NE(text.find(sentence), std::string::npos) << text;
  EXPECT_EQ(text.find(sentence), text.rfind(sentence)) << text;
}

TEST(ChartFindings, HaveOnePlaceWhereNothingCanBeChosen) {
  list cells = {pair(0, 1, 30), pair(0, 2, 90), pair(1, 2, 60)};
  const auto places = findings_of(cells)["coherence.pairs-map"]["latency"]["places"];
  ASSERT_EQ(places.size(), 1U) << places.dump(1);
  EXPECT_EQ(places[0]["at"].dump(), R"({"protocol":"cas"})");
}

TEST(ChartFindings, CallNobodyFirstWhoCannotBeToldApart) {
  const auto told = told_of({rate("mcs", 4, 4e7), rate("tas", 4, 4e7)}, "locks.throughput-threads", "throughput");
  EXPECT_EQ(told[0], "Throughput (threads 4, locks 1, protocol saturated): no difference between the 2 is resolved.");
}

TEST(ChartFindings, LeaveOutWhatIsDoubtful) {
  const auto found = findings_of({rate("mcs", 4, 4e7), rate("tas", 4, 1e7), rate("wild", 4, 9e9, 0.5)});
  EXPECT_EQ(found.dump().find("wild"), std::string::npos) << found.dump();
  EXPECT_FALSE(
      findings_of({rate("wild", 4, 9e9, 0.5), rate("bare", 4, 8e9, 0.6)}).contains("locks.throughput-threads"));
}

TEST(ChartFindings, SayWhereTheyHold) {
  const auto free_lock = [](const char* lock, double ns) {
    return made("locks.uncontested", {{"lock", lock}, {"distance", "same_cache"}}, "release", "ns", around(ns));
  };
  const auto told = told_of({free_lock("mcs", 30), free_lock("tas", 60)}, "locks.uncontested-distance", "release");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0],
            "Release (distance same_cache): 30.0 ns (29.7 to 30.3) with mcs; 60.0 ns (59.4 to 60.6) with tas. The "
            "larger is 2.00 times as much.");
}

TEST(ChartFindings, StandAtEachChartThatHasSomethingToCompare) {
  const auto told =
      told_of({wake("event", "calls_per_trigger", "1", 1), wake("linux/futex", "calls_per_trigger", "1", 3)},
              "wake.broadcast-underneath", "calls_per_trigger");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].get<std::string>().find("(0.990 to 1.01) with event"), std::string::npos) << told;
}

TEST(ChartFindings, FollowTheMetricThatIsShown) {
  const auto found = findings_of({contender("mcs", 2, 100), contender("tas", 2, 4000), rate("mcs", 2, 1e7),
                                  rate("tas", 2, 8e7)})["locks.throughput-ranking"];
  ASSERT_EQ(found.size(), 2U) << found.dump(1);
  EXPECT_EQ(found.begin().key(), "handoff_time") << "in the order of the chart";
  EXPECT_NE(found["handoff_time"]["own"].dump().find("passes to another thread every 100 ns"), std::string::npos)
      << "the experiment's own sentence is about its first metric";
  EXPECT_EQ(found["throughput"]["places"][0]["told"][0],
            "Throughput (threads 2, locks 1, protocol saturated): 80.0 million times a second (79.2 to 80.8) with tas; "
            "10.0 million times a second (9.90 to 10.1) with mcs. The larger is 8.00 times as much.");
}

TEST(ChartFindings, CountThePairsThatAreTied) {
  list cells = {pair(0, 1, 30), pair(0, 2, 90), disturbed(pair(1, 0, 30.01)), pair(2, 0, 60)};
  for (cell& c : cells) c.metric = "latency_cycles";
  EXPECT_EQ(told_of(cells, "coherence.pairs-map", "latency_cycles")[0],
            "Latency cycles: least between 0 and 1, 30.0 ns (29.7 to 30.3), not distinguishable from 1 other; most "
            "between 0 and 2, 90.0 ns (89.1 to 90.9).");
}

TEST(ChartFindings, LeaveOutWhatIsMeasuredToBeComparedWith) {
  const auto instruction = [](const char* name, double ns) { return access(name, "same_cpu", ns, "none"); };
  const auto found =
      findings_of({instruction("nop", 0.05), instruction("pause", 20), access("load", "same_cache", 30)});
  EXPECT_FALSE(found.contains("coherence.states-operations")) << found.dump();
}

}  // namespace
}  // namespace synchro::views
