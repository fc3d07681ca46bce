// Runs on processors that move: the probe is a fake, and the body's values follow it.

#include <gtest/gtest.h>

#include "fakes.hpp"

namespace synchro::experiments {
namespace {

/// Repetitions 0, 1, 2, ... see the hand-over times given, one before and one after each; the last goes on for ever.
struct moving_machine {
  fake f;
  std::vector<double> times;
  std::size_t probes = 0;

  explicit moving_machine(std::vector<double> given) : times{std::move(given)} {
    f.what.axes = {word_axis("letter", "a letter", {"a"})};
    f.what.processors = [](const setting&, const coordinates&) { return std::vector<unsigned>{0, 1}; };
    f.what.repetitions = [](level) { return 8U; };
    f.result = [this](const coordinates&, std::uint64_t) { return fake::repetition_of(2 * now()); };
  }

  [[nodiscard]] double now() const { return times[std::min(probes, times.size()) - 1]; }

  run_outcome run(double repair = 0) {
    run_control control;
    control.repair = repair;
    control.probe = [this](unsigned, unsigned) {
      ++probes;
      return std::optional{now()};
    };
    return run_fake(f, quick_setting(), control);
  }
};

TEST(Modes, OneModeLeavesTheCellsAsTheyAre) {
  moving_machine machine{{50, 51, 49, 50}};
  const run_outcome outcome = machine.run();
  ASSERT_EQ(outcome.cells.size(), 1U);
  EXPECT_EQ(outcome.cells[0].n, 8U);
  EXPECT_EQ(outcome.cells[0].noise.at("mode"), "near");
  EXPECT_EQ(outcome.cells[0].noise.at("probes_ns").size(), 8U);
  EXPECT_EQ(find_warning(outcome, "modes"), nullptr);
}

TEST(Modes, SamplesOfAnotherModeAreACellOfTheirOwn) {
  moving_machine machine{{50, 50, 50, 50, 50, 250, 250, 250, 250}};
  const run_outcome outcome = machine.run();
  ASSERT_EQ(outcome.cells.size(), 2U);
  const results::cell* near = find_cell(outcome, "letter=a");
  const results::cell* far = find_cell(outcome, "letter=a mode=far");
  ASSERT_NE(near, nullptr);
  ASSERT_NE(far, nullptr);
  EXPECT_EQ(near->value, 100);
  EXPECT_EQ(far->value, 500);
  EXPECT_EQ(far->noise.at("mode"), "far");
}

TEST(Modes, ASampleInWhoseCourseTheModeChangedIsInNeitherButCounted) {
  moving_machine machine{{50, 50, 50, 50, 250, 250, 250, 250, 250}};
  const run_outcome outcome = machine.run();
  std::size_t samples = 0;
  for (const results::cell& c : outcome.cells) {
    EXPECT_EQ(c.noise.at("flipped"), 1);
    samples += c.n;
  }
  EXPECT_EQ(samples, 7U);
}

TEST(Modes, TheRunSaysSoInOneWarning) {
  moving_machine machine{{50, 50, 50, 50, 250, 250, 250, 250, 250}};
  const run_outcome outcome = machine.run();
  const results::warning* w = find_warning(outcome, "modes");
  ASSERT_NE(w, nullptr);
  EXPECT_NE(w->advice.find("50 ns"), std::string::npos) << w->advice;
  EXPECT_NE(w->advice.find("250 ns"), std::string::npos) << w->advice;
  const nlohmann::ordered_json& pair = w->evidence.at("pairs").at(0);
  EXPECT_EQ(pair.at("processors"), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(pair.at("modes").at(1).at("mode"), "far");
  EXPECT_EQ(pair.at("modes").at(1).at("one_way_ns"), 250);
}

TEST(Modes, TooFewNearSamplesAreRepairedByMoreRepetitions) {
  moving_machine machine{{50, 50, 50, 250, 250, 250, 250, 250, 250, 50}};
  const run_outcome outcome = machine.run(100);
  const results::cell* near = find_cell(outcome, "letter=a");
  ASSERT_NE(near, nullptr);
  EXPECT_GE(near->n, 6U);
  EXPECT_EQ(near->value, 100);
  EXPECT_EQ(near->quality, results::flag::ok);
}

TEST(Modes, AModeOfOtherCellsDoesNotMakeACellNear) {
  // The second cell is measured while the processors are far from each other, in all of its repetitions.
  moving_machine machine{{50}};
  machine.f.what.axes = {word_axis("letter", "a letter", {"a", "b"})};
  bool far = false;
  machine.f.what.repetitions = [](level) { return 7U; };
  run_control control;
  control.repair = 0;
  control.probe = [&](unsigned, unsigned) { return std::optional{far ? 250.0 : 50.0}; };
  const setting s = quick_setting();
  plan p = make_plan(s, {&machine.f.what});
  fake other{"fake.two"};
  other.what.axes = machine.f.what.axes;
  other.what.processors = machine.f.what.processors;
  const plan second = make_plan(s, {&other.what});
  p.cells.push_back(second.cells[0]);
  machine.f.result = [](const coordinates&, std::uint64_t) { return fake::repetition_of(1); };
  control.report = [&](const progress& now) { far = now.now != nullptr && now.now->what == &other.what; };
  const run_outcome outcome = run(p, s, control);
  const auto cell = std::find_if(outcome.cells.begin(), outcome.cells.end(),
                                 [](const results::cell& c) { return c.experiment == "fake.two"; });
  ASSERT_NE(cell, outcome.cells.end());
  EXPECT_EQ(cell->value, std::nullopt);
  EXPECT_EQ(cell->reason, "measured only while processors 0 and 1 were in the mode far");
  ASSERT_NE(cell + 1, outcome.cells.end());
  EXPECT_EQ((cell + 1)->at.to_string(), "letter=a mode=far");
}

TEST(Modes, WithoutProbesThereIsNoMode) {
  moving_machine machine{{50, 250}};
  run_control control;
  control.probe = [](unsigned, unsigned) { return std::optional<double>{}; };
  machine.f.result = [](const coordinates&, std::uint64_t) { return fake::repetition_of(1); };
  const run_outcome outcome = run_fake(machine.f, quick_setting(), control);
  ASSERT_EQ(outcome.cells.size(), 1U);
  EXPECT_EQ(outcome.cells[0].n, 8U);
  EXPECT_FALSE(outcome.cells[0].noise.contains("mode"));
}

std::vector<std::pair<unsigned, unsigned>> probed(const std::vector<unsigned>& processors, coordinates threads,
                                                  unsigned machine) {
  fake f;
  f.what.axes.clear();
  for (const auto& [name, value] : threads.entries())
    f.what.axes.push_back({name, "", [v = value](const setting&) { return std::vector{v}; }});
  f.what.processors = [&](const setting&, const coordinates&) { return processors; };
  std::vector<std::pair<unsigned, unsigned>> pairs;
  run_control control;
  control.probe = [&](unsigned a, unsigned b) {
    if (pairs.empty()) pairs.emplace_back(a, b);
    return std::optional{50.0};
  };
  (void)run_fake(f, quick_setting(machine), control);
  return pairs;
}

using pairs = std::vector<std::pair<unsigned, unsigned>>;

TEST(Modes, TheFirstAndLastProcessorOfACellAreProbed) {
  EXPECT_EQ(probed({4, 2, 7}, {}, 8), (pairs{{4, 7}}));
  EXPECT_EQ(probed({4}, {}, 8), pairs{});
}

TEST(Modes, UnpinnedThreadsOnTwoProcessorsAreOnThoseTwo) {
  EXPECT_EQ(probed({}, {{"threads", 2}}, 2), (pairs{{0, 1}}));
  EXPECT_EQ(probed({}, {{"threads", 1}}, 2), pairs{});
  EXPECT_EQ(probed({}, {{"threads", 2}}, 8), pairs{});
}

}  // namespace
}  // namespace synchro::experiments
