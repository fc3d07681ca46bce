// Rounds that are measured in processes of their own.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "fakes.hpp"

namespace synchro::experiments {
namespace {

run_control apart() {
  run_control control = quietly();
  control.apart = true;
  return control;
}

repetition told(double value) { return fake::repetition_of(value); }

/// The values of all repetitions of all cells.
std::set<double> values_of(const run_outcome& outcome) {
  std::set<double> all;
  for (const results::cell& c : outcome.cells) all.insert(c.samples.begin(), c.samples.end());
  return all;
}

TEST(Apart, ARoundIsOneProcessAndNotThisOne) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) { return told(getpid()); };
  const run_outcome outcome = run_fake(f, quick_setting(), apart());
  EXPECT_TRUE(outcome.complete);
  ASSERT_EQ(outcome.cells.size(), 6U);
  for (const results::cell& c : outcome.cells) {
    EXPECT_GE(c.n, 7U);
    EXPECT_EQ(std::set<double>(c.samples.begin(), c.samples.end()).size(), c.n) << c.at.to_string();
  }
  EXPECT_FALSE(values_of(outcome).contains(getpid()));
  EXPECT_TRUE(f.calls.empty()) << "nothing was measured here";
}

TEST(Apart, WhatIsMeasuredIsTheSame) {
  const auto result = [](const coordinates& at, std::uint64_t seed) {
    repetition r = told(static_cast<double>(100 + seed % 7));
    r.observations.front().quantiles = {{"p50", 3}};
    r.conditions = {{"pause_ns", 200}};
    r.warnings = {"one at " + at.to_string()};
    if (at.word("letter") == "b") r.unavailable = {{"time", "there is none"}}, r.observations.clear();
    return r;
  };
  fake here, there;
  here.result = there.result = result;
  const run_outcome a = run_fake(here), b = run_fake(there, quick_setting(), apart());
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t i = 0; i < a.cells.size(); ++i) {
    EXPECT_EQ(a.cells[i].at, b.cells[i].at);
    EXPECT_EQ(a.cells[i].samples, b.cells[i].samples);
    EXPECT_EQ(a.cells[i].quantiles, b.cells[i].quantiles);
    EXPECT_EQ(a.cells[i].conditions, b.cells[i].conditions);
    EXPECT_EQ(a.cells[i].reason, b.cells[i].reason);
  }
  ASSERT_EQ(a.warnings.size(), b.warnings.size());
  for (std::size_t i = 0; i < a.warnings.size(); ++i) EXPECT_EQ(a.warnings[i].advice, b.warnings[i].advice);
}

TEST(Apart, MemoryLiesElsewhereInEachRound) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) {
    const std::unique_ptr<char[]> taken{new char[192]};
    return told(static_cast<double>(reinterpret_cast<std::uintptr_t>(taken.get()) % 4096));
  };
  const run_outcome outcome = run_fake(f, quick_setting(), apart());
  for (const results::cell& c : outcome.cells)
    EXPECT_GE(std::set<double>(c.samples.begin(), c.samples.end()).size(), 4U) << "places in a page, of 7";
}

TEST(Apart, WhatAProcessDiesOfIsSaidOfItsCellAndTheOthersAreMeasured) {
  fake f;
  f.result = [](const coordinates& at, std::uint64_t) {
    if (at.word("letter") == "b" && at.number("number") == 1) std::abort();
    if (at.word("letter") == "c" && at.number("number") == 2) _exit(3);
    if (at.word("letter") == "a" && at.number("number") == 2) throw std::runtime_error{"there is no thread"};
    return told(100);
  };
  const run_outcome outcome = run_fake(f, quick_setting(), apart());
  EXPECT_EQ(find_cell(outcome, "letter=b number=1")->reason.value_or(""),
            "the process that measured it was ended by signal 6 (Aborted)");
  EXPECT_EQ(find_cell(outcome, "letter=c number=2")->reason.value_or(""),
            "the process that measured it was ended by exit status 3");
  EXPECT_EQ(find_cell(outcome, "letter=a number=2")->reason.value_or(""), "there is no thread");
  for (const char* at : {"letter=a number=1", "letter=b number=2", "letter=c number=1"})
    EXPECT_EQ(find_cell(outcome, at)->n, 7U) << at;
}

