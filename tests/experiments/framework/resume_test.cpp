#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "experiments/framework/trial.hpp"
#include "fakes.hpp"

namespace synchro::experiments {
namespace {

namespace fs = std::filesystem;

struct folder {
  fs::path path = fs::temp_directory_path() / ("synchro-resume-" + std::to_string(::getpid()));
  folder() { fs::create_directories(path); }
  ~folder() { fs::remove_all(path); }
  [[nodiscard]] std::string file(const char* name) const { return (path / name).string(); }
};

/// A value that tells the repetition it belongs to.
repetition by_seed(const coordinates&, std::uint64_t seed) {
  return fake::repetition_of(100 + 0.001 * static_cast<double>(seed % 1000));
}

std::map<std::string, std::vector<double>> samples_by_place(const run_outcome& outcome) {
  std::map<std::string, std::vector<double>> samples;
  for (const results::cell& c : outcome.cells) samples[c.at.to_string()] = c.samples;
  return samples;
}

run_outcome uninterrupted() {
  fake f;
  f.result = by_seed;
  return run_fake(f);
}

run_outcome stopped_after(std::size_t repetitions, results::journal* log = nullptr) {
  fake f;
  f.result = by_seed;
  run_control control = quietly();
  control.log = log;
  control.stop = [&] { return f.calls.size() == repetitions; };
  return run_fake(f, quick_setting(), control);
}

TEST(Resume, FromTheJournalMeasuresExactlyWhatIsMissing) {
  const folder here;
  {
    results::journal log{here.file("r.json")};
    (void)stopped_after(10, &log);
  }
  fake f;
  f.result = by_seed;
  run_control control = quietly();
  control.resumed = results::journal::read(here.file("r.json"));
  ASSERT_EQ(control.resumed.size(), 10U);
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_EQ(f.calls.size(), 42U - 10);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(samples_by_place(outcome), samples_by_place(uninterrupted()));
}

TEST(Resume, CallsAMetricOfAnOldJournalByItsNameOfToday) {
  const nlohmann::ordered_json entry{{"experiment", "locks.throughput"},
                                     {"at", {{"threads", 2}}},
                                     {"repetition", 0},
                                     {"observations", {{{"metric", "hand_over"}, {"value", 50.0}}}},
                                     {"untold", {{"hand_off", "nobody"}}}};
  const auto read = journaled_from(entry);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->what.result.observations.size(), 1U);
  EXPECT_EQ(read->what.result.observations[0].metric, "handoff_time");
  EXPECT_EQ(read->what.result.unavailable, (std::map<std::string, std::string>{{"handoff_share", "nobody"}}));
}

TEST(Resume, TakesNoEntryWhoseCountsAreNoWholeNumbers) {
  using json = nlohmann::ordered_json;
  const json good{{"experiment", "locks.throughput"}, {"at", {{"threads", 2}}}, {"repetition", 0},
                  {"observations", json::array()},    {"migrations", 1},        {"steal_ns", 5}};
  ASSERT_TRUE(journaled_from(good));
  for (const json& wrong : {json(1e308), json(-1), json(0.5), json("1")})
    for (const char* name : {"repetition", "involuntary_switches", "run_delay_ns", "migrations", "steal_ns"}) {
      json entry = good;
      entry[name] = wrong;
      EXPECT_FALSE(journaled_from(entry)) << name << ' ' << wrong;
    }
  json entry = good;
  entry["at"]["threads"] = 1e308;
  EXPECT_FALSE(journaled_from(entry));
}

TEST(Resume, FromAResultsFileMeasuresExactlyWhatIsMissing) {
  const folder here;
  results::document d;
  d.id = "test";
  d.tool = d.invocation = d.machine = d.topology = d.os = d.clock = nlohmann::ordered_json::object();
  d.cells = stopped_after(10).cells;
  results::write_document(d, here.file("r.json"));

  fake f;
  f.result = by_seed;
  run_control control = quietly();
  control.resumed = entries_of(results::read_document(here.file("r.json")));
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_EQ(f.calls.size(), 42U - 10);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(samples_by_place(outcome), samples_by_place(uninterrupted()));
}

TEST(Resume, AFinishedRunHasNothingLeftToMeasure) {
  results::document d;
  d.cells = uninterrupted().cells;
  fake f;
  run_control control = quietly();
  control.resumed = entries_of(d);
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_TRUE(f.calls.empty());
  EXPECT_EQ(samples_by_place(outcome), samples_by_place(uninterrupted()));
}

TEST(Resume, WhatWasNotYetSureIsRepeatedAsInARunThatWasNotInterrupted) {
  const auto scattered = [](const coordinates&, std::uint64_t seed) {
    return fake::repetition_of(100 + static_cast<double>(seed % 100));
  };
  fake whole;
  whole.result = scattered;
  const auto samples = samples_by_place(run_fake(whole));
  ASSERT_GT(whole.calls.size(), 42U);
  for (const std::size_t stop : {40U, 42U, 50U}) {
    fake first, second;
    first.result = second.result = scattered;
    run_control control = quietly();
    control.stop = [&] { return first.calls.size() == stop; };
    results::document d;
    d.cells = run_fake(first, quick_setting(), control).cells;
    control = quietly();
    control.resumed = entries_of(d);
    EXPECT_EQ(samples_by_place(run_fake(second, quick_setting(), control)), samples) << stop;
  }
}

TEST(Resume, TheSameRepetitionTwiceCountsOnce) {
  results::document d;
  d.cells = stopped_after(10).cells;
  fake f;
  f.result = by_seed;
  run_control control = quietly();
  control.resumed = entries_of(d);
  const auto again = control.resumed;
  control.resumed.insert(control.resumed.end(), again.begin(), again.end());
  EXPECT_EQ(samples_by_place(run_fake(f, quick_setting(), control)), samples_by_place(uninterrupted()));
}

TEST(Resume, WhatIsNoRepetitionOfThePlanIsIgnored) {
  fake f;
  run_control control = quietly();
  control.resumed = {{{"head", true}},
                     nlohmann::ordered_json::array(),
                     {{"experiment", "fake.other"}, {"at", {{"x", 1}}}, {"repetition", 0}, {"observations", {}}},
                     {{"experiment", "fake.one"}, {"at", 5}, {"repetition", "first"}}};
  EXPECT_TRUE(run_fake(f, quick_setting(), control).complete);
  EXPECT_EQ(f.calls.size(), 42U);
}

TEST(Resume, ABrokenCellStaysBroken) {
  fake f;
  f.result = [](const coordinates& at, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    if (at.word("letter") == "a") r.broken = "the counter is wrong";
    return r;
  };
  results::document d;
  d.cells = run_fake(f).cells;
  fake again;
  run_control control = quietly();
  control.resumed = entries_of(d);
  const run_outcome outcome = run_fake(again, quick_setting(), control);
  EXPECT_TRUE(outcome.broken);
  EXPECT_TRUE(again.calls.empty());
  EXPECT_FALSE(find_cell(outcome, "letter=a number=1")->valid);
  EXPECT_EQ(find_cell(outcome, "letter=a number=1")->reason, "the counter is wrong");
}

TEST(Resume, ACellThatFailedIsTriedAgain) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) -> repetition { throw std::runtime_error{"no thread to be had"}; };
  results::document d;
  d.cells = run_fake(f).cells;
  fake again;
  run_control control = quietly();
  control.resumed = entries_of(d);
  EXPECT_EQ(find_cell(run_fake(again, quick_setting(), control), "letter=a number=1")->value, 100);
}

