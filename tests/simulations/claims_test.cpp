// The verdict of every claim of the paper on the models is pinned, so that none changes unseen.

#include "simulations/claims.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace synchro::tests {
namespace {

using claims::verdict;

const std::set<std::string> failing{"S5b",  "S27b", "S29", "S29b", "S30", "S32", "S34", "S36", "S38", "S40b", "S41",
                                    "S44b", "S45",  "S46", "S48",  "S49", "S50", "S53", "S55", "S56", "S64"};
/// Decided by what a model is given: the class T, and what is judged on prices alone.
const std::set<std::string> given{"S1",  "S2",  "S4",  "S6",  "S7",  "S8",  "S9",  "S10", "S11", "S12", "S13", "S14",
                                  "S15", "S16", "S17", "S18", "S19", "S20", "S21", "S22", "S27", "S33", "S61"};
const std::set<std::string> fitted{"S10", "S11"};
/// By pauses that take longer than operations, and nothing else.
const std::set<std::string> decided_by_the_protocol{"S37"};
const std::set<std::string> undecided{"S37", "S42", "S52"};

/// Neighbours in the catalog share simulated cells.
constexpr std::size_t parts = 12;
class PartOfTheClaims : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(All, PartOfTheClaims, testing::Range<std::size_t>(0, parts));

TEST_P(PartOfTheClaims, StandsAsItDidAndIsProvedOrJudgedAsTheCatalogSays) {
  simulations::prover proof{1};
  const auto& all = claims::catalog();
  for (std::size_t i = all.size() * GetParam() / parts; i != all.size() * (GetParam() + 1) / parts; ++i) {
    const claims::claim& c = all[i];
    const bool of_the_paper = c.id.starts_with('S');
    const bool proved = c.what == claims::kind::proved;
    if (!of_the_paper && !proved) continue;
    const simulations::score s = simulations::score_of(c, proof);
    const std::string id{c.id};
    if (proved) {
      EXPECT_NE(s.letter, '-') << id;
    }
    if (!of_the_paper) continue;
    EXPECT_EQ(s.given(), given.contains(id)) << id;
    EXPECT_EQ(s.from == simulations::origin::fitted, fitted.contains(id)) << id;
    EXPECT_EQ(s.from == simulations::origin::by_the_protocol, decided_by_the_protocol.contains(id)) << id;
    EXPECT_EQ(s.asked.empty(), s.letter == '-') << id << " says what was asked";
    EXPECT_EQ(s.found.is == verdict::fails, failing.contains(id)) << id << ": " << s.found.sentence;
    EXPECT_EQ(s.found.is == verdict::unresolved, undecided.contains(id)) << id << ": " << s.found.sentence;
    if (!s.given() && s.found.is == verdict::holds && s.found.off) {
      EXPECT_LE(s.found.off->factor(), s.found.off->of_a_range ? 1 : 1 / 0.7) << id << ": " << s.found.sentence;
    }
    if (id == "S38") {
      EXPECT_TRUE(s.found.off) << "fails though threads pause, and by how much stands";
    }
    EXPECT_EQ(s.found.sentence.find("needs synchroscope run"), std::string::npos)
        << id << " is told to measure a model";
    if (s.letter == 'T') {
      EXPECT_EQ(s.found.is, verdict::holds) << id << ": " << s.found.sentence;
    }
  }
}

/// What lacks on a model is another thing than what lacks in a run.
TEST(Claims, OfNoModelSayWhatIsNotModelled) {
  simulations::prover proof{1};
  for (const char* id : {"S57", "S58", "S59", "S60"})
    EXPECT_NE(simulations::score_of(claims::claim_of(id), proof).found.sentence.find("recording"), std::string::npos)
        << id;
}

/// What the models say is what a report of the same cells says.
TEST(Claims, AreTheSameInAReport) {
  simulations::prover proof{1};
  for (const char* id : {"S1", "S4", "S20", "S24", "S29", "S32", "S36"}) {
    const auto documents = simulations::evidence_for(id, proof);
    ASSERT_FALSE(documents.empty()) << id;
    const std::string sentence = simulations::score_of(claims::claim_of(id), proof).found.sentence;
    for (const auto& [machine, d] : documents) {
      const auto report = claims::findings_on({results::document_from_json(results::to_json(d))});
      for (const auto& told : report.at("claims"))
        if (told.at("id") == id) {
          const auto& found = told.at("findings").at(0);
          const claims::finding own = claims::finding_on(claims::claim_of(id), d);
          EXPECT_NE(sentence.find(machine + " (" + to_string(own.is) + "): " + found.at("because").get<std::string>()),
                    std::string::npos)
              << id << ": " << sentence << " against " << found;
        }
    }
  }
}

}  // namespace
}  // namespace synchro::tests
