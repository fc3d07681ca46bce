#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>

#include "fakes.hpp"

namespace synchro::experiments {
namespace {

TEST(Run, MeasuresEveryCellAsOftenAsPlanned) {
  fake f;
  const run_outcome outcome = run_fake(f);
  EXPECT_TRUE(outcome.complete);
  EXPECT_FALSE(outcome.broken);
  ASSERT_EQ(outcome.cells.size(), 6U);
  for (const results::cell& c : outcome.cells) {
    EXPECT_EQ(c.experiment, "fake.one");
    EXPECT_EQ(c.n, 7U);
    EXPECT_EQ(c.value, 100);
    EXPECT_EQ(c.unit, "ns");
    EXPECT_EQ(c.quality, results::flag::ok);
    EXPECT_TRUE(c.valid);
  }
  EXPECT_EQ(f.calls.size(), 6U * 7);
}

TEST(Run, EveryRoundHasEachCellOnce) {
  fake f;
  (void)run_fake(f);
  std::vector<std::string> order = f.order();
  for (std::size_t round = 0; round < 7; ++round) {
    std::vector<std::string> places(order.begin() + static_cast<std::ptrdiff_t>(6 * round),
                                    order.begin() + static_cast<std::ptrdiff_t>(6 * (round + 1)));
    std::sort(places.begin(), places.end());
    EXPECT_EQ(std::unique(places.begin(), places.end()), places.end()) << "round " << round;
  }
}

TEST(Run, TheOrderFollowsFromTheSeed) {
  setting s = quick_setting();
  fake first, again, other;
  (void)run_fake(first, s);
  (void)run_fake(again, s);
  s.seed = 2;
  (void)run_fake(other, s);
  EXPECT_EQ(first.order(), again.order());
  EXPECT_NE(first.order(), other.order());
}

TEST(Run, RepetitionsHaveDifferentSeedsAndTheSameOnesInAnotherRun) {
  fake first, again;
  (void)run_fake(first);
  (void)run_fake(again);
  std::map<std::uint64_t, int> times;
  for (std::size_t i = 0; i < first.calls.size(); ++i) {
    EXPECT_EQ(first.calls[i].seed, again.calls[i].seed);
    ++times[first.calls[i].seed];
  }
  EXPECT_EQ(times.size(), first.calls.size());
}

TEST(Run, ExperimentsAreBlocks) {
  std::vector<std::string> order;
  fake one{"fake.one"}, two{"fake.two"};
  for (fake* f : {&one, &two})
    f->result = [&order, name = f->what.name](const coordinates&, std::uint64_t) {
      order.push_back(name);
      return fake::repetition_of(1);
    };
  const setting s = quick_setting();
  (void)run(make_plan(s, {&one.what, &two.what}), s, quietly());
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(order.size(), 2U * 6 * 7);
}

TEST(Run, StopKeepsWhatWasMeasuredAndInventsNothing) {
  fake f;
  run_control control = quietly();
  control.stop = [&] { return f.calls.size() == 9; };  // one round of six cells, and three more
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_FALSE(outcome.complete);
  EXPECT_EQ(f.calls.size(), 9U);
  std::size_t samples = 0;
  ASSERT_EQ(outcome.cells.size(), 6U);
  for (const results::cell& c : outcome.cells) {
    EXPECT_EQ(c.value, 100);
    samples += c.n;
  }
  EXPECT_EQ(samples, 9U);
}

TEST(Run, CellsThatAStoppedRunDidNotReachAreNotInIt) {
  fake f;
  run_control control = quietly();
  control.stop = [&] { return f.calls.size() == 2; };
  EXPECT_EQ(run_fake(f, quick_setting(), control).cells.size(), 2U);
}

TEST(Run, EndsWhenItsTimeIsOver) {
  fake f;
  f.what.repetitions = [](level) { return 1000U; };
  f.result = [](const coordinates&, std::uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
    return fake::repetition_of(1);
  };
  run_control control = quietly();
  control.max_seconds = 0.05;
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_FALSE(outcome.complete);
  EXPECT_LE(f.calls.size(), 25U);
}

TEST(Run, DoesNotStartWhatIsLongerThanTheTimeThatIsLeft) {
  fake f;
  f.what.seconds = [](const setting&, const coordinates&) { return 100.0; };
  run_control control = quietly();
  control.max_seconds = 50;
  EXPECT_FALSE(run_fake(f, quick_setting(), control).complete);
  EXPECT_TRUE(f.calls.empty());
}

/// What of its cells has an interval.
std::size_t sure_cells(const run_outcome& outcome, const fake& f) {
  return static_cast<std::size_t>(std::count_if(outcome.cells.begin(), outcome.cells.end(), [&](const auto& c) {
    return c.experiment == f.what.name && c.ci.has_value();
  }));
}

repetition unsure_but_for_a(const coordinates& at, std::uint64_t seed) {
  return fake::repetition_of(at.word("letter") == "a" ? 100 : 50 + static_cast<double>(seed % 101));
}

/// Experiments on a clock of their own, which nothing but their repetitions moves.
struct planted {
  double now = 0;
  std::vector<std::unique_ptr<fake>> all = {};

