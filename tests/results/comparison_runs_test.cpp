// Several runs of each side: how they are joined, and how often something is called different that is not. The runs here are
// drawn, of cells that are steady inside each run and differ between runs, in ways that real ones do.

#include "results/comparison_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

#include "results/comparison.hpp"
#include "results/samples.hpp"
#include "views/comparison_text.hpp"

namespace synchro::results {
namespace {

using samples::around;
using samples::complete_document;
using samples::made;
using samples::whole;
using samples::without_value;
using views::show;
using views::style;

cell latency(double ns, const std::string& lock = "mcs") {
  return made("locks.uncontested", {{"lock", lock}}, "acquire", "ns", around(ns, 0.001));
}

cell at_distance(cell c, double probe_ns, const char* mode = nullptr) {
  c.probe_ns = probe_ns;
  if (mode != nullptr) c.at.set("mode", mode);
  return c;
}

document joined(const std::vector<std::vector<cell>>& runs) {
  std::vector<document> all;
  for (const std::vector<cell>& cells : runs) all.push_back(complete_document(cells));
  return joined_runs(all);
}

TEST(JoinedRuns, HaveOneSampleForEachRun) {
  const document d = joined({{latency(10)}, {latency(12)}, {latency(11)}});
  ASSERT_EQ(d.cells.size(), 1U);
  EXPECT_EQ(d.cells[0].samples, (std::vector<double>{10, 12, 11}));
  EXPECT_EQ(d.cells[0].value, 11);
  EXPECT_EQ(d.cells[0].n, 3U);
  EXPECT_FALSE(d.cells[0].ci);
  EXPECT_THROW((void)joined({}), std::invalid_argument);
}

TEST(JoinedRuns, StandApartByTheDistanceTheyMetAndNotByTheNameOfTheMode) {
  const document d = joined({{at_distance(latency(50), 45), at_distance(latency(200), 190, "far")},
                             {at_distance(latency(202), 192)},
                             {at_distance(latency(51), 44)}});
  ASSERT_EQ(d.cells.size(), 2U);
  EXPECT_EQ(d.cells[0].samples, (std::vector<double>{50, 51}));
  EXPECT_EQ(d.cells[0].at.find("mode"), nullptr);
  EXPECT_EQ(d.cells[1].samples, (std::vector<double>{200, 202}));
  EXPECT_EQ(d.cells[1].at.word("mode"), "far");
  EXPECT_EQ(d.cells[1].probe_ns, 191);
}

TEST(JoinedRuns, LeaveOutWhatHasTooFewRepetitionsOrNoValue) {
  cell few = latency(99);
  few.samples.resize(3);
  summarize(few);
  const cell lost = without_value("locks.uncontested", {{"lock", "tas"}}, "acquire", "ns", "why");
  const document d = joined({{few, lost}, {latency(10), lost}, {latency(11), lost}});
  ASSERT_EQ(d.cells.size(), 2U);
  EXPECT_EQ(d.cells[0].samples, (std::vector<double>{10, 11}));
  EXPECT_FALSE(d.cells[1].value);
  EXPECT_EQ(d.cells[1].reason, "why");
}

TEST(JoinedRuns, AreOfOneProgramOnOneMachine) {
  const document a = complete_document({latency(10)});
  document b = a;
  EXPECT_TRUE(why_not_of_one_side(a, b).empty());
  b.tool["flags"] = "-O0";
  EXPECT_EQ(why_not_of_one_side(a, b).size(), 1U);
  b.machine["model_name"] = "Another";
  EXPECT_EQ(why_not_of_one_side(a, b).size(), 2U);
}

TEST(SeveralRuns, OneRunOfOneSideIsNoSample) {
  const document a = joined({{latency(10)}, {latency(10)}, {latency(10)}});
  const document b = joined({{latency(99)}, {latency(5, "tas")}, {latency(5, "tas")}});
  const comparison c = compare_runs(a, b);
  ASSERT_EQ(c.cells.size(), 1U);
  EXPECT_EQ(c.cells[0].what, verdict::unresolved);
  EXPECT_FALSE(c.cells[0].p);
  EXPECT_NE(show(c, {"a", "b"}, false, style{}).find("too few runs"), std::string::npos);
}

TEST(SeveralRuns, AreTheSampleAndNotTheirRepetitions) {
  // Steady inside each run to 0.1 %; the runs of each side are 40 % apart.
  const document a = joined({{latency(10)}, {latency(14)}, {latency(12)}});
  const document b = joined({{latency(13)}, {latency(17)}, {latency(15)}});
  EXPECT_EQ(compare_runs(a, b).cells.at(0).what, verdict::unresolved);
  const document c = joined({{latency(100)}, {latency(140)}, {latency(120)}});
  const comparison found = compare_runs(a, c);
  EXPECT_EQ(found.cells.at(0).what, verdict::worse);
  EXPECT_NEAR(*found.cells.at(0).between_runs, 0.18, 0.02);
  const auto j = to_json(found, {"a", "b"}, 0.05);
  EXPECT_EQ(j.at("sample"), "runs");
  EXPECT_EQ(j.at("cells").at(0).at("a").at("runs").size(), 3U);
  EXPECT_EQ(j.at("cells").at(0).at("beyond_limit"), true);
}

/// By how much a run is off in a cell: the logarithm of a factor.
using between = std::function<double(std::mt19937_64&)>;

constexpr std::int64_t cells_of_a_run = 60;

std::vector<document> drawn(std::size_t runs, const between& off, std::mt19937_64& numbers, double slower = 1) {
  std::vector<document> all;
  for (std::size_t run = 0; run < runs; ++run) {
    std::vector<cell> cells;
    for (std::int64_t i = 0; i < cells_of_a_run; ++i)
      cells.push_back(made(i % 2 == 0 ? "x.y" : "x.z", {{"number", whole(i)}}, "time", "ns",
                           around(100 * (i == 6 ? slower : 1) * std::exp(off(numbers)), 0.001)));
    all.push_back(complete_document(std::move(cells)));
  }
  return all;
}

bool calls_something_slower(const comparison& c, double limit) {
  return std::any_of(c.cells.begin(), c.cells.end(), [&](const compared& x) { return x.worse_than(limit); });
}

/// Of a hundred comparisons of runs of one program, those that would end with status 5 at a limit of 0.
unsigned wrong_of_a_hundred(std::size_t runs, const between& off, std::uint64_t seed) {
  std::mt19937_64 numbers{seed};
  unsigned wrong = 0;
  for (int i = 0; i < 100; ++i) {
    const std::vector<document> first = drawn(runs, off, numbers), second = drawn(runs, off, numbers);
    if (runs == 1) {
      wrong += calls_something_slower(compare(first[0], second[0]), 0) ? 1U : 0U;
      continue;
    }
    const document a = joined_runs(first), b = joined_runs(second);
    wrong += calls_something_slower(compare_runs(a, b), 0) ? 1U : 0U;
  }
  return wrong;
}

between normal_of(double sigma) {
  return [sigma](std::mt19937_64& n) { return std::normal_distribution<double>{0, sigma}(n); };
}

/// Student's distribution of two degrees of freedom, whose variance is infinite.
double heavy(std::mt19937_64& n) { return 0.01 * std::student_t_distribution<double>{2}(n); }
/// A cell lies well or badly, by 30 %.
double bimodal(std::mt19937_64& n) { return n() % 2 == 0 ? 0 : 0.26; }
/// One cell of twenty lies badly in a run.
double seldom(std::mt19937_64& n) { return (n() % 20 == 0 ? 0.3 : 0) + normal_of(0.002)(n); }

TEST(SeveralRuns, OfAHundredComparisonsOfOneProgramAtMostFiveEndWithStatus5) {
  for (const std::size_t runs : {3U, 5U}) {
    std::uint64_t seed = 90'000 + runs;
    for (const double sigma : {0.002, 0.02, 0.2})
      EXPECT_LE(wrong_of_a_hundred(runs, normal_of(sigma), ++seed), 5U) << sigma;
    EXPECT_LE(wrong_of_a_hundred(runs, heavy, ++seed), 5U);
    EXPECT_LE(wrong_of_a_hundred(runs, bimodal, ++seed), 5U);
    EXPECT_LE(wrong_of_a_hundred(runs, seldom, ++seed), 5U);
  }
}

TEST(SingleRuns, OfAHundredComparisonsOfOneProgramAtMostFiveEndWithStatus5) {
  std::uint64_t seed = 80'000;
  for (const double sigma : {0.002, 0.02, 0.2}) EXPECT_LE(wrong_of_a_hundred(1, normal_of(sigma), ++seed), 5U) << sigma;
  EXPECT_LE(wrong_of_a_hundred(1, bimodal, ++seed), 5U);
}

/// How often a cell that is made 10 % slower is found, of 50.
unsigned found_of_fifty(std::size_t runs, double sigma, std::uint64_t seed) {
  std::mt19937_64 numbers{seed};
  unsigned found = 0;
  for (int i = 0; i < 50; ++i) {
    const document a = joined_runs(drawn(runs, normal_of(sigma), numbers));
    const document b = joined_runs(drawn(runs, normal_of(sigma), numbers, 1.1));
    const comparison c = compare_runs(a, b);
    found += c.cells.at(6).worse_than(0.05) ? 1U : 0U;
  }
  return found;
}

TEST(SeveralRuns, ACellThatIsTenPercentSlowerIsFound) {
  EXPECT_GE(found_of_fifty(3, 0.005, 70'001), 45U);
  EXPECT_GE(found_of_fifty(5, 0.015, 70'002), 45U);
}

}  // namespace
}  // namespace synchro::results
