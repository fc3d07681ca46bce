// Every judge is tried with measurements for which it must say "holds", "does not hold" and "not resolved".

#include "claims/claim.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {
namespace {

using claims::claim;
using claims::verdict;

/// Of the source whose ids begin with this letter.
std::vector<judge_case> cases_of(char letter) {
  std::vector<judge_case> some = all_cases();
  std::erase_if(some, [&](const judge_case& c) { return !c.id.starts_with(letter); });
  EXPECT_FALSE(some.empty()) << letter;
  return some;
}

void expect(verdict wanted, const std::string& id, const results::document& d) {
  const claims::finding f = claims::finding_on(claims::claim_of(id), d);
  EXPECT_EQ(to_string(f.is), to_string(wanted)) << id << ": " << f.sentence;
  EXPECT_FALSE(f.sentence.empty()) << id;
}

TEST(Judges, AllAreTried) {
  std::set<std::string> tried;
  for (const judge_case& c : all_cases()) {
    EXPECT_TRUE(tried.insert(c.id).second) << c.id;
    EXPECT_FALSE(c.fails.empty()) << c.id;
  }
  for (const claim& c : claims::catalog())
    EXPECT_EQ(c.judge != nullptr, tried.contains(std::string{c.id})) << c.id << " has no cases";
}

TEST(Judges, SayWhatHolds) {
  for (const judge_case& c : all_cases()) {
    expect(verdict::holds, c.id, c.holds);
    for (const results::document& d : c.also_holds) expect(verdict::holds, c.id, d);
  }
}

TEST(Judges, SayWhatDoesNot) {
  for (const judge_case& c : all_cases())
    for (const results::document& d : c.fails) expect(verdict::fails, c.id, d);
}

TEST(Judges, DecideNothingFromFewRepetitions) {
  for (const judge_case& c : all_cases()) {
    expect(verdict::unresolved, c.id, with_few_repetitions(c.holds));
    for (const results::document& d : c.fails) expect(verdict::unresolved, c.id, with_few_repetitions(d));
  }
}

TEST(Judges, DecideNothingFromScatter) {
  for (const judge_case& c : all_cases()) expect(verdict::unresolved, c.id, scattered(c.holds));
}

/// As of a quick run where a slice takes 31 ms.
TEST(Judges, OfThreadsThatWereNotInterruptedDecideNothingOnThrottling) {
  for (const judge_case& c : cases_of('T')) {
    if (c.id == "T5") continue;  // of pools
    results::document d = c.holds;
    const results::document slices = book{2}.add(
        "throttle.sum", {{"variant", "integer"}, {"threads", number(64)}, {"permits", number(2)}}, "slices", "1", 0.8);
    d.cells.push_back(slices.cells.front());
    const claims::finding f = claims::finding_on(claims::claim_of(c.id), d);
    EXPECT_EQ(to_string(f.is), to_string(verdict::unmeasured)) << c.id << ": " << f.sentence;
    EXPECT_NE(f.sentence.find("0.8 time slices"), std::string::npos) << c.id << ": " << f.sentence;
  }
}

TEST(Judges, OfManyPlacesAreNotRefutedByOneThatIsSlowByChance) {
  book locks{4}, lines{4, 2};
  for (std::int64_t place = 1; place <= 200; ++place) {
    for (const char* lock : {"mcs", "ticket"})
      locks.add("locks.throughput",
                {{"lock", lock},
                 {"locks", number(place)},
                 {"threads", number(4)},
                 {"placement", "compact"},
                 {"protocol", place == 1 ? "paused" : "saturated"}},
                "throughput", "op/s", 100);
    for (const char* operation : {"cas", "fai", "tas", "swap"})
      lines.add("coherence.states",
                {{"operation", operation},
                 {"state", "modified"},
                 {"distance", "far_" + std::to_string(place)},
                 {"home", "holder"}},
                "latency_cycles", "cycle", 100);
  }
  expect(verdict::unresolved, "S5", by_chance(locks));
  expect(verdict::unresolved, "S20", by_chance(lines));
}

/// All limits alike, and as none: the one that chance favours is no gain.
TEST(Judges, OfManyLimitsAreNotRefutedByTheOneThatLooksBest) {
  const auto limited = [](unsigned limits) {
    book b{2};
    for (std::int64_t permits = 0; permits <= limits; ++permits)
      b.add("throttle.sum", {{"variant", "integer"}, {"threads", number(64)}, {"permits", number(permits)}}, "time",
            "ns", permits == 1 ? 0.97e9 : 1e9);
    results::document d = b;
    // One repetition in eleven speaks against it: as of one limit that is sure, as of the best of forty it is not.
    for (results::cell& c : d.cells)
      if (c.at.number("permits") == 1) c.samples[3] = 1.02e9, results::summarize(c);
    return d;
  };
  expect(verdict::fails, "T6", limited(1));
  expect(verdict::unresolved, "T6", limited(40));
}

TEST(Judges, DecideNothingFromWhatIsUnreliable) {
  for (const judge_case& c : all_cases()) expect(verdict::unresolved, c.id, flagged(c.holds));
}

TEST(Judges, AreNotAskedAboutAnEmulator) {
  for (const judge_case& c : all_cases()) {
    results::document d = c.holds;
    d.machine["emulation"] = "qemu-aarch64";
    expect(verdict::unmeasured, c.id, d);
  }
}

TEST(Judges, SayWhichCommandMeasuresWhereOneDoes) {
  for (const claim& c : claims::catalog()) {
    const claims::finding f = claims::finding_on(c, book{2});
    if (c.judge == nullptr) continue;
    EXPECT_EQ(f.is, verdict::unmeasured) << c.id << ": " << f.sentence;
    const bool says = f.sentence.find("; needs synchroscope run ") != std::string::npos;
    EXPECT_NE(says, f.is_of_others) << c.id << ": " << f.sentence;
  }
}

/// Nothing can be measured on a model.
TEST(Judges, OfAModelSayWhichCellsAreMissing) {
  results::document d = book{2};
  d.machine["kind"] = "simulated";
  const auto said = [&](const char* id) { return claims::finding_on(claims::claim_of(id), d).sentence; };
  EXPECT_TRUE(said("S4").ends_with("; needs coherence.states")) << said("S4");
  EXPECT_EQ(said("S57"), claims::claim_of("S57").not_modelled);
}

TEST(Judges, MeasureNothingWithoutAValue) {
  for (const judge_case& c : all_cases()) {
    results::document d = c.holds;
    for (results::cell& bare : d.cells) bare.samples.clear(), results::summarize(bare);
    expect(verdict::unmeasured, c.id, d);
  }
}

/// A claim of 36 threads that have a processor each is not decided by 36 threads on two.
TEST(Judges, OfTheNiagarasTableAskForAsManyProcessors) {
  for (const judge_case& c : all_cases()) {
    if (c.id != "S52") continue;
    results::document d = c.holds;
    const results::document of_two = book{2};
    d.topology = of_two.topology;
    expect(verdict::unmeasured, c.id, d);
  }
}

TEST(Judges, MeasureNothingByAnotherProtocol) {
  for (const judge_case& c : all_cases()) {
    results::document d = c.holds;
    bool by_protocol = false;
    for (results::cell& cell : d.cells)
      if (cell.at.find("protocol") != nullptr) {
        cell.at.set("protocol", cell.at.word("protocol") == "paused" ? "saturated" : "paused");
        by_protocol = true;
      }
    if (by_protocol) expect(verdict::unmeasured, c.id, d);
  }
}

TEST(Judges, DecideNothingFromAPauseThatSetsTheRate) {
  for (const judge_case& c : all_cases()) {
    if (c.id != "S29" && c.id != "S37") continue;
    results::document d = c.holds;
    for (const results::cell& rate : std::vector{d.cells}) {
      results::cell ceiling = rate;
      ceiling.metric = "ceiling";
      d.cells.push_back(ceiling);
    }
    expect(verdict::unresolved, c.id, d);
  }
}

/// The same on Windows: the primitives that have these ones' place there.
results::document on_windows(results::document d) {
  static const std::map<std::string, std::string> counterparts{{"signal/handler", "win32/apc"},
                                                               {"sysv/sem", "win32/semaphore"},
                                                               {"pthread/mutex_flag", "win32/mutex_flag"},
                                                               {"pthread/cond", "win32/condition_cs"},
                                                               {"linux/futex_each", "win32/event_each"},
                                                               {"posix/sem", "win32/semaphore"},
                                                               {"event", "win32/event"},
                                                               {"spin/pause", "spin/switch_to_thread"}};
  d.os["name"] = "Windows 11 Pro";
  d.tool["target"] = "x86_64-w64-mingw32";
  for (results::cell& c : d.cells)
    if (const auto found = counterparts.find(claims::word_at(c, "primitive")); found != counterparts.end())
      c.at.set("primitive", found->second);
  return d;
}

results::document on_wine(results::document d) {
  d = on_windows(std::move(d));
  d.os["wine"] = "8.0";
  return d;
}

TEST(Judges, OfWindowsTakeItsOwnPrimitives) {
  for (const judge_case& c : cases_of('W')) {
    expect(verdict::holds, c.id, on_windows(c.holds));
    for (const results::document& d : c.fails) expect(verdict::fails, c.id, on_windows(d));
  }
}

TEST(Judges, OfWindowsNeverTakeWinesCells) {
  for (const judge_case& c : cases_of('W')) {
    expect(verdict::unmeasured, c.id, on_wine(c.holds));
    EXPECT_NE(
        claims::finding_on(claims::claim_of(c.id), on_wine(c.holds)).sentence.find("Wine 8.0, which is not Windows"),
        std::string::npos);
  }
  for (const judge_case& c : cases_of('T'))
    if (c.id == "T1") expect(verdict::holds, c.id, on_wine(c.holds));
}

TEST(Judges, OfStartingTakeWhatTheArticleStartedBy) {
  // Two of Linux's primitives have the same one's place.
  const auto without_futex = [](results::document d) {
    std::erase_if(d.cells, [](const results::cell& c) { return claims::word_at(c, "primitive") == "linux/futex"; });
    return d;
  };
  for (const judge_case& c : cases_of('E')) {
    if (c.id > "E4") continue;
    const results::document holds = without_futex(c.holds);
    expect(verdict::holds, c.id, on_windows(holds));
    if (c.id != "E4") expect(verdict::unmeasured, c.id, on_wine(holds));
    for (const results::document& d : c.fails) expect(verdict::fails, c.id, on_windows(without_futex(d)));
  }
}

/// Rows of the table of calls, in microseconds.
results::document called_on_linux(double mutex, double semaphore, double event) {
  return book{2}
      .add("overhead.calls", {{"call", "ReleaseMutex"}, {"primitive", "pthread/mutex"}}, "delay", "ns", mutex * 1e3)
      .add("overhead.calls", {{"call", "ReleaseMutex"}, {"primitive", "mutex"}}, "delay", "ns", 1)
      .add("overhead.calls", {{"call", "ReleaseSemaphore"}, {"primitive", "posix/sem"}}, "delay", "ns", semaphore * 1e3)
      .add("overhead.calls", {{"call", "SetEvent"}, {"primitive", "pthread/cond_event"}}, "delay", "ns", event * 1e3)
      .add("overhead.calls", {{"call", "SetEvent"}, {"primitive", "event"}}, "delay", "ns", 1);
}

results::document called_on_windows(double mutex, double semaphore, double event) {
  return on_windows(
      book{2}
          .add("overhead.calls", {{"call", "ReleaseMutex"}, {"primitive", "win32/mutex"}}, "delay", "ns", mutex * 1e3)
          .add("overhead.calls", {{"call", "ReleaseSemaphore"}, {"primitive", "win32/semaphore"}}, "delay", "ns",
               semaphore * 1e3)
          .add("overhead.calls", {{"call", "SetEvent"}, {"primitive", "win32/event"}}, "delay", "ns", event * 1e3));
}

void expect_of_two(verdict wanted, const results::document& a, const results::document& b) {
  const claims::evidence first{a}, second{b};
  for (const claims::evidence* e : {&first, &second}) {
    const claims::finding f = claims::finding_on(claims::claim_of("B5"), *e, {&first, &second});
    EXPECT_EQ(to_string(f.is), to_string(wanted)) << f.sentence;
  }
}

/// The table's own figures: Ubuntu 10.04 and Windows 7.
TEST(Judges, OfTwoSystemsTakeARunOfEach) {
  const results::document here = called_on_linux(14, 11, 51), there = called_on_windows(21, 39, 32);
  expect_of_two(verdict::holds, here, there);
  expect_of_two(verdict::holds, there, here);
  expect_of_two(verdict::fails, called_on_linux(30, 50, 51), there);
  expect_of_two(verdict::fails, called_on_linux(14, 11, 20), there);
  expect_of_two(verdict::unresolved, with_few_repetitions(here), with_few_repetitions(there));
  expect_of_two(verdict::unmeasured, here, here);
  expect_of_two(verdict::unmeasured, here, book{2});
}

TEST(Judges, OfTwoSystemsNeverTakeWinesCells) {
  expect_of_two(verdict::unmeasured, called_on_linux(14, 11, 51), on_wine(called_on_windows(21, 39, 32)));
  results::document simulated = called_on_windows(21, 39, 32);
  simulated.machine["kind"] = "simulated";
  expect_of_two(verdict::unmeasured, called_on_linux(14, 11, 51), simulated);
}

TEST(Judges, OfTwoSystemsStandInTheReport) {
  const auto all = claims::findings_on({called_on_linux(14, 11, 51), called_on_windows(21, 39, 32)});
  for (const auto& c : all.at("claims"))
    if (c.at("id") == "B5") {
      EXPECT_EQ(c.at("findings").at(0).at("verdict"), "holds");
      EXPECT_EQ(c.at("findings").at(1).at("verdict"), "holds");
      EXPECT_NE(c.at("judged"), "");
    }
}

TEST(Catalog, NumbersEverySentenceOnce) {
  std::set<std::string> ids;
  for (const claim& c : claims::catalog()) {
    EXPECT_TRUE(ids.insert(std::string{c.id}).second) << c.id;
    EXPECT_FALSE(c.says.empty() || c.rule.empty()) << c.id;
    EXPECT_EQ(c.what == claims::kind::judged, c.judge != nullptr || c.of_two_runs != nullptr) << c.id;
    EXPECT_EQ(c.of_windows, c.id.starts_with("W") || c.id == "B5") << c.id;
  }
  for (unsigned n = 1; n <= 62; ++n) EXPECT_TRUE(ids.contains("S" + std::to_string(n))) << n;
}

/// "S5b" behind "S5" and before "S6", whichever file has it.
TEST(Catalog, StandsBySourceAndNumber) {
  std::string order, listed;
  for (const claims::source& s : claims::sources()) listed += s.letter;
  std::pair<int, std::string> last;
  for (const claim& c : claims::catalog()) {
    const std::string letter{c.id.substr(0, 1)}, number{c.id.substr(1)};
    const std::pair place{std::stoi(number), number};
    if (order.ends_with(letter))
      EXPECT_LT(last, place) << c.id;
    else
      order += letter;
    last = place;
  }
  EXPECT_EQ(order, listed);
}

TEST(Catalog, QuestionsAndSetUpsHaveNoVerdict) {
  for (const char* id : {"W12", "W13", "W14", "W16", "W17"}) expect(verdict::none, id, book{2});
  for (const char* id : {"S53", "B5"}) expect(verdict::unmeasured, id, book{2});
}

}  // namespace
}  // namespace synchro::tests