TEST(Resume, ThatACellEndedEarlyIsForgottenWhenItIsCompleted) {
  for (const char* remark : {"", "stopped after 2 s"}) {
    int calls = 0;
    fake f;
    f.what.axes = {word_axis("letter", "a letter", {"a"})};
    const auto result = [&](const coordinates&, std::uint64_t) {
      if (++calls == 3) throw std::runtime_error{"no memory to be had"};
      repetition r = fake::repetition_of(100);
      if (*remark != 0) r.bounded = remark;
      return r;
    };
    f.result = result;
    results::document d;
    d.cells = run_fake(f).cells;
    ASSERT_NE(d.cells.at(0).reason->find("ended after 2 of 7 repetitions: no memory"), std::string::npos);
    fake again;
    again.what.axes = f.what.axes;
    again.result = result;
    run_control control = quietly();
    control.resumed = entries_of(d);
    const run_outcome outcome = run_fake(again, quick_setting(), control);
    EXPECT_EQ(outcome.cells.at(0).n, 7U);
    EXPECT_EQ(outcome.cells.at(0).reason.value_or(""), remark);
  }
}

TEST(Resume, RemarksReasonsQuantilesAndEvidenceComeThroughAFile) {
  const auto result = [](const coordinates&, std::uint64_t) {
    repetition r = fake::repetition_of(100);
    r.observations[0].quantiles["p99"] = 250;
    r.bounded = "stopped after 2 s";
    r.unavailable["share"] = "one thread shares with nobody";
    r.involuntary_switches = 3;
    r.observations.push_back({"time", 7, {}, false, coordinates{{"order", std::int64_t{1}}}});
    return r;
  };
  fake f;
  f.what.metrics.push_back({"share", "1", better::neither, "no share"});
  f.result = result;
  const run_outcome first = run_fake(f);
  results::document d;
  d.cells = first.cells;
  run_control control = quietly();
  control.resumed = entries_of(d);
  const run_outcome second = run_fake(f, quick_setting(), control);
  ASSERT_EQ(second.cells.size(), first.cells.size());
  for (std::size_t i = 0; i < first.cells.size(); ++i)
    EXPECT_EQ(results::to_json(second.cells[i]), results::to_json(first.cells[i]));
}

