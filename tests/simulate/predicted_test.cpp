// What a prediction comes to.

#include "simulate/predicted.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "simulations/program.hpp"

namespace {

using namespace synchro;
using namespace synchro::simulate;
namespace program = simulations::program;

results::cell cell_of(const char* metric, const std::string& lock, std::int64_t threads, std::vector<double> samples) {
  results::cell c;
  c.experiment = program::name, c.metric = metric, c.unit = metric == std::string{program::rate} ? "op/s" : "1";
  c.at = {{"lock", lock}, {"threads", threads}};
  c.samples = std::move(samples);
  results::summarize(c);
  return c;
}

/// Seven repetitions about this.
std::vector<double> about(double x) { return {0.97 * x, 0.98 * x, 0.99 * x, x, 1.01 * x, 1.02 * x, 1.03 * x}; }

double no_wider(std::int64_t) { return 1; }

results::document document_of(const std::vector<double>& rates) {
  results::document d;
  std::int64_t threads = 1;
  for (const double rate : rates)
    d.cells.push_back(cell_of(program::rate, "mutex", threads, about(rate))), threads *= 2;
  return d;
}

TEST(Knee, IsTheLeastNumberThanWhichNoneDoesATenthMore) {
  EXPECT_EQ(knee_of(document_of({100, 200, 390, 400, 300}), "mutex").threads, 4);
  EXPECT_EQ(knee_of(document_of({100, 200, 200, 400, 300}), "mutex").threads, 8) << "a plateau before it is none";
  EXPECT_EQ(knee_of(document_of({100, 50, 20}), "mutex").threads, 1);
  EXPECT_FALSE(knee_of(document_of({100, 50, 20}), "mutex").beyond);
  const knee last = knee_of(document_of({100, 200, 400}), "mutex");
  EXPECT_EQ(last.threads, 4);
  EXPECT_TRUE(last.beyond);
  EXPECT_THROW(static_cast<void>(knee_of(document_of({100}), "mcs")), std::out_of_range);
}

TEST(Knee, IsNoneOfOneNumberOfThreads) {
  EXPECT_TRUE(knee_of(document_of({100}), "mutex").alone);
  EXPECT_FALSE(knee_of(document_of({100}), "mutex").beyond) << "nothing is known of scaling";
  EXPECT_FALSE(knee_of(document_of({100, 200}), "mutex").alone);
  const auto first_of = [](const std::vector<double>& rates) {
    return verdict_of(document_of(rates), "mutex", no_wider)[0];
  };
  EXPECT_EQ(first_of({100, 200}).find("With mutex it scales as far as was asked, to 2 threads, which go round"), 0U);
  EXPECT_EQ(first_of({200, 100}).find("With mutex it stops scaling at 1 thread, which goes round"), 0U);
}

TEST(Knee, NamesTheLocksThatMostTimeGoesTo) {
  results::document d = document_of({100, 100});
  for (const auto& [name, share] : {std::pair{"cold", 0.1}, {"hot", 0.6}}) {
    d.cells.push_back(cell_of(program::waiting_for, "mutex", 1, about(share)));
    d.cells.back().at.set(program::of, name);
  }
  EXPECT_EQ(knee_of(d, "mutex").waits_for, "hot");
  EXPECT_DOUBLE_EQ(knee_of(d, "mutex").waiting, 0.6);
}

TEST(Gain, ComparesRepetitionsWhoseErrorsDifferAsTwoOfTheModelsMay) {
  results::document d = document_of({100});
  d.cells.push_back(cell_of(program::rate, "mcs", 1, about(150)));
  const gain g = best_gain(d, "mutex", 1);
  EXPECT_EQ(g.lock, "mcs");
  EXPECT_NEAR(g.middle, 1.5, 1e-9) << "what both have in common is not in it";
  EXPECT_NEAR(g.least, 1.5 * 0.97 / 1.01, 1e-9) << "four steps apart, not six";
  EXPECT_NEAR(g.most, 1.5 * 1.01 / 0.97, 1e-9);
  EXPECT_EQ(best_gain(d, "mutex", 2).lock, "");
}

TEST(Gain, HasEndsAsWideAsMeasuredComparisonsNeeded) {
  results::document d = document_of({100});
  d.cells.push_back(cell_of(program::rate, "mcs", 1, about(150)));
  const gain g = best_gain(d, "mutex", 1, 2);
  EXPECT_NEAR(g.middle, 1.5, 1e-9);
  EXPECT_NEAR(g.least, 1.5 * 0.97 / 1.01 / 2, 1e-9);
  EXPECT_NEAR(g.most, 1.5 * 1.01 / 0.97 * 2, 1e-9);
  const auto second_of = [&](double times) {
    return verdict_of(d, "mutex", [&](std::int64_t threads) { return threads == 1 ? times : 1; })[1];
  };
  EXPECT_EQ(second_of(1).find("With 1 thread, mcs would do 1.50 ("), 0U) << second_of(1);
  EXPECT_EQ(second_of(2).find("No lock is sure to do more with 1 thread"), 0U) << second_of(2);
}

TEST(Gain, OfRivalsTakesTheOneThatSurelyDoesMoreThenTheOneThatDoesMost) {
  const results::cell sure = cell_of(program::rate, "sure", 1, about(120)),
                      more = cell_of(program::rate, "more", 1, about(140)),
                      perhaps = cell_of(program::rate, "perhaps", 1, {90, 90, 500, 500, 500, 500, 500}),
                      likely = cell_of(program::rate, "likely", 1, {90, 90, 110, 110, 110, 110, 110});
  const auto best_of = [](const std::vector<results::cell>& rivals) {
    results::document d = document_of({100});
    d.cells.insert(d.cells.end(), rivals.begin(), rivals.end());
    const std::string named = best_gain(d, "mutex", 1).lock;
    d.cells.assign(rivals.rbegin(), rivals.rend());
    d.cells.push_back(document_of({100}).cells[0]);
    EXPECT_EQ(best_gain(d, "mutex", 1).lock, named) << "in whatever order";
    return named;
  };
  EXPECT_EQ(best_of({sure, perhaps}), "sure");
  EXPECT_EQ(best_of({sure, more}), "more");
  EXPECT_EQ(best_of({sure, more, perhaps}), "more");
  EXPECT_EQ(best_of({likely, perhaps}), "perhaps");
}

TEST(Verdict, ComparesNoLocksWhereARunSawNoRoundEnd) {
  results::document d = document_of({100});
  d.cells.push_back(cell_of(program::rate, "mcs", 1, {0, 98, 99, 100, 101, 102, 103}));
  const auto all = verdict_of(d, "mutex", no_wider);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].find("In some runs no round ended"), 0U) << all[1];
  d.cells.push_back(cell_of(program::rate, "ticket", 1, about(200)));
  EXPECT_EQ(verdict_of(d, "mutex", no_wider).size(), 3U) << "of the others it tells";
  EXPECT_EQ(best_gain(d, "mutex", 1).lock, "ticket");
  d.cells[0] = cell_of(program::rate, "mutex", 1, {0, 98, 99, 100, 101, 102, 103});
  EXPECT_EQ(best_gain(d, "mutex", 1).lock, "");
}

TEST(Verdict, SaysSoWhereNoLockSurelyDoesMore) {
  results::document d = document_of({100});
  d.cells.push_back(cell_of(program::rate, "tas", 1, {130, 50, 50, 130, 130, 130, 130}));
  const auto sentences = verdict_of(d, "mutex", no_wider);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0].find("With mutex, 1 thread goes round 100 "), 0U) << sentences[0];
  EXPECT_NE(sentences[0].find(". Where it stops scaling needs more than one number of threads."), std::string::npos);
  EXPECT_EQ(sentences[1].find("No lock is sure to do more with 1 thread: the most would be 1.27 ("), 0U)
      << sentences[1];
}

}  // namespace
