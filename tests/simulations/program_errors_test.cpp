// Errors of predicted programs, and how wide intervals become by them.

#include "simulations/program_errors.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>

#include "simulations/program.hpp"

namespace synchro::tests {
namespace {

using namespace simulations;

const std::string native = "pthread/mutex", heading = std::string{program_errors::columns} + "\n";
constexpr error_kind own{team_size::recorded, told_of::recorded_lock}, other{team_size::recorded, told_of::other_lock},
    compared{team_size::recorded, told_of::comparison}, beyond{team_size::oversubscribed, told_of::recorded_lock};

/// Runs are from 90 to 110.
std::string row(const std::string& program, double measured, const std::string& lock = native, int threads = 2) {
  return fmt::format("made up,2,1.5,{},{},2,{},{},{},110 105 102 100 98 95 90\n", program, native, lock, threads,
                     measured);
}

/// Programs a, b, c, ... that did so many times the most that was predicted, with the recorded lock and threads.
std::string programs(const std::vector<double>& above) {
  std::string csv;
  for (std::size_t i = 0; i < above.size(); ++i) csv += row(fmt::format("p{}", i), 110 * above[i]);
  return csv;
}

program_errors errors_of(const std::string& rows) { return program_errors{heading + rows}; }

TEST(ProgramErrors, AnIntervalBecomesAsWideAsWhatWasMeasuredNeeds) {
  EXPECT_DOUBLE_EQ(errors_of(row("a", 220)).widening_of(own).times, 2);
  EXPECT_DOUBLE_EQ(errors_of(row("a", 30)).widening_of(own).times, 3) << "down as up";
  EXPECT_DOUBLE_EQ(errors_of(row("a", 108)).widening_of(own).times, 1) << "never narrower than the runs";
}

TEST(ProgramErrors, FewProgramsAllowLessThanNineOfTen) {
  for (const std::size_t n : {1U, 2U, 7U, 8U}) {
    std::vector<double> above;
    for (std::size_t i = 0; i < n; ++i) above.push_back(1.1 + 0.1 * static_cast<double>(i));
    const widening w = errors_of(programs(above)).widening_of(own);
    EXPECT_DOUBLE_EQ(w.times, above.back()) << "the largest that was seen";
    EXPECT_EQ(w.rank, n);
    EXPECT_EQ(w.programs, n) << "of one more it holds in so many";
  }
}

TEST(ProgramErrors, ManyProgramsGiveNineOfTen) {
  std::vector<double> above;
  for (int i = 1; i <= 19; ++i) above.push_back(1 + 0.1 * i);
  const widening w = errors_of(programs(above)).widening_of(own);
  EXPECT_DOUBLE_EQ(w.times, above[17]) << "18 of 20";
  EXPECT_EQ(w.rank, 18U);
  above.resize(9);
  EXPECT_EQ(errors_of(programs(above)).widening_of(own).rank, 9U) << "9 of 10";
}

TEST(ProgramErrors, AProgramCountsOnceHoweverManyPlacesItHas) {
  std::string rows = programs({1.1, 1.2, 1.3});
  for (int i = 0; i < 50; ++i) rows += row("p0", 110 * 1.25, fmt::format("lock{}", i));
  for (int i = 0; i < 3; ++i) rows += row(fmt::format("p{}", i), 110 * 1.4, "mcs");
  EXPECT_EQ(errors_of(rows).widening_of(other).programs, 3U);
  EXPECT_DOUBLE_EQ(errors_of(rows).widening_of(other).times, 1.4);
}

TEST(ProgramErrors, OfAKindAreNotThoseOfAnother) {
  const program_errors e =
      errors_of(row("a", 121) + row("a", 330, native, 8) + row("a", 165, "mcs") + row("a", 110, native, 1));
  EXPECT_DOUBLE_EQ(e.widening_of(own).times, 1.1);
  EXPECT_DOUBLE_EQ(e.widening_of(other).times, 1.5);
  EXPECT_DOUBLE_EQ(e.widening_of(beyond).times, 3);
  EXPECT_DOUBLE_EQ(e.widening_of({team_size::fewer, told_of::recorded_lock}).times, 1);
}

TEST(ProgramErrors, OfAKindThatWasNotMeasuredAreTheWidest) {
  const program_errors e = errors_of(row("a", 121) + row("a", 330, native, 8));
  const widening more = e.widening_of({team_size::more, told_of::recorded_lock});
  EXPECT_DOUBLE_EQ(more.times, 3);
  EXPECT_FALSE(more.measured);
  EXPECT_TRUE(e.widening_of(beyond).measured);
  const widening none = errors_of("").widening_of(own);
  EXPECT_EQ(none.programs, 0U);
  EXPECT_DOUBLE_EQ(none.times, 1);
}

TEST(ProgramErrors, OfAComparisonAreThoseOfTheRatio) {
  // Both are twice what was predicted, so their ratio is right.
  EXPECT_DOUBLE_EQ(errors_of(row("a", 200) + row("a", 200, "mcs")).widening_of(compared).times, 1);
  const std::vector<double> runs{110, 105, 102, 100, 98, 95, 90};
  EXPECT_DOUBLE_EQ(errors_of(row("a", 100) + row("a", 300, "mcs")).widening_of(compared).times,
                   3 / spread_between(runs, runs).most);
}

TEST(ProgramErrors, OfAProgramAreNotUsedWhereItIsJudged) {
  const program_errors e = errors_of(programs({1.1, 1.2, 1.3}) + row("bad", 110 * 9) + row("good", 110 * 1.05));
  const auto all = e.each_by_the_others();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].places, 5U);
  EXPECT_EQ(all[0].inside, 4U) << "by its own error the bad one would be inside";
  EXPECT_EQ(all[0].wholly_inside, 4U);
  EXPECT_DOUBLE_EQ(all[0].all.times, 9);
  EXPECT_TRUE(errors_of(row("a", 200) + row("a", 300, "mcs")).each_by_the_others().empty()) << "there are no others";
}