TEST(Resume, ModesComeThroughAFile) {
  const auto run_on_moving_processors = [](fake& f, const std::vector<nlohmann::ordered_json>& resumed) {
    std::size_t probes = 0;
    f.what.axes = {word_axis("letter", "a letter", {"a"})};
    f.what.processors = [](const setting&, const coordinates&) { return std::vector<unsigned>{0, 1}; };
    run_control control;
    control.repair = 0;
    control.resumed = resumed;
    control.probe = [&](unsigned, unsigned) {
      return std::optional{++probes < 5 ? 50.0 + 0.1 * static_cast<double>(probes)
                                        : 250.0 + 0.1 * static_cast<double>(probes)};
    };
    return run_fake(f, quick_setting(), control);
  };
  fake f, again;
  results::document d;
  d.cells = run_on_moving_processors(f, {}).cells;
  ASSERT_EQ(d.cells.size(), 2U);
  const std::size_t flipped = d.cells[0].noise.at("dropped").begin()->size();
  const run_outcome second = run_on_moving_processors(again, entries_of(d));
  EXPECT_EQ(again.calls.size(), flipped);  // what was measured while the processors moved is measured again
  const results::cell* far = find_cell(second, "letter=a mode=far");
  ASSERT_NE(far, nullptr);
  EXPECT_GE(far->n, d.cells[1].n);
}

TEST(Resume, ConditionsAndWhatIsVoidComeThroughTheJournal) {
  const folder here;
  const auto run_with_journal = [&](results::journal* log, std::vector<nlohmann::ordered_json> resumed) {
    fake f;
    f.what.axes = {word_axis("letter", "a letter", {"a"})};
    f.result = [&](const coordinates&, std::uint64_t) {
      repetition r = fake::repetition_of(100);
      r.conditions = {{"pause_ns", 200}};
      if (f.calls.size() == 2) r.void_because = "a thread was moved";
      return r;
    };
    run_control control = quietly();
    control.log = log;
    control.repair = 0;
    control.resumed = std::move(resumed);
    return run_fake(f, quick_setting(), control).cells.at(0);
  };
  results::journal log{here.file("r.json")};
  const results::cell first = run_with_journal(&log, {});
  const results::cell second = run_with_journal(nullptr, results::journal::read(here.file("r.json")));
  EXPECT_EQ(results::to_json(second), results::to_json(first));
  EXPECT_EQ(second.conditions.at("pause_ns"), 200);
  EXPECT_EQ(second.noise.at("dropped").at("a thread was moved"), (std::vector<unsigned>{1}));
}

TEST(Resume, WhatWasMeasuredBeforeACellBecameUnavailableIsKept) {
  results::document d;
  d.cells = stopped_after(42).cells;
  fake f;
  f.what.unavailable = [](const setting&, const coordinates&) {
    return std::optional<std::string>{"the clocks differ"};
  };
  run_control control = quietly();
  control.resumed = entries_of(d);
  EXPECT_EQ(samples_by_place(run_fake(f, quick_setting(), control)), samples_by_place(uninterrupted()));
}

TEST(Journal, AFullDiskIsAWarningAndNothingMeasuredIsLost) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const folder here;
  results::journal log{here.file("r.json")};
  // A file that cannot grow stands in for the full disk: the descriptor of the journal is led there.
  const auto journal_file = [&]() -> int {
    for (const auto& entry : fs::directory_iterator{"/proc/self/fd"}) {
      std::error_code none;
      if (fs::read_symlink(entry.path(), none).string().find(here.path.filename().string()) != std::string::npos &&
          fs::read_symlink(entry.path(), none).string().ends_with(".partial"))
        return std::stoi(entry.path().filename().string());
    }
    return -1;
  }();
  ASSERT_GE(journal_file, 0) << "the journal is not open";
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  ASSERT_GE(dup2(fileno(full), journal_file), 0);
  std::fclose(full);

  fake f;
  run_control control = quietly();
  control.log = &log;
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(f.calls.size(), 42U);
  for (const results::cell& c : outcome.cells) EXPECT_EQ(c.n, 7U);
  const results::warning* w = find_warning(outcome, "journal");
  ASSERT_NE(w, nullptr);
  EXPECT_NE(w->advice.find("journal ends early"), std::string::npos) << w->advice;
}

}  // namespace
}  // namespace synchro::experiments
