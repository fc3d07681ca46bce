#include "results/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "results/samples.hpp"
#include "results/statistics.hpp"

namespace synchro::results {
namespace {

using samples::around;
using samples::complete_document;
using samples::made;
using samples::whole;
using samples::without_value;

cell latency(const std::string& lock, double ns, double half_width = 0.01) {
  return made("locks.uncontested", {{"lock", lock}, {"distance", "same_cpu"}}, "acquire", "ns", around(ns, half_width));
}

cell throughput(double per_s) {
  return made("locks.throughput", {{"lock", "mcs"}, {"threads", whole(2)}}, "throughput", "op/s", around(per_s),
              better::higher);
}

compared only_pair(const cell& a, const cell& b) {
  const document first = complete_document({a});
  const document second = complete_document({b});
  comparison c = compare(first, second);
  EXPECT_EQ(c.cells.size(), 1U);
  compared pair = c.cells.at(0);
  pair.a = pair.b = nullptr;  // Gone with the documents.
  return pair;
}

std::size_t resolved(const comparison& c) {
  std::size_t n = 0;
  for (const compared& x : c.cells) n += x.what == verdict::unresolved ? 0 : 1;
  return n;
}

TEST(Compare, AFileWithItselfResolvesNothing) {
  const document d =
      complete_document({latency("tas", 10), latency("mcs", 0.3), throughput(1e7), latency("clh", 0, 0)});
  const comparison c = compare(d, d);
  EXPECT_EQ(c.cells.size(), 4U);
  EXPECT_EQ(resolved(c), 0U);
  EXPECT_TRUE(c.warnings.empty());
  EXPECT_TRUE(c.only_a.empty() && c.only_b.empty());
  for (const compared& x : c.cells) EXPECT_FALSE(x.worse_than(0));
  EXPECT_EQ(*c.cells[0].ratio, 1);
}

TEST(Compare, OneCellThatIsTenPercentSlowerIsFound) {
  const document a = complete_document({latency("tas", 10), latency("mcs", 20), latency("clh", 30)});
  const document b = complete_document({latency("tas", 10), latency("mcs", 22), latency("clh", 30)});
  const comparison c = compare(a, b);
  ASSERT_EQ(resolved(c), 1U);
  const compared& slower = c.cells[1];
  EXPECT_EQ(slower.what, verdict::worse);
  EXPECT_NEAR(*slower.ratio, 1.1, 1e-12);
  EXPECT_GT(slower.ratio_ci->first, 1);
  EXPECT_LT(slower.ratio_ci->first, 1.1);
  EXPECT_GT(slower.ratio_ci->second, 1.1);
  EXPECT_GE(*slower.confidence, 0.95);
  EXPECT_TRUE(slower.worse_than(0.05));
  EXPECT_FALSE(slower.worse_than(0.11));
}

TEST(Compare, TheSameChangeInANoisyCellIsNotResolved) {
  const compared x = only_pair(latency("mcs", 20, 0.2), latency("mcs", 22, 0.2));
  EXPECT_EQ(x.what, verdict::unresolved);
  EXPECT_FALSE(x.worse_than(0.05));
  EXPECT_LT(x.ratio_ci->first, 1);
  EXPECT_GT(x.ratio_ci->second, 1);
}

TEST(Compare, LessThroughputIsWorseAndMoreIsBetter) {
  EXPECT_EQ(only_pair(throughput(1e7), throughput(0.9e7)).what, verdict::worse);
  EXPECT_NEAR(only_pair(throughput(1e7), throughput(1e7 / 1.1)).worse_by, 0.1, 1e-9);
  const compared more = only_pair(throughput(1e7), throughput(1.1e7));
  EXPECT_EQ(more.what, verdict::better);
  EXPECT_FALSE(more.worse_than(0));
}

TEST(Compare, OfAMetricWithoutADirectionNothingIsWorse) {
  cell a = latency("mcs", 10), b = latency("mcs", 20);
  a.direction = b.direction = better::neither;
  const compared x = only_pair(a, b);
  EXPECT_EQ(x.what, verdict::different);
  EXPECT_FALSE(x.worse_than(0.05));
}

TEST(Compare, ValuesThatMayBeZeroHaveNoRatioButADifference) {
  const compared x = only_pair(latency("mcs", 0, 0), latency("mcs", 5));
  EXPECT_FALSE(x.ratio);
  EXPECT_FALSE(x.ratio_ci);
  EXPECT_EQ(x.what, verdict::worse);
  EXPECT_TRUE(x.worse_than(0.05));
  cell negative = latency("mcs", 1);
  for (double& v : negative.samples) v = -v;
  summarize(negative);
  EXPECT_FALSE(only_pair(negative, latency("mcs", 1)).ratio);
}

TEST(Compare, WithoutSamplesTheIntervalsOfTheFilesDecide) {
  cell a = latency("mcs", 10), b = latency("mcs", 11);
  a.samples.clear();
  const compared x = only_pair(a, b);
  EXPECT_EQ(x.what, verdict::worse);
  EXPECT_NEAR(*x.confidence, 0.9025, 1e-12);
  EXPECT_NEAR(x.ratio_ci->first, b.ci->first / a.ci->second, 1e-12);
}

TEST(Compare, SamplesThatDoNotGiveTheValueAreNotBelieved) {
  cell b = latency("mcs", 11);
  b.samples = around(10);
  const compared x = only_pair(latency("mcs", 10), b);
  EXPECT_EQ(x.what, verdict::worse);
  EXPECT_NEAR(*x.confidence, 0.9025, 1e-12);
}

TEST(Compare, FiveRepetitionsResolveNothing) {
  const auto few = [](double ns) {
    return made("x.y", {}, "latency", "ns", {ns, ns * 1.001, ns * 1.002, ns * 1.003, ns * 1.004});
  };
  const compared x = only_pair(few(10), few(100));
  EXPECT_EQ(x.what, verdict::unresolved);
  EXPECT_FALSE(x.confidence);
}

TEST(Compare, NamesWhatIsInOneFileOnlyAndWhatHasNoValue) {
  const cell lost =
      without_value("locks.uncontested", {{"lock", "mcs"}, {"distance", "same_cpu"}}, "acquire", "ns", "why");
  const document a = complete_document({latency("tas", 1), latency("mcs", 2), latency("clh", 3)});
  const document b = complete_document({latency("clh", 3), lost, latency("ticket", 4)});
  const comparison c = compare(a, b);
  EXPECT_EQ(c.cells.size(), 1U);
  ASSERT_EQ(c.only_a.size(), 1U);
  EXPECT_EQ(c.only_a[0]->at.word("lock"), "tas");
  ASSERT_EQ(c.only_b.size(), 1U);
  EXPECT_EQ(c.only_b[0]->at.word("lock"), "ticket");
  EXPECT_TRUE(c.untold_a.empty());
  ASSERT_EQ(c.untold_b.size(), 1U);
  const std::string text = show(c, {"a.json", "b.json"}, false, style{});
  for (const char* part :
       {"Only in A (1)", "lock=tas", "Only in B (1)", "lock=ticket", "Without a value in B (1)", "why"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Compare, TheOrderOfCoordinatesDoesNotMatterAndANumberIsNoWord) {
  cell a = latency("mcs", 10);
  cell b = a;
  b.at = {{"distance", "same_cpu"}, {"lock", "mcs"}};
  (void)only_pair(a, b);
  a.at = {{"threads", whole(1)}};
  b.at = {{"threads", "1"}};
  const document first = complete_document({a}), second = complete_document({b});
  EXPECT_TRUE(compare(first, second).cells.empty());
}

TEST(Compare, WarnsWhereMachinesOrBuildsDiffer) {
  const document a = complete_document({latency("mcs", 10)});
  const auto warned = [&](const std::function<void(document&)>& change) {
    document b = a;
    change(b);
    const comparison c = compare(a, b);
    return c.warnings.size() == 1 ? c.warnings[0] : "";
  };
  const std::string machine = warned([](document& d) { d.machine["model_name"] = "Another\033[31m"; });
  EXPECT_NE(machine.find("machines differ: model_name (A processor; Another?[31m)"), std::string::npos) << machine;
  EXPECT_NE(warned([](document& d) { d.tool["flags"] = "-O0"; }).find("builds of the program differ: flags"),
            std::string::npos);
  EXPECT_NE(warned([](document& d) { d.os["kernel"] = "7"; }).find("systems differ: kernel (unknown; 7)"),
            std::string::npos);
  EXPECT_NE(warned([](document& d) { d.complete = false; }).find("second file was stopped early"), std::string::npos);
}

TEST(Compare, SaysWhereThreadsWaitedMoreThanInTheOtherFile) {
  cell a = latency("mcs", 10), b = latency("mcs", 20);
  a.noise = {{"processors", {0, 1}}, {"run_delay_ns", 1000}, {"seconds", {0.5, 0.5}}};
  b.noise = {{"processors", {0, 1}}, {"run_delay_ns", 400000000}, {"seconds", {0.5, 0.5}}};
  const document first = complete_document({a}), second = complete_document({b});
  const comparison c = compare(first, second);
  EXPECT_TRUE(c.cells.at(0).disturbed);
  EXPECT_EQ(c.warnings.size(), 1U);
  EXPECT_NE(show(c, {"a", "b"}, false, style{}).find("slower (disturbed)"), std::string::npos);
}

TEST(Compare, DrawsATable) {
  const document a = complete_document({latency("tas", 10), latency("mcs", 20), throughput(1e7)});
  const document b = complete_document({latency("tas", 10), latency("mcs", 22), throughput(2e7)});
  EXPECT_EQ(show(compare(a, b), {"before.json", "after.json"}, false, style{}), R"table(A: before.json
B: after.json

locks.uncontested: acquire, ns, lower is better
distance same_cpu

lock          A          B                   B / A
--------------------------------------------------------------------------
tas   10.0 +-1%  10.0 +-1%  1.000 (0.980 to 1.020)  no difference resolved
mcs   20.0 +-1%  22.0 +-1%  1.100 (1.078 to 1.122)  slower
+- half the 95 % interval

locks.throughput: throughput, Mop/s, higher is better
lock mcs, threads 2

lock          A          B                   B / A
----------------------------------------------------------
mcs   10.0 +-1%  20.0 +-1%  2.000 (1.960 to 2.040)  faster
+- half the 95 % interval

3 measurements are in both files: 1 slower or worse, 1 faster or better, 1 with
no difference resolved.
)table");
  EXPECT_EQ(show(compare(a, b), {"a", "b"}, true, style{}).find("tas"), std::string::npos);
}

TEST(Compare, HoldsInJsonWhatTheTableSays) {
  const document a = complete_document({latency("mcs", 20), latency("tas", 0, 0)});
  const document b = complete_document({latency("mcs", 22), latency("tas", 1)});
  const auto j = to_json(compare(a, b), {"a", "b"}, 0.05);
  EXPECT_EQ(j.at("cells").size(), 2U);
  EXPECT_EQ(j.at("cells")[0].at("verdict"), "worse");
  EXPECT_EQ(j.at("cells")[0].at("beyond_limit"), true);
  EXPECT_TRUE(j.at("cells")[1].at("ratio").is_null());
  EXPECT_TRUE(to_json(compare(a, b), {"a", "b"}, std::nullopt).at("cells")[0].at("beyond_limit").is_null());
}

TEST(JointIntervals, ContainBothMediansAsOftenAsTheySay) {
  const auto confidence = [](std::size_t n, std::size_t m) {
    std::vector<double> a(n), b(m);
    for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<double>(i);
    for (std::size_t i = 0; i < m; ++i) b[i] = static_cast<double>(i);
    const auto both = joint_median_intervals(a, b);
    return both ? both->confidence : 0;
  };
  EXPECT_EQ(confidence(5, 11), 0);
  EXPECT_NEAR(confidence(6, 6), 0.96875 * 0.96875, 1e-12);
  EXPECT_GE(confidence(6, 7), 0.95);
  EXPECT_GE(confidence(7, 6), 0.95);
  for (std::size_t n = 7; n < 60; ++n)
    for (std::size_t m = 7; m < 60; m += 5) EXPECT_GE(confidence(n, m), 0.95) << n << " " << m;
  EXPECT_LT(confidence(31, 31), 0.98);  // No wider than need be.
}

}  // namespace
}  // namespace synchro::results