  /// Six cells, seven repetitions each: of so many seconds as estimated, and as they come out.
  fake& add(const std::string& name, double estimated, double taken) {
    fake& f = *all.emplace_back(std::make_unique<fake>(name));
    f.what.seconds = [estimated](const setting&, const coordinates&) { return estimated; };
    f.result = [this, taken](const coordinates&, std::uint64_t) {
      now += taken;
      return fake::repetition_of(100);
    };
    return f;
  }
  [[nodiscard]] std::vector<const experiment*> which() const {
    std::vector<const experiment*> list;
    for (const auto& f : all) list.push_back(&f->what);
    return list;
  }
  [[nodiscard]] run_control control() {
    run_control c = quietly();
    c.now = [this] { return now; };
    return c;
  }
  /// Of how many experiments all cells have an interval.
  [[nodiscard]] std::size_t sure(const run_outcome& outcome) const {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const auto& f) { return sure_cells(outcome, *f) == 6; }));
  }
  /// How many cells have some repetitions and no interval.
  [[nodiscard]] static std::size_t begun(const run_outcome& outcome) {
    return static_cast<std::size_t>(
        std::count_if(outcome.cells.begin(), outcome.cells.end(), [](const auto& c) { return c.n > 0 && !c.ci; }));
  }
};

/// Six experiments that take so many times as long as estimated, in half the time that they need.
run_outcome half_of_six(double times) {
  planted machine;
  for (const char* name : {"fake.a", "fake.b", "fake.c", "fake.d", "fake.e", "fake.f"}) machine.add(name, 1, times);
  const setting s = quick_setting();
  const plan p = make_plan(s, machine.which());
  run_control control = machine.control();
  control.max_seconds = times * p.seconds() / 2;
  run_outcome outcome = run(p, s, control);
  EXPECT_EQ(machine.sure(outcome), 3U);
  EXPECT_LE(planted::begun(outcome), 1U);
  return outcome;
}

TEST(Run, HalfTheTimeIsHalfTheExperimentsSure) { EXPECT_EQ(half_of_six(1).unfinished.back(), "fake.f"); }
TEST(Run, HalfTheTimeOfARunThatTakesLongerThanItSaid) { EXPECT_EQ(half_of_six(3).unfinished.size(), 3U); }

TEST(Run, AnExperimentThatIsTooLongIsMeasuredCellByCell) {
  planted machine;
  machine.add("fake.a", 10, 10);
  const setting s = quick_setting();
  const plan p = make_plan(s, machine.which());
  run_control control = machine.control();
  control.max_seconds = p.seconds() / 2;
  const run_outcome outcome = run(p, s, control);
  EXPECT_EQ(sure_cells(outcome, *machine.all.front()), 3U);
  EXPECT_LE(planted::begun(outcome), 1U);
}

/// Sixty cells, which take twenty times as long as estimated.
fake& sixty_that_take_longer(planted& machine, const char* except) {
  fake& f = machine.add("fake.a", 0.1, 0);
  f.what.axes.back().values = [](const setting&) {
    std::vector<coordinate> all;
    for (std::int64_t i = 0; i < 20; ++i) all.emplace_back(i);
    return all;
  };
  f.result = [&machine, except](const coordinates& at, std::uint64_t) {
    machine.now += at.word("letter") == except ? 0.1 : 2;
    return fake::repetition_of(100);
  };
  return f;
}

