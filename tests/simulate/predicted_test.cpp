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

TEST(Knee, NamesTheLocksThatMostTimeGoesTo) {
  results::document d = document_of({100, 100});
  for (const auto& [name, share] : {std::pair{"cold", 0.1}, {"hot", 0.6}}) {
    d.cells.push_back(cell_of(program::waiting_for, "mutex", 1, about(share)));
    d.cells.back().at.set(program::of, name);
  }
  EXPECT_EQ(knee_of(d, "mutex").waits_for, "hot");
  EXPECT_DOUBLE_EQ(knee_of(d, "mutex").waiting, 0.6);
}

TEST(Gain, ComparesRepetitionsOfOneSeed) {
  results::document d = document_of({100});
  d.cells.push_back(cell_of(program::rate, "mcs", 1, about(150)));
  d.cells.push_back(cell_of(program::rate, "tas", 1, {130, 50, 50, 130, 130, 130, 130}));
  const gain g = best_gain(d, "mutex", 1);
  EXPECT_EQ(g.lock, "mcs");
  EXPECT_NEAR(g.least, 1.5, 1e-9) << "what both have in common is in no ratio";
  EXPECT_NEAR(g.most, 1.5, 1e-9);
  EXPECT_EQ(best_gain(d, "mutex", 2).lock, "");
}

TEST(Verdict, SaysSoWhereNoLockSurelyDoesMore) {
  results::document d = document_of({100});
  d.cells.push_back(cell_of(program::rate, "tas", 1, {130, 50, 50, 130, 130, 130, 130}));
  const auto sentences = verdict_of(d, "mutex");
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0].find("With mutex it scales as far as was asked, to 1 thread, which go round"), 0U)
      << sentences[0];
  EXPECT_EQ(sentences[1].find("No lock surely does more with 1 thread: the most would be 1.27 ("), 0U) << sentences[1];
}

}  // namespace