TEST(ProgramErrors, OfSevenProgramsHoldInSevenOfEightFurtherOnes) {
  std::mt19937_64 random{1};
  std::lognormal_distribution<double> of_program{0, 0.5}, of_place{0, 0.1};
  const auto rows_of = [&](const std::string& program, std::vector<double>* kept) {
    std::string rows;
    const double common = of_program(random);
    for (const char* lock : {"a", "b", "c"}) {
      const double measured = 100 * common * of_place(random);
      if (kept != nullptr) kept->push_back(measured);
      rows += row(program, measured, lock);
    }
    return rows;
  };
  constexpr int trials = 4000;
  int held = 0;
  for (int i = 0; i < trials; ++i) {
    std::string rows;
    for (int p = 0; p < 7; ++p) rows += rows_of(fmt::format("p{}", p), nullptr);
    const double times = errors_of(rows).widening_of(other).times;
    std::vector<double> further;
    rows_of("", &further);
    held += std::all_of(further.begin(), further.end(), [&](double m) { return m >= 90 / times && m <= 110 * times; })
                ? 1
                : 0;
  }
  EXPECT_NEAR(held / double{trials}, 7.0 / 8, 0.015) << "three standard deviations";
}

TEST(ProgramErrors, ThatCannotBeReadSayWhereAndWhy) {
  const auto why = [](const std::string& csv) -> std::string {
    try {
      static_cast<void>(program_errors{csv});
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(why(heading + "# a remark\n\n" + row("a", 100)), "");
  EXPECT_NE(why("").find("it has no line of columns: machine,"), std::string::npos);
  EXPECT_NE(why("a,b\n").find("line 1: its columns must be machine,"), std::string::npos);
  EXPECT_EQ(why(heading + "a,b\n"), "line 2: it has 2 fields, not 10");
  EXPECT_EQ(why(heading + row("a", 100) + row("a", 100)), "line 3: it says the same again");
  EXPECT_EQ(why(heading + row("a", -1)), "line 2: '-1' is no number from 1e-100 to 1e+100");
  EXPECT_EQ(why(heading + "made up,2,1.5,a,mcs,2,mcs,2,nan,1 2\n"), "line 2: 'nan' is no number from 1e-100 to 1e+100");
  EXPECT_EQ(why(heading + row("a", 100) + "made up,2,1.5,b,mcs,2,mcs,2,100,1 2\n"),
            "line 3: it has more or fewer runs than others");
  EXPECT_EQ(why(heading + row("a", 100) + "another,2,1.5,b,mcs,2,mcs,2,100,1 2 3 4 5 6 7\n"),
            "line 3: it is of another machine or model than the first");
  const std::string whole = heading + row("a", 100) + row("b", 100);
  for (std::size_t n = 0; n < whole.size(); ++n) static_cast<void>(why(whole.substr(0, n)));
}

TEST(ProgramErrors, ThatArePartOfTheProgramCanBeRead) {
  const program_errors& all = measured_program_errors();
  for (const auto& j : all.each_by_the_others()) EXPECT_GE(j.places, j.programs);
  EXPECT_NE(program_errors_in_words(all), "");
}

}  // namespace
}  // namespace synchro::tests