TEST(Run, WhereAnEstimateIsFarOffOneCellIsBegunInVainAtMost) {
  planted machine;
  const fake& f = sixty_that_take_longer(machine, "");
  const setting s = quick_setting();
  run_control control = machine.control();
  control.max_seconds = 100;  // more than all were to take
  const run_outcome outcome = run(make_plan(s, machine.which()), s, control);
  EXPECT_EQ(sure_cells(outcome, f), 7U);
  EXPECT_LE(planted::begun(outcome), 1U);
}

TEST(Run, WhatFitsIsJudgedAnewAfterEachRound) {
  planted machine;
  const fake& f = sixty_that_take_longer(machine, "a");  // the first that are tried
  const setting s = quick_setting();
  run_control control = machine.control();
  control.max_seconds = 100;
  const run_outcome outcome = run(make_plan(s, machine.which()), s, control);
  EXPECT_EQ(sure_cells(outcome, f), 20U);
}

TEST(Run, KilledAtHalfHasHalfTheExperimentsSure) {
  planted machine;
  for (const char* name : {"fake.a", "fake.b", "fake.c", "fake.d"}) machine.add(name, 1, 1);
  const setting s = quick_setting();
  const plan p = make_plan(s, machine.which());
  run_control control = machine.control();
  control.stop = [&] { return machine.now >= 2 * 6 * 7; };
  EXPECT_EQ(machine.sure(run(p, s, control)), 2U);
}

TEST(Run, BoundedMeasuresFirstWhatFitsItsTimeAsAWhole) {
  planted machine;
  fake& lengthy = machine.add("fake.lengthy", 10, 10);
  machine.add("fake.other", 0.1, 0.1);
  machine.add("fake.last", 0.1, 0.1);
  const setting s = quick_setting();
  run_control control = machine.control();
  control.max_seconds = 60;
  const run_outcome outcome = run(make_plan(s, machine.which()), s, control);
  EXPECT_EQ(machine.sure(outcome), 2U);
  EXPECT_EQ(sure_cells(outcome, lengthy), 0U);
}

TEST(Run, BoundedMeasuresAllThatTakesLessThanItSaid) {
  planted machine;
  fake& lengthy = machine.add("fake.lengthy", 10, 0.01);
  fake& other = machine.add("fake.other", 0.01, 0.01);
  fake& last = machine.add("fake.last", 0.01, 0.01);
  const setting s = quick_setting();
  run_control control = machine.control();
  control.max_seconds = 60;
  const run_outcome outcome = run(make_plan(s, machine.which()), s, control);
  EXPECT_EQ(sure_cells(outcome, other), 6U);
  EXPECT_EQ(sure_cells(outcome, last), 6U);
  EXPECT_EQ(sure_cells(outcome, lengthy), 6U);  // it was begun in the time that was left, and took less than it said
  EXPECT_TRUE(outcome.complete);
}

TEST(Run, BoundedRepeatsWhatIsNotSureWhereTheRestWouldNotFitAnyhow) {
  fake unsure{"fake.unsure"}, lengthy{"fake.lengthy"};
  unsure.result = unsure_but_for_a;
  lengthy.what.seconds = [](const setting&, const coordinates&) { return 1000.0; };
  const setting s = quick_setting();
  run_control control = quietly();
  control.max_seconds = 60;
  (void)run(make_plan(s, {&unsure.what, &lengthy.what}), s, control);
  EXPECT_GT(unsure.calls.size(), 42U);
  EXPECT_TRUE(lengthy.calls.empty());
}

TEST(Run, ABrokenCellHasNoValueAndTheOthersDo) {
  fake f;
  f.result = [](const coordinates& at, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    if (at.to_string() == "letter=b number=1") r.broken = "the counter holds 5, not 6";
    return r;
  };
  const run_outcome outcome = run_fake(f);
  EXPECT_TRUE(outcome.broken);
  EXPECT_TRUE(outcome.complete);
  const results::cell* broken = find_cell(outcome, "letter=b number=1");
  ASSERT_NE(broken, nullptr);
  EXPECT_FALSE(broken->valid);
  EXPECT_EQ(broken->value, std::nullopt);
  EXPECT_EQ(broken->reason, "the counter holds 5, not 6");
  EXPECT_TRUE(broken->samples.empty());
  EXPECT_EQ(find_cell(outcome, "letter=b number=2")->value, 100);
  const std::vector<std::string> order = f.order();
  EXPECT_EQ(std::count(order.begin(), order.end(), "letter=b number=1"), 1);
}

