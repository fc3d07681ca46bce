// What CONTRIBUTING promises: an experiment with its own sentence in the tour and its own chart is its file, its test and
// one line in the list of all. CMakeLists.txt adds that line.

#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/framework/runner.hpp"
#include "experiments/framework/tour.hpp"
#include "views/summary.hpp"

namespace synchro::experiments {
namespace {

const experiment& toy() {
  const auto& all = all_experiments();
  return *std::find_if(all.begin(), all.end(), [](const experiment& e) { return e.name == "toy.increment"; });
}

setting two_processors() {
  setting s;
  s.machine = platform::topology_from_synthetic("package:1 core:2 pu:1");
  s.thoroughness = level::quick;
  return s;
}

results::document measured() {
  run_control control;
  control.probe_modes = false;
  control.repair = 0;
  results::document d;
  d.cells = run(make_plan(two_processors(), {&toy()}), two_processors(), control).cells;
  return d;
}

TEST(ToyExperiment, IsOneOfAll) { EXPECT_EQ(toy().name, "toy.increment"); }

TEST(ToyExperiment, IsOnTheTour) {
  const plan p = tour_plan(two_processors());
  const auto is_toy = [](const planned_cell& c) { return c.what == &toy(); };
  ASSERT_EQ(std::count_if(p.cells.begin(), p.cells.end(), is_toy), 1);
  EXPECT_EQ(std::find_if(p.cells.begin(), p.cells.end(), is_toy)->at.number("count"), 1000);
}

TEST(ToyExperiment, CountsAllThatItTimes) {
  const results::document d = measured();
  ASSERT_EQ(d.cells.size(), 2U);
  for (const results::cell& c : d.cells) EXPECT_TRUE(c.valid && c.value) << c.reason.value_or("");
}

/// As if the machine had been quiet: nothing is said of values that are not sure.
results::document surely_measured() {
  results::document d = measured();
  for (results::cell& c : d.cells) {
    c.samples.assign(9, *c.value);
    results::summarize(c);
  }
  return d;
}

TEST(ToyExperiment, HasItsSentenceAndItsHeadline) {
  const results::document d = surely_measured();
  const auto sentences = views::summary(d, all_presentations());
  ASSERT_FALSE(sentences.empty());
  EXPECT_EQ(sentences.front().rfind("Counting to 1000 takes ", 0), 0U) << sentences.front();
  const auto headlines = views::headlines(d, all_presentations());
  ASSERT_EQ(headlines.size(), 1U);
  EXPECT_EQ(headlines[0].at("target"), "toy.increment-count");
}

/// As every experiment that has sentences: tests/views looks for the word in each.
TEST(ToyExperiment, SaysWhatItsSentencesAreAbout) { EXPECT_EQ(toy().view.about, "counting"); }

TEST(ToyExperiment, HasItsChart) {
  const auto charts = views::charts_json(toy().view);
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_EQ(charts[0].at("chart").at("kind"), "lines");
}

}  // namespace
}  // namespace synchro::experiments
