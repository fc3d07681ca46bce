// Runs on processors that move: the probe is a fake, and the body's values follow it.

#include <gtest/gtest.h>

#include "fakes.hpp"

namespace synchro::experiments {
namespace {

/// Repetitions 0, 1, 2, ... see the hand-off times given, one before and one after each; the last goes on for ever.
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
  EXPECT_FALSE(outcome.cells[0].noise.contains("mode"));  // which of the machine's modes it was, nobody knows
  EXPECT_EQ(outcome.cells[0].probe_ns, 50);
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
  EXPECT_EQ(near->probe_ns, 50);
  EXPECT_EQ(far->probe_ns, 250);
}

TEST(Modes, ASampleInWhoseCourseTheModeChangedIsInNeitherButCounted) {
  moving_machine machine{{50, 50, 50, 50, 250, 250, 250, 250, 250}};
  const run_outcome outcome = machine.run();
  std::size_t samples = 0;
  for (const results::cell& c : outcome.cells) {
    EXPECT_EQ(c.noise.at("dropped").at("the processors moved meanwhile"), (std::vector<unsigned>{3}));
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
  const nlohmann::ordered_json& pair = w->evidence.at("distances").at(0);
  EXPECT_EQ(pair.at("processors").at(0), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(pair.at("modes").at(1).at("mode"), "far");
  EXPECT_EQ(pair.at("modes").at(1).at("one_way_ns"), 250);
}

TEST(Modes, ACellIsRepeatedUntilItHasEnoughRepetitionsInSomeMode) {
  moving_machine machine{{50, 50, 50, 250, 250, 250, 250, 250, 250, 50}};
  const run_outcome outcome = machine.run(100);
  const results::cell* near = find_cell(outcome, "letter=a");
  ASSERT_NE(near, nullptr);
  EXPECT_EQ(near->n, 8U);
  EXPECT_EQ(near->value, 100);
  EXPECT_EQ(near->quality, results::flag::ok);
}

TEST(Modes, ACellMeasuredInTheFarModeAloneIsNotRepeatedForTheNearOne) {
  moving_machine machine{{50, 50, 50, 250}};
  const run_outcome outcome = machine.run(100);
  const results::cell* far = find_cell(outcome, "letter=a mode=far");
  ASSERT_NE(far, nullptr);
  EXPECT_EQ(far->n, 8U);
  EXPECT_LT(machine.f.calls.size(), 14U);
}

TEST(Modes, CellsThatLackAnIntervalAreRepeatedBeforeThoseThatAreUnsure) {
  // While cell a is measured its processors move at every other repetition; those of cell b stay, but it is noisy.
  fake f;
  f.what.axes = {word_axis("letter", "a letter", {"a", "b"})};
  f.what.processors = [](const setting&, const coordinates& at) {
    return at.word("letter") == "a" ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{2, 3};
  };
  unsigned of_a = 0;
  std::string order;
  run_control control;
  control.probe = [&](unsigned first, unsigned) { return std::optional{first == 0 && of_a % 4 < 2 ? 250.0 : 50.0}; };
  control.repair = 100;
  f.result = [&](const coordinates& at, std::uint64_t seed) {
    order += at.word("letter");
    of_a += at.word("letter") == "a" ? 1U : 0U;
    return fake::repetition_of(at.word("letter") == "a" ? 100 : 50 + static_cast<double>(seed % 101));
  };
  (void)run_fake(f, quick_setting(4), control);
  EXPECT_EQ(order.substr(14), std::string(14, 'a') + std::string(14, 'b'));
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
  EXPECT_EQ(cell->at.to_string(), "letter=a mode=far");
  EXPECT_EQ(cell->value, 100);
  EXPECT_EQ(cell->probe_ns, 250);
}

/// Cells of two pairs of processors, of which the second is probed at the given distance.
run_outcome two_pairs(unsigned a, unsigned b, double second_ns) {
  fake f, other{"fake.two"};
  for (fake* one : {&f, &other}) one->what.axes = {word_axis("letter", "a letter", {"a"})};
  f.what.processors = [](const setting&, const coordinates&) { return std::vector<unsigned>{0, 1}; };
  other.what.processors = [=](const setting&, const coordinates&) { return std::vector<unsigned>{a, b}; };
  run_control control;
  control.probe = [=](unsigned x, unsigned y) { return std::optional{x == a && y == b ? second_ns : 50.0}; };
  const setting s = quick_setting(4);
  return run(make_plan(s, {&f.what, &other.what}), s, control);
}

TEST(Modes, BothDirectionsOfAPairHaveTheSameModes) {
  const run_outcome outcome = two_pairs(1, 0, 250);
  EXPECT_EQ(outcome.cells.at(0).at.to_string(), "letter=a");
  EXPECT_EQ(outcome.cells.at(1).at.to_string(), "letter=a mode=far");
}

TEST(Modes, PairsThatAreEquallyFarApartHaveThemInCommon) {
  EXPECT_EQ(two_pairs(2, 3, 250).cells.at(1).at.to_string(), "letter=a mode=far");
  EXPECT_EQ(two_pairs(2, 3, 52).cells.at(1).at.to_string(), "letter=a");
}

TEST(Modes, ARepetitionThatCouldNotBeProbedIsAccountedFor) {
  moving_machine machine{{50}};
  unsigned probes = 0;
  run_control control;
  control.repair = 0;
  control.probe = [&](unsigned, unsigned) {
    ++probes;
    return probes == 3 ? std::nullopt : std::optional{probes < 3 ? 250.0 : 50.0};
  };
  machine.f.result = [](const coordinates&, std::uint64_t) { return fake::repetition_of(1); };
  const run_outcome outcome = run_fake(machine.f, quick_setting(), control);
  std::size_t dropped = 0;
  for (const auto& [why, repetitions] : outcome.cells.at(0).noise.at("dropped").items()) dropped += repetitions.size();
  std::size_t samples = 0;
  for (const results::cell& c : outcome.cells) samples += c.n;
  EXPECT_TRUE(outcome.cells.at(0).noise.at("dropped").contains("the distance of the processors could not be probed"));
  EXPECT_EQ(samples + dropped, 8U);
}

/// Repetitions under the pauses given, the last of which goes on.
run_outcome under_pauses(const std::vector<double>& pauses) {
  fake f;
  f.what.axes = {word_axis("letter", "a letter", {"a"})};
  std::size_t made = 0;
  f.result = [&](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    r.conditions["pause_ns"] = pauses[std::min(made++, pauses.size() - 1)];
    return r;
  };
  run_control control = quietly();
  control.repair = 0;
  return run_fake(f, quick_setting(), control);
}

TEST(Conditions, AreInTheCell) {
  EXPECT_EQ(under_pauses({200}).cells.at(0).conditions.at("pause_ns"), 200);
  EXPECT_EQ(under_pauses({200, 201, 200}).cells.at(0).n, 7U);
}

TEST(Conditions, RepetitionsUnderOthersAreDroppedAndAccountedFor) {
  const results::cell c = under_pauses({100, 100, 300}).cells.at(0);
  EXPECT_EQ(c.n, 5U);
  EXPECT_EQ(c.conditions.at("pause_ns"), 300);
  EXPECT_EQ(c.noise.at("dropped").begin()->size(), 2U);
}

TEST(Void, ARepetitionThatIsVoidDoesNotCount) {
  fake f;
  unsigned made = 0;
  f.what.axes = {word_axis("letter", "a letter", {"a"})};
  f.result = [&](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(made < 2 ? 1 : 100);
    if (made++ < 2) r.void_because = "thread 1 could not be pinned to processor 7";
    return r;
  };
  run_control control = quietly();
  control.repair = 0;
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_EQ(outcome.cells.at(0).value, 100);
  EXPECT_EQ(outcome.cells.at(0).n, 5U);
  EXPECT_EQ(outcome.cells.at(0).noise.at("dropped").at("thread 1 could not be pinned to processor 7"),
            (std::vector<unsigned>{0, 1}));
}

TEST(Void, IfAllAreTheCellSaysWhyAndIsNotRepeated) {
  fake f;
  f.what.axes = {word_axis("letter", "a letter", {"a"})};
  f.result = [](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(1);
    r.void_because = "thread 1 could not be pinned to processor 7";
    return r;
  };
  run_control control = quietly();
  control.repair = 100;
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_FALSE(outcome.cells.at(0).value);
  EXPECT_EQ(outcome.cells.at(0).reason, "thread 1 could not be pinned to processor 7 (7 repetitions)");
  EXPECT_EQ(f.calls.size(), 7U);
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