TEST(Run, ARepetitionThatThrowsEndsItsCellWithTheSentence) {
  fake f;
  f.result = [](const coordinates& at, std::uint64_t) {
    if (at.word("letter") == "c") throw std::runtime_error{"no thread to be had"};
    return fake::repetition_of(100);
  };
  const run_outcome outcome = run_fake(f);
  EXPECT_TRUE(outcome.complete);
  EXPECT_FALSE(outcome.broken);
  const results::cell* failed = find_cell(outcome, "letter=c number=1");
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->value, std::nullopt);
  EXPECT_EQ(failed->reason, "no thread to be had");
  EXPECT_TRUE(failed->valid);
}

TEST(Run, SamplesBeforeAFailureAreKeptAndTheReasonStandsBesideThem) {
  fake f;
  int calls = 0;
  f.what.axes = {word_axis("letter", "a letter", {"a"})};
  f.result = [&](const coordinates&, std::uint64_t) {
    if (++calls == 3) throw std::runtime_error{"no memory to be had"};
    return fake::repetition_of(100);
  };
  const run_outcome outcome = run_fake(f);
  ASSERT_EQ(outcome.cells.size(), 1U);
  EXPECT_EQ(outcome.cells[0].n, 2U);
  EXPECT_EQ(outcome.cells[0].reason, "ended after 2 of 7 repetitions: no memory to be had");
}

TEST(Run, WhatIsNoNumberIsNoSample) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) { return fake::repetition_of(std::nan("")); };
  const run_outcome outcome = run_fake(f);
  ASSERT_EQ(outcome.cells.size(), 6U);
  EXPECT_EQ(outcome.cells[0].value, std::nullopt);
  EXPECT_EQ(outcome.cells[0].reason, "a repetition gave no finite number for time");
}

TEST(Run, CellsThatCannotBeMeasuredAreThereWithTheirReason) {
  fake f;
  f.what.metrics.push_back({"share", "1", better::neither, "no share"});
  f.what.unavailable = [](const setting&, const coordinates& at) {
    return at.number("number") == 2 ? std::optional<std::string>{"there is no third sharer"} : std::nullopt;
  };
  const run_outcome outcome = run_fake(f);
  for (const char* metric : {"time", "share"}) {
    const results::cell* c = find_cell(outcome, "letter=a number=2", metric);
    ASSERT_NE(c, nullptr);
    EXPECT_EQ(c->reason, "there is no third sharer");
    EXPECT_EQ(c->value, std::nullopt);
    EXPECT_TRUE(c->valid);
  }
  EXPECT_EQ(f.calls.size(), 3U * 7);
}

TEST(Run, MetricsThatACellDoesNotTellSayWhy) {
  fake f;
  f.what.metrics.push_back({"share", "1", better::neither, "no share"});
  f.what.metrics.push_back({"other", "1", better::neither, "nothing"});
  f.result = [](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    r.unavailable["share"] = "one thread shares with nobody";
    return r;
  };
  const run_outcome outcome = run_fake(f);
  EXPECT_EQ(find_cell(outcome, "letter=a number=1", "share")->reason, "one thread shares with nobody");
  EXPECT_EQ(find_cell(outcome, "letter=a number=1", "other")->reason, "the experiment does not measure this here");
}

TEST(Run, RemarksAndClockLimitsReachTheCell) {
  fake f;
  f.result = [](const coordinates& at, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    if (at.word("letter") == "a") r.bounded = "stopped after 2 s";
    if (at.word("letter") == "b") r.clock_limited = true;
    return r;
  };
  const run_outcome outcome = run_fake(f);
  EXPECT_EQ(find_cell(outcome, "letter=a number=1")->reason, "stopped after 2 s");
  EXPECT_EQ(find_cell(outcome, "letter=a number=1")->value, 100);
  EXPECT_EQ(find_cell(outcome, "letter=b number=1")->quality, results::flag::clock_limited);
}

