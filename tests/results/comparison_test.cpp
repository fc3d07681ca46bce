#include "results/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "results/comparison_runs.hpp"
#include "results/samples.hpp"
#include "statistics/statistics.hpp"
#include "views/comparison_text.hpp"

namespace synchro::results {
namespace {

using views::show;
using views::style;

using samples::around;
using samples::complete_document;
using samples::made;
using samples::whole;
using samples::without_value;
using views::show;
using views::style;

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

/// Cells of one kind; two runs differ in each of them by chance, one way and the other, by up to `apart`.
std::vector<cell> many(double apart, double more = 1, std::size_t changed = 0) {
  std::vector<cell> all;
  for (std::size_t i = 0; i < 40; ++i) {
    const double chance = 1 + apart * (static_cast<double>((7 * i) % 40) / 20 - 1);
    all.push_back(made("x.y", {{"number", whole(static_cast<std::int64_t>(i))}}, "time", "ns",
                       around(100 * chance * (i < changed ? more : 1), 0.002)));
  }
  return all;
}

TEST(Compare, OneCellOfManyThatIsTenPercentSlowerIsFound) {
  const document a = complete_document(many(0)), b = complete_document(many(0.005, 1.1, 1));
  const comparison c = compare(a, b);
  ASSERT_EQ(resolved(c), 1U);
  const compared& slower = c.cells[0];
  EXPECT_EQ(slower.what, verdict::worse);
  EXPECT_GT(slower.ratio_ci->first, 1);
  EXPECT_LT(slower.ratio_ci->first, *slower.ratio);
  EXPECT_GT(slower.ratio_ci->second, *slower.ratio);
  EXPECT_GE(c.confidence, 0.95);
  EXPECT_LT(*slower.p, 0.001);
  EXPECT_TRUE(slower.worse_than(0.05));
  EXPECT_FALSE(slower.worse_than(0.11));
}

TEST(Compare, SingleRunsOfAFewCellsDoNotShowWhatRunsDifferBy) {
  const document a = complete_document({latency("tas", 10), latency("mcs", 20), latency("clh", 30)});
  const document b = complete_document({latency("tas", 10), latency("mcs", 22), latency("clh", 60)});
  const comparison c = compare(a, b);
  EXPECT_EQ(c.cells[1].what, verdict::unresolved);
  EXPECT_TRUE(c.cells[1].as_runs_differ);
  EXPECT_NEAR(*c.cells[1].between_runs, 0.5, 1e-12);
  EXPECT_FALSE(c.cells[0].as_runs_differ);
  EXPECT_EQ(c.cells[2].what, verdict::worse);  // twice as long
  ASSERT_EQ(c.warnings.size(), 1U);
  EXPECT_NE(c.warnings[0].find("1 difference is beyond the scatter inside the runs"), std::string::npos);
  EXPECT_NE(show(c, {"a", "b"}, false, style{}).find("single runs differ as much"), std::string::npos);
}

TEST(Compare, OfSeveralProcessorsSingleRunsDifferByMore) {
  EXPECT_EQ(only_pair(throughput(1e7), throughput(3e6)).what, verdict::unresolved);
  EXPECT_EQ(only_pair(throughput(1e7), throughput(2e6)).what, verdict::worse);
  cell a = latency("mcs", 10), b = latency("mcs", 30);
  EXPECT_EQ(only_pair(a, b).what, verdict::worse);
  a.probe_ns = b.probe_ns = 45;
  EXPECT_EQ(only_pair(a, b).what, verdict::unresolved);
}

TEST(Compare, RunsOnAModelOfAMachineDifferByTheirSeedsOnly) {
  document a = complete_document({latency("mcs", 20)}), b = complete_document({latency("mcs", 22)});
  a.machine["kind"] = b.machine["kind"] = "simulated";
  const comparison c = compare(a, b);
  EXPECT_EQ(c.cells.at(0).what, verdict::worse);
  EXPECT_EQ(c.cells.at(0).between_runs, 0);
}

TEST(Compare, WhatTwoRunsDifferByInAnyCaseIsNotCalledADifference) {
  const document a = complete_document(many(0)), b = complete_document(many(0.04));
  const comparison c = compare(a, b);
  EXPECT_EQ(resolved(c), 0U);
  EXPECT_NEAR(*c.cells[0].between_runs, 0.07, 0.01);  // twice what nine of ten differ by
  const document changed = complete_document(many(0.04, 1.4, 3));
  EXPECT_EQ(resolved(compare(a, changed)), 3U);
}

TEST(Compare, RepetitionsThatHappenToAgreeAreNoProof) {
  std::vector<cell> first, second;
  for (int i = 0; i < 40; ++i)
    for (std::vector<cell>* side : {&first, &second})
      side->push_back(made("x.y", {{"number", whole(i)}}, "time", "ns", around(i < 39 ? 100 : 10, i < 39 ? 0.05 : 0)));
  second.back() = made("x.y", {{"number", whole(39)}}, "time", "ns", around(10.8, 0));
  const document a = complete_document(first), b = complete_document(second);
  const comparison c = compare(a, b);
  EXPECT_EQ(c.cells.back().what, verdict::unresolved) << "others of its kind scatter";
  EXPECT_TRUE(c.cells.back().as_runs_differ);
}

TEST(Compare, WhatTheClockDoesNotResolveIsNotCompared) {
  cell short_one = latency("tas", 1), longer = latency("tas", 3);
  EXPECT_EQ(only_pair(short_one, longer).what, verdict::worse);
  longer.quality = flag::clock_limited;
  const document a = complete_document({short_one}), b = complete_document({longer});
  const comparison c = compare(a, b);
  EXPECT_EQ(c.cells.at(0).what, verdict::unresolved);
  EXPECT_FALSE(c.cells.at(0).p);
  EXPECT_NE(show(c, {"a", "b"}, false, style{}).find("not compared: too short for the clock"), std::string::npos);
  const comparison joined = compare_runs(joined_runs(std::vector{a, a, a}), joined_runs(std::vector{b, b, b}));
  EXPECT_EQ(joined.cells.at(0).what, verdict::unresolved) << "nor are several runs";
}

TEST(Compare, AChangeOfAllCellsMayBeTheRunUnlessItIsLarge) {
  const document a = complete_document(many(0));
  const document some = complete_document(many(0.002, 1.1, 40)), much = complete_document(many(0.002, 2, 40));
  EXPECT_EQ(resolved(compare(a, some)), 0U);
  EXPECT_EQ(resolved(compare(a, much)), 40U);
}

TEST(Compare, TheSameChangeInANoisyCellIsNotResolved) {
  const compared x = only_pair(latency("mcs", 20, 0.2), latency("mcs", 22, 0.2));
  EXPECT_EQ(x.what, verdict::unresolved);
  EXPECT_FALSE(x.worse_than(0.05));
  EXPECT_LT(x.ratio_ci->first, 1);
  EXPECT_GT(x.ratio_ci->second, 1);
}

TEST(Compare, LessThroughputIsWorseAndMoreIsBetter) {
  EXPECT_EQ(only_pair(throughput(1e7), throughput(1e6)).what, verdict::worse);
  EXPECT_NEAR(only_pair(throughput(1e7), throughput(1e7 / 1.1)).worse_by, 0.1, 1e-9);
  const compared more = only_pair(throughput(1e7), throughput(1.1e8));
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
  cell a = latency("mcs", 10), b = latency("mcs", 20);
  a.samples.clear();
  const compared x = only_pair(a, b);
  EXPECT_EQ(x.what, verdict::worse);
  EXPECT_GT(x.ratio_ci->first, 1.2);
  EXPECT_LT(x.ratio_ci->second, 3.2);
  cell vague = latency("mcs", 20, 0.6);
  vague.samples.clear();
  EXPECT_EQ(only_pair(a, vague).what, verdict::unresolved);
}

TEST(Compare, SamplesThatDoNotGiveTheValueAreNotBelieved) {
  cell b = latency("mcs", 20);
  b.samples = around(10);
  EXPECT_EQ(only_pair(latency("mcs", 10), b).what, verdict::worse);
}

TEST(Compare, FiveRepetitionsResolveNothing) {
  const auto few = [](double ns) {
    return made("x.y", {}, "latency", "ns", {ns, ns * 1.001, ns * 1.002, ns * 1.003, ns * 1.004});
  };
  const compared x = only_pair(few(10), few(100));
  EXPECT_EQ(x.what, verdict::unresolved);
  EXPECT_FALSE(x.p);
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
  EXPECT_TRUE(c.without_value_a.empty());
  ASSERT_EQ(c.without_value_b.size(), 1U);
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
  cell a = latency("mcs", 10), b = latency("mcs", 100);
  a.noise = {{"processors", {0, 1}}, {"run_delay_ns", 1000}, {"seconds", {0.5, 0.5}}};
  b.noise = {{"processors", {0, 1}}, {"run_delay_ns", 400000000}, {"seconds", {0.5, 0.5}}};
  const document first = complete_document({a}), second = complete_document({b});
  const comparison c = compare(first, second);
  EXPECT_TRUE(c.cells.at(0).disturbed);
  EXPECT_EQ(c.cells.at(0).doubt(), "disturbed");
  EXPECT_EQ(c.warnings, std::vector{disturbance(c).value_or("nothing")});
  EXPECT_NE(show(c, {"a", "b"}, false, style{}).find("slower (disturbed)"), std::string::npos);
}

TEST(Compare, DoubtsADifferenceOfWhichOneSideIsUnreliable) {
  cell wide = latency("mcs", 1000);
  wide.quality = flag::unreliable;
  const document a = complete_document({latency("tas", 10), wide});
  const document b = complete_document({latency("tas", 100), latency("mcs", 10)});
  const comparison c = compare(a, b);
  EXPECT_EQ(c.cells.at(0).doubt(), std::nullopt);
  EXPECT_EQ(c.cells.at(1).doubt(), "unreliable");
  const std::string text = findings(c, {"a", "b"}, style{}, 24);
  const auto sure = text.find("slower: "), unsure = text.find("faster (unreliable): ");
  EXPECT_LT(sure, unsure) << text;  // though 100 times as fast is more than ten times as slow
  EXPECT_NE(unsure, std::string::npos) << text;
  EXPECT_EQ(disturbance(c), std::nullopt);
}

TEST(Compare, DrawsATable) {
  const document a = complete_document({latency("tas", 10), latency("mcs", 20), throughput(1e7)});
  const document b = complete_document({latency("tas", 10), latency("mcs", 40), throughput(1e8)});
  EXPECT_EQ(show(compare(a, b), {"before.json", "after.json"}, false, style{}), R"table(A: before.json
B: after.json

locks.uncontested: acquire, ns, lower is better
distance same_cpu

lock          A          B                   B / A
--------------------------------------------------------------------------
tas   10.0 +-1%  10.0 +-1%  1.000 (0.649 to 1.541)  no difference resolved
mcs   20.0 +-1%  40.0 +-1%  2.000 (1.298 to 3.083)  slower
+- half the 95 % interval

locks.throughput: throughput, Mop/s, higher is better
lock mcs, threads 2

lock          A         B                     B / A
-----------------------------------------------------------
mcs   10.0 +-1%  100 +-1%  10.000 (2.433 to 41.100)  faster
+- half the 95 % interval

3 measurements are in both files: 1 slower or worse, 1 faster or better, 1 with
no difference resolved.
Each interval holds the true ratio with 98.7 % confidence: on average 2 in 100
of the differences called resolved are false. Each side is one run, and runs
differ: the intervals are therefore 50.0 to 300 % wider, depending on the kind
of cell.
)table");
  EXPECT_EQ(show(compare(a, b), {"a", "b"}, true, style{}).find("tas"), std::string::npos);
}

TEST(Compare, HoldsInJsonWhatTheTableSays) {
  const document a = complete_document({latency("mcs", 20), latency("tas", 0, 0)});
  const document b = complete_document({latency("mcs", 40), latency("tas", 1)});
  const auto j = to_json(compare(a, b), {"a", "b"}, 0.05);
  EXPECT_EQ(j.at("cells").size(), 2U);
  EXPECT_EQ(j.at("cells")[0].at("verdict"), "worse");
  EXPECT_EQ(j.at("cells")[0].at("beyond_limit"), true);
  EXPECT_TRUE(j.at("cells")[1].at("ratio").is_null());
  EXPECT_TRUE(to_json(compare(a, b), {"a", "b"}, std::nullopt).at("cells")[0].at("beyond_limit").is_null());
}

/// One that was measured while its processors were this far apart.
cell at_distance(cell c, double probe_ns, const char* mode = nullptr) {
  c.probe_ns = probe_ns;
  if (mode != nullptr) c.at.set("mode", mode);
  return c;
}

TEST(Modes, TheDistanceDecidesWhatIsComparedAndNotItsName) {
  // The second run met the far mode alone, and does not know that there is a near one.
  const document a =
      complete_document({at_distance(latency("mcs", 50), 45), at_distance(latency("mcs", 200), 190, "far")});
  const document b = complete_document({at_distance(latency("mcs", 202), 192)});
  const comparison c = compare(a, b);
  ASSERT_EQ(c.cells.size(), 1U);
  EXPECT_EQ(c.cells[0].a->value, 200);
  ASSERT_EQ(c.not_comparable.size(), 1U);
  EXPECT_EQ(c.not_comparable[0].why, "probes 45 ns and 192 ns");
}

TEST(Modes, ACellMeasuredInAnotherModeIsNeitherBetterNorWorse) {
  const document a = complete_document({at_distance(latency("mcs", 50), 45)});
  const document b = complete_document({at_distance(latency("mcs", 200), 190)});
  const comparison c = compare(a, b);
  EXPECT_TRUE(c.cells.empty());
  EXPECT_NE(show(c, {"a", "b"}, false, style{}).find("Not comparable (1):\n  locks.uncontested acquire"),
            std::string::npos);
  EXPECT_EQ(to_json(c, {"a", "b"}, 0.05).at("not_comparable").at(0).at("why"), "probes 45 ns and 190 ns");
}

TEST(Modes, WithoutAProbeTheNamesDecide) {
  const auto pairs = [](const cell& x, const cell& y) {
    const document a = complete_document({x}), b = complete_document({y});
    return compare(a, b).cells.size();
  };
  const cell plain = latency("mcs", 50);
  cell far = plain;
  far.at.set("mode", "far");
  EXPECT_EQ(pairs(plain, plain), 1U);
  EXPECT_EQ(pairs(plain, at_distance(plain, 190)), 1U);
  EXPECT_EQ(pairs(plain, far), 0U);
}

TEST(Modes, TheNearerCounterpartIsTaken) {
  const document a = complete_document({at_distance(latency("mcs", 50), 50)});
  const document b =
      complete_document({at_distance(latency("mcs", 35), 35), at_distance(latency("mcs", 52), 57, "far")});
  const comparison c = compare(a, b);
  ASSERT_EQ(c.cells.size(), 1U);
  EXPECT_EQ(c.cells[0].b->value, 52);
}

TEST(Modes, OtherConditionsMakeCellsIncomparable) {
  const auto paused = [](double ns) {
    cell c = latency("mcs", 50);
    c.conditions["pause_ns"] = ns;
    return c;
  };
  const document a = complete_document({paused(100)}), b = complete_document({paused(101)});
  const document other = complete_document({paused(400)}), none = complete_document({latency("mcs", 50)});
  EXPECT_EQ(compare(a, b).cells.size(), 1U);
  ASSERT_EQ(compare(a, other).not_comparable.size(), 1U);
  EXPECT_EQ(compare(a, other).not_comparable[0].why, "pause_ns 100 and 400");
  EXPECT_EQ(compare(a, none).not_comparable[0].why, "pause_ns 100 and none");
}

TEST(Compare, ALittleLessMemoryMakesNoOtherMachine) {
  document a = complete_document({latency("mcs", 10)}), b = a;
  b.machine["memory_bytes"] = 8418135736;
  EXPECT_TRUE(compare(a, b).warnings.empty());
  b.machine["memory_bytes"] = 4294967296;
  EXPECT_EQ(compare(a, b).warnings.size(), 1U);
}

TEST(Compare, ACounterpartWithoutAValueIsNamedWithItsReason) {
  // The second run has the far mode only; near it could not be measured.
  const coordinates at{{"lock", "mcs"}, {"distance", "same_cpu"}};
  const cell near = without_value("locks.uncontested", at, "acquire", "ns", "it never held still");
  const cell far = at_distance(latency("mcs", 200), 190, "far");
  const document a = complete_document({at_distance(latency("mcs", 50), 45)});
  const document b = complete_document({near, far});
  const comparison c = compare(a, b), back = compare(b, a);
  EXPECT_EQ(c.not_comparable.size(), 1U);  // far, which the other has not
  EXPECT_EQ(back.not_comparable.size(), 1U);
  ASSERT_EQ(c.without_value_b.size(), 1U);
  EXPECT_EQ(c.without_value_b[0]->reason, "it never held still");
  ASSERT_EQ(back.without_value_a.size(), 1U);
  EXPECT_EQ(back.without_value_a[0]->reason, "it never held still");
}

}  // namespace
}  // namespace synchro::results
