// Every judge is tried with measurements for which it must say "holds", "does not hold" and "not resolved".

#include <gtest/gtest.h>

#include <set>

#include "claims/book.hpp"
#include "claims/cases.hpp"
#include "claims/claim.hpp"

namespace synchro::tests {
namespace {

using claims::claim;
using claims::verdict;

std::vector<judge_case> all_cases() {
  std::vector<judge_case> all;
  for (const auto& part : {hardware_cases(), lock_cases(), table_cases(), starting_cases(), waking_cases(),
                           system_cases(), program_cases()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
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
  for (const judge_case& c : all_cases()) expect(verdict::holds, c.id, c.holds);
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

TEST(Judges, DecideNothingFromWhatIsUnreliable) {
  for (const judge_case& c : all_cases()) expect(verdict::unresolved, c.id, flagged(c.holds));
}

TEST(Judges, SayWhichCommandMeasures) {
  for (const claim& c : claims::catalog()) {
    const claims::finding f = claims::finding_on(c, book{2});
    if (c.judge == nullptr) continue;
    EXPECT_EQ(f.is, verdict::unmeasured) << c.id << ": " << f.sentence;
    EXPECT_NE(f.sentence.find("; needs synchroscope run "), std::string::npos) << c.id << ": " << f.sentence;
  }
}

TEST(Judges, MeasureNothingWithoutAValue) {
  for (const judge_case& c : all_cases()) {
    results::document d = c.holds;
    for (results::cell& bare : d.cells) bare.samples.clear(), results::summarize(bare);
    expect(verdict::unmeasured, c.id, d);
  }
}

TEST(Judges, MeasureNothingByAnotherProtocol) {
  for (const judge_case& c : lock_cases()) {
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

TEST(Catalog, NumbersEverySentenceOnce) {
  std::set<std::string> ids;
  for (const claim& c : claims::catalog()) {
    EXPECT_TRUE(ids.insert(std::string{c.id}).second) << c.id;
    EXPECT_FALSE(c.says.empty() || c.rule.empty()) << c.id;
    EXPECT_EQ(c.what == claims::kind::judged, c.judge != nullptr) << c.id;
  }
  for (unsigned n = 1; n <= 62; ++n) EXPECT_TRUE(ids.contains("S" + std::to_string(n))) << n;
}

TEST(Catalog, QuestionsAndSetUpsHaveNoVerdict) {
  for (const char* id : {"W12", "W13", "W14", "W16", "W17"}) expect(verdict::none, id, book{2});
  for (const char* id : {"S53", "W15", "B5"}) expect(verdict::unmeasured, id, book{2});
}

}  // namespace
}  // namespace synchro::tests