TEST(Run, QuantilesAreTheMediansOfTheRepetitionsQuantiles) {
  fake f;
  int calls = 0;
  f.what.axes = {word_axis("letter", "a letter", {"a"})};
  f.result = [&](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    r.observations[0].quantiles = {{"p50", 90.0 + ++calls}};
    return r;
  };
  const run_outcome outcome = run_fake(f);
  EXPECT_EQ(outcome.cells.at(0).quantiles.at("p50"), 94);
}

TEST(Run, AMetricToldAtSeveralPlacesIsACellForEach) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    for (const std::int64_t order : {1, 2})
      r.observations.push_back({"time", 10.0 * static_cast<double>(order), {}, false, coordinates{{"order", order}}});
    return r;
  };
  const run_outcome outcome = run_fake(f);
  ASSERT_EQ(outcome.cells.size(), 3U * 6U);
  EXPECT_EQ(outcome.cells[0].at.to_string(), "letter=a number=1");
  EXPECT_EQ(outcome.cells[0].value, 100);
  EXPECT_EQ(outcome.cells[1].at.to_string(), "letter=a number=1 order=1");
  EXPECT_EQ(outcome.cells[1].value, 10);
  EXPECT_EQ(outcome.cells[2].at.to_string(), "letter=a number=1 order=2");
  EXPECT_EQ(outcome.cells[2].value, 20);
  EXPECT_EQ(outcome.cells[2].n, outcome.cells[0].n);
}

TEST(Run, EvidenceOfNoiseIsInTheCell) {
  fake f;
  f.what.processors = [](const setting&, const coordinates&) { return std::vector<unsigned>{0}; };
  f.result = [](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    r.involuntary_switches = 2;
    r.run_delay_ns = 1000;
    r.migrations = 1;
    return r;
  };
  const run_outcome outcome = run_fake(f);
  const nlohmann::ordered_json& noise = outcome.cells.at(0).noise;
  EXPECT_EQ(noise.at("involuntary_switches"), 14);
  EXPECT_EQ(noise.at("run_delay_ns"), 7000);
  EXPECT_EQ(noise.at("migrations"), 7);
  EXPECT_EQ(noise.at("processors"), (std::vector<unsigned>{0}));
  EXPECT_EQ(noise.at("repetition"), (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(noise.at("core_mhz").size(), 7U);
  EXPECT_GT(noise.at("core_mhz")[0].get<double>(), 0);
  EXPECT_EQ(noise.at("seconds").size(), 7U);
  EXPECT_TRUE(noise.contains("steal_ns"));
}

TEST(Run, WarningsOfRepetitionsAreSaidOnce) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    r.warnings = {"thread 1 could not be pinned to processor 7"};
    return r;
  };
  const run_outcome outcome = run_fake(f);
  const results::warning* w = find_warning(outcome, "repetition");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->advice, "thread 1 could not be pinned to processor 7");
  EXPECT_EQ(w->evidence.at("repetitions"), 42);
  EXPECT_EQ(std::count_if(outcome.warnings.begin(), outcome.warnings.end(),
                          [](const results::warning& one) { return one.id == "repetition"; }),
            1);
}

/// 100 for a, and for the others anything between 50 and 150: no number of repetitions makes that sure.
TEST(Run, UnsureCellsAreRepeatedThreeTimesAsOftenAtMost) {
  fake f;
  f.result = unsure_but_for_a;
  run_control control = quietly();
  control.repair = 1000;
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_EQ(find_cell(outcome, "letter=a number=1")->n, 7U);
  const results::cell* unsure = find_cell(outcome, "letter=b number=1");
  EXPECT_GT(unsure->n, 7U);
  EXPECT_LE(unsure->n, 21U);
  EXPECT_TRUE(outcome.complete);
}

TEST(Run, RepairEndsWithItsShareOfTime) {
  fake f;
  f.result = unsure_but_for_a;
  run_control control = quietly();
  control.repair = 0;
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(f.calls.size(), 42U);
}

