#include <gtest/gtest.h>

#include "results/samples.hpp"
#include "views/as_declared.hpp"

namespace synchro::views {

using namespace results;
namespace {

using samples::around;
using samples::complete_document;
using samples::made;
using samples::whole;
using list = std::vector<cell>;

nlohmann::ordered_json findings_of(const list& cells) {
  document d = complete_document(cells);
  d.topology["processors"] = {0, 1};
  return chart_findings(d, experiments::all_presentations());
}

cell pair(int from, int to, double ns, double half_width = 0.01) {
  return made("coherence.pairs", {{"protocol", "cas"}, {"from", whole(from)}, {"to", whole(to)}}, "latency", "ns",
              around(ns, half_width));
}

cell rate(const std::string& lock, int threads, double per_second, double half_width = 0.01) {
  return made("locks.throughput",
              {{"lock", lock}, {"locks", whole(1)}, {"threads", whole(threads)}, {"protocol", "saturated"}},
              "throughput", "op/s", around(per_second, half_width), better::higher);
}

cell wake(const std::string& primitive, double ns, double half_width = 0.01) {
  return made("wake.broadcast", {{"primitive", primitive}, {"threads", whole(1)}}, "calls_per_trigger", "1",
              around(ns, half_width));
}

TEST(ChartFindings, HaveNothingToSayOfNothing) { EXPECT_TRUE(findings_of({}).empty()); }

TEST(ChartFindings, AreTheSentencesOfTheSummaryAtTheChartOfTheHeadline) {
  const list cells = {pair(0, 1, 30), pair(1, 0, 30)};
  document d = complete_document(cells);
  d.topology["processors"] = {0, 1};
  const auto told = summary(d);
  const auto found = findings_of(cells);
  ASSERT_TRUE(found.contains("coherence.pairs-map")) << found.dump();
  EXPECT_EQ(found["coherence.pairs-map"][0], told.front());
}

TEST(ChartFindings, NameWhoLeadsWithTheMostThreads) {
  const auto found =
      findings_of({rate("mcs", 1, 9e7), rate("tas", 1, 9.5e7), rate("mcs", 4, 4e7), rate("tas", 4, 1e7)});
  EXPECT_EQ(found["locks.throughput-threads"][0],
            "Throughput (threads 4, locks 1): mcs has 40.0 million times a second (39.6 to 40.4); tas has 10.0 million "
            "times a second (9.90 to 10.1). The larger is 4.00 times as much.")
      << found.dump(1);
}

TEST(ChartFindings, CallNobodyFirstWhoCannotBeToldApart) {
  const auto found = findings_of({rate("mcs", 4, 4e7), rate("tas", 4, 4e7)});
  EXPECT_EQ(found["locks.throughput-threads"][0],
            "Throughput (threads 4, locks 1): no difference between the 2 is resolved.");
}

TEST(ChartFindings, LeaveOutWhatIsDoubtful) {
  const auto found = findings_of({rate("mcs", 4, 4e7), rate("tas", 4, 1e7), rate("wild", 4, 9e9, 0.5)});
  EXPECT_EQ(found.dump().find("wild"), std::string::npos) << found.dump();
  EXPECT_FALSE(
      findings_of({rate("wild", 4, 9e9, 0.5), rate("bare", 4, 8e9, 0.6)}).contains("locks.throughput-threads"));
}

TEST(ChartFindings, SayWhereTheyHold) {
  const auto access = [](const char* operation, double ns) {
    return made("coherence.states", {{"operation", operation}, {"state", "modified"}, {"distance", "same_cache"}},
                "latency", "ns", around(ns));
  };
  const auto found = findings_of({access("load", 30), access("cas", 60)});
  ASSERT_TRUE(found.contains("coherence.states-operations")) << found.dump();
  EXPECT_EQ(found["coherence.states-operations"][0],
            "Latency (state modified, distance same_cache): load has 30.0 ns (29.7 to 30.3); cas has 60.0 ns (59.4 to "
            "60.6). The larger is 2.00 times as much.");
}

TEST(ChartFindings, StandAtEachChartThatHasSomethingToCompare) {
  const auto found = findings_of({wake("event", 1), wake("linux/futex", 3)});
  ASSERT_TRUE(found.contains("wake.broadcast-underneath")) << found.dump();
  EXPECT_NE(found["wake.broadcast-underneath"][0].get<std::string>().find("event has 1.00"), std::string::npos)
      << found.dump();
}

}  // namespace
}  // namespace synchro::views