TEST(Apart, AReasonMayHoldAnyBytesAndABodyMayThrowAnything) {
  fake f;
  f.result = [](const coordinates& at, std::uint64_t) -> repetition {
    if (at.word("letter") == "a") throw std::runtime_error{"f\xfcr nichts"};
    if (at.word("letter") == "b") throw 7;
    return told(100);
  };
  const run_outcome outcome = run_fake(f, quick_setting(), apart());
  EXPECT_EQ(find_cell(outcome, "letter=a number=1")->reason.value_or(""), "f\xef\xbf\xbdr nichts");
  EXPECT_EQ(find_cell(outcome, "letter=b number=1")->reason.value_or(""),
            "the process that measured it was ended by exit status 70");
  EXPECT_EQ(find_cell(outcome, "letter=c number=1")->n, 7U);
}

TEST(Apart, WhatACellHasStartedAndLeftIsNotWaitedFor) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) {
    const pid_t left = fork();
    if (left == 0) {
      sleep(600);
      _exit(0);
    }
    return told(left);
  };
  const run_outcome outcome = run_fake(f, quick_setting(), apart());
  EXPECT_TRUE(outcome.complete);
  for (const double left : values_of(outcome)) EXPECT_EQ(kill(static_cast<pid_t>(left), SIGKILL), 0) << "it has ended";
}

TEST(Apart, WhereNoProcessIsToBeHadTheRoundIsMeasuredHereAndThatIsSaid) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) { return told(getpid()); };
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int unused = dup(0);
  const rlimit none{static_cast<rlim_t>(unused), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const run_outcome outcome = run_fake(f, quick_setting(), apart());
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  close(unused);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(values_of(outcome), std::set<double>{static_cast<double>(getpid())});
  const results::warning* const said = find_warning(outcome, "apart");
  ASSERT_NE(said, nullptr);
  EXPECT_NE(said->advice.find("(socketpair: Too many open files)"), std::string::npos) << said->advice;
}

TEST(Apart, WhatIsFoundOnceIsFoundHere) {
  fake f;
  unsigned found = 0;
  f.what.once = [&](const setting&, const coordinates&) {
    if (++found == 3) throw std::runtime_error{"not now"};
  };
  f.result = [&](const coordinates&, std::uint64_t) { return told(found); };
  const run_outcome outcome = run_fake(f, quick_setting(), apart());
  EXPECT_TRUE(outcome.complete);
  EXPECT_GE(found, 6U) << "asked for each cell";
  EXPECT_FALSE(values_of(outcome).contains(0)) << "before the round";
}

TEST(Apart, AStopEndsTheRoundAndKeepsWhatWasMeasured) {
  fake f;
  f.result = [](const coordinates&, std::uint64_t) {
    usleep(20'000);
    return told(100);
  };
  run_control control = apart();
  unsigned cells = 0;
  control.report = [&](const progress& p) { cells += p.now != nullptr ? 1 : 0; };
  control.stop = [&] { return cells >= 3; };
  const run_outcome outcome = run_fake(f, quick_setting(), control);
  EXPECT_FALSE(outcome.complete);
  EXPECT_FALSE(outcome.unfinished.empty());
  EXPECT_GE(outcome.cells.size(), 2U);
  for (const results::cell& c : outcome.cells)
    EXPECT_TRUE(!c.reason || c.reason->find("was ended by") == std::string::npos) << *c.reason;
}

TEST(Apart, TheJournalHasEveryRepetition) {
  const auto file = std::filesystem::temp_directory_path() / ("apart" + std::to_string(getpid()) + ".json");
  fake f;
  {
    results::journal log{file.string(), results::journal::start::anew};
    run_control control = apart();
    control.log = &log;
    (void)run_fake(f, quick_setting(), control);
  }
  EXPECT_GE(results::journal::read(file.string()).size(), 6U * 7);
  std::filesystem::remove(results::journal::path_of(file.string()));
}

}  // namespace
}  // namespace synchro::experiments