TEST(Run, RepairLeavesTheTimeThatThePlanStillNeeds) {
  fake unsure{"fake.unsure"}, long_one{"fake.long"};
  unsure.result = unsure_but_for_a;
  unsure.what.seconds = [](const setting&, const coordinates&) { return 1.0; };
  long_one.what.seconds = [](const setting&, const coordinates&) { return 10.0; };
  std::size_t before_the_long_one = 0;
  long_one.result = [&](const coordinates&, std::uint64_t) {
    if (long_one.calls.size() == 1) before_the_long_one = unsure.calls.size();
    return fake::repetition_of(100);
  };
  run_control control = quietly();
  control.repair = 1000;
  const setting s = quick_setting();
  control.max_seconds = make_plan(s, {&long_one.what}).seconds() + 0.9;  // less than a repetition of the other
  const run_outcome outcome = run(make_plan(s, {&unsure.what, &long_one.what}), s, control);
  EXPECT_TRUE(outcome.complete);
  EXPECT_LE(before_the_long_one, 42U);
  EXPECT_GT(unsure.calls.size(), 42U);  // in the time that the long one did not take
}

TEST(Run, ProgressCountsUpToTheEndAndNamesWhatComesNext) {
  fake f;
  std::vector<std::string> next;
  std::vector<progress> seen;
  run_control control = quietly();
  control.report = [&](const progress& p) {
    seen.push_back(p);
    if (p.now != nullptr) next.push_back(p.now->at.to_string());
  };
  const double all_seconds = make_plan(quick_setting(), {&f.what}).seconds();
  (void)run_fake(f, quick_setting(), control);
  EXPECT_EQ(next, f.order());
  ASSERT_EQ(seen.size(), 43U);
  for (std::size_t i = 0; i < 43; ++i) {
    EXPECT_EQ(seen[i].repetitions_done, i);
    EXPECT_EQ(seen[i].repetitions_all, 42U);
    EXPECT_FALSE(seen[i].repeats);
    // By what the repetitions took, the estimate may be corrected to a fifth of it, or five times as much.
    const double estimated = all_seconds * static_cast<double>(42 - i) / 42;
    EXPECT_GE(seen[i].seconds_left, 0.19 * estimated);
    EXPECT_LE(seen[i].seconds_left, 5.01 * estimated);
  }
  EXPECT_EQ(seen.back().now, nullptr);
  EXPECT_EQ(seen.back().seconds_left, 0);
}

TEST(Run, ProgressTellsRepetitionsBeyondThePlanApart) {
  fake f;
  f.result = unsure_but_for_a;
  std::vector<progress> beyond;
  run_control control = quietly();
  control.repair = 1000;
  control.report = [&](const progress& p) {
    if (p.repeats) beyond.push_back(p);
  };
  (void)run_fake(f, quick_setting(), control);
  EXPECT_EQ(beyond.size(), f.calls.size() - 42);
  ASSERT_FALSE(beyond.empty());
  for (const progress& p : beyond) {
    EXPECT_EQ(p.repetitions_done, p.repetitions_all);
    EXPECT_GT(p.seconds_left, 0);
  }
}

TEST(Run, EnergyIsToldWhereTheMeterCanBeRead) {
  fake f;
  f.what.metrics = {{"throughput", "op/s", better::higher, "no operations"}};
  f.result = [](const coordinates&, std::uint64_t) {
    repetition r;
    r.observations.push_back({"throughput", 1000});
    return r;
  };
  double spent = 0;
  run_control control = quietly();
  control.joules = [&] { return std::optional{spent += 0.5}; };
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  const results::cell* power = find_cell(outcome, "letter=a number=1", "power");
  const results::cell* energy = find_cell(outcome, "letter=a number=1", "energy");
  ASSERT_NE(power, nullptr);
  ASSERT_NE(energy, nullptr);
  EXPECT_EQ(power->unit, "W");
  EXPECT_EQ(energy->unit, "J");
  EXPECT_GT(*power->value, 0);
  EXPECT_NEAR(*energy->value, *power->value / 1000, 1e-6 * *power->value);
  EXPECT_EQ(find_warning(outcome, "energy"), nullptr);
}

TEST(Run, WithoutAMeterThereIsNoEnergyAndNoCellOfIt) {
  fake f;
  run_control control = quietly();
  control.joules = [] { return std::optional<double>{}; };
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_EQ(outcome.cells.size(), 6U);
}

TEST(Run, AnEmptyPlanIsDone) {
  const setting s = quick_setting();
  const run_outcome outcome = run(plan{}, s, quietly());
  EXPECT_TRUE(outcome.complete);
  EXPECT_TRUE(outcome.cells.empty());
}

}  // namespace
}  // namespace synchro::experiments
