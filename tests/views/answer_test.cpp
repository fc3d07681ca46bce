#include "views/answer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "results/text.hpp"
#include "views/as_declared.hpp"
#include "views/cells.hpp"

namespace synchro::views {

using namespace results;
namespace {

std::string answer_to(const document& d, std::size_t width = 100, std::size_t most_lines = 18) {
  return answer(d, experiments::all_presentations(), {false, width, false}, most_lines);
}
std::string answer_to(const list& cells) { return answer_to(complete_document(cells)); }

/// Of an experiment that this program does not know.
cell strange(int n, double ns, double half_width = 0.01) {
  return made("strange." + std::to_string(n / 10), {{"kind", "x"}, {"n", whole(n)}}, "delay", "ns",
              around(ns, half_width));
}

TEST(Answer, IsTheSentencesOfTheExperiments) {
  EXPECT_EQ(answer_to(list{local("l1", 1.3), local("ram", 91)}),
            "- coherence.local: Reading from the first cache takes 1.30 ns (1.29 to 1.31); from main memory 91.0\n"
            "  ns (90.1 to 91.9), 70.0 times as much.\n"
            "- In brackets: the 95 % confidence interval.\n");
}

TEST(Answer, GivesTheRangeOfAnExperimentThatDeclaresNoSentence) {
  EXPECT_EQ(answer_to(list{strange(1, 20), strange(2, 10), strange(3, 30)}),
            "- strange.0, delay: from 10.0 ns (9.90 to 10.1) at n=2 to 30.0 ns (29.7 to 30.3) at n=3.\n"
            "- In brackets: the 95 % confidence interval.\n");
  EXPECT_EQ(answer_to(list{strange(1, 10), strange(2, 10), strange(3, 30)}),
            "- strange.0, delay: from 10.0 ns (9.90 to 10.1) at n=1 (and at 1 more) to 30.0 ns (29.7 to 30.3) at\n"
            "  n=3.\n"
            "- In brackets: the 95 % confidence interval.\n");
  EXPECT_EQ(answer_to(list{strange(1, 10), strange(2, 10)}),
            "- strange.0, delay: 10.0 ns (9.90 to 10.1), and 1 other not clearly higher.\n"
            "- In brackets: the 95 % confidence interval.\n");
}

TEST(Answer, SaysOfARangeThatOthersMayLieBeyondIt) {
  EXPECT_NE(answer_to(list{strange(1, 20), strange(2, 10), strange(3, 30, 0.3)})
                .find("- strange.0, delay of those that are sure: from 10.0 ns (9.90 to 10.1) at n=2 to 20.0 ns"),
            std::string::npos);
}

TEST(Answer, LeavesEmptyInstructionsOutOfTheRange) {
  const auto instruction = [](const char* name, double ns) { return access(name, "same_cpu", ns, "none"); };
  EXPECT_EQ(answer_to(list{instruction("nop", 0.05), access("load", "same_cpu", 1.3, "exclusive"),
                           access("load", "same_cache", 30, "exclusive")}),
            "- coherence.states, latency: from 1.30 ns (1.29 to 1.31) at distance=same_cpu to 30.0 ns (29.7 to\n"
            "  30.3) at distance=same_cache.\n"
            "- In brackets: the 95 % confidence interval.\n");
  EXPECT_NE(answer_to(list{instruction("nop", 0.05)}).find("coherence.states, latency: "), std::string::npos)
      << "there is nothing else";
}

TEST(Answer, NeverShowsAnUncertainValue) {
  EXPECT_EQ(answer_to(list{strange(1, 20, 0.3), local("l1", 1.3, 0.3)}),
            "- No reliable finding: no value is sure; 2 with an interval whose half is 10 % or more. To measure\n"
            "  again, when nothing else runs (synchroscope check): synchroscope run strange.0 coherence.local\n");
}

TEST(Answer, TellsNothingOfAMachineOfWhichNoValueIsSure) {
  const auto on = [](const char* machine, double half_width) {
    return made("wake.broadcast", {{"machine", machine}, {"primitive", "event"}, {"threads", whole(1)}}, "wake_mean",
                "ns", around(9000, half_width));
  };
  const std::string none = answer_to(list{on("opteron", 0.2), on("niagara", 0.2)});
  EXPECT_TRUE(none.starts_with("- No reliable finding: no value is sure")) << none;
  const std::string one = answer_to(list{on("opteron", 0.01), on("niagara", 0.2)});
  EXPECT_NE(one.find("- opteron, wake.broadcast: A sleeping thread runs 9.00 us (8.91 to 9.09)"), std::string::npos)
      << one;
  EXPECT_NE(one.find("- No reliable finding: niagara: wake.broadcast."), std::string::npos) << one;
}

TEST(Answer, SaysWhyThereIsNothingWhereAllOfAnExperimentSayTheSame) {
  const auto missing = [](const char* level, const char* why) {
    cell c = local(level, 1.3);
    c.value.reset(), c.ci.reset();
    c.reason = why;
    return c;
  };
  EXPECT_EQ(answer_to(list{missing("l1", "not available here: no cache"), missing("l2", "not available here: no cache"),
                           strange(1, 10)}),
            "- strange.0, delay: 10.0 ns (9.90 to 10.1).\n"
            "- In brackets: the 95 % confidence interval.\n"
            "- coherence.local: not available here: no cache.\n");
  EXPECT_NE(answer_to(list{missing("l1", "no cache"), missing("l2", "another reason"), strange(1, 10)})
                .find("- No reliable finding: coherence.local."),
            std::string::npos);
}

TEST(Answer, KeepsTheMachinesOfASimulationApart) {
  list cells;
  for (const auto& [machine, ns] : {std::pair{"opteron", 1.0}, std::pair{"niagara", 2.0}}) {
    cells.push_back(local("l1", ns));
    cells.back().at = {{"machine", machine}, {"level", "l1"}};
  }
  const document d = complete_document(cells);
  const auto found = conclusions(d, experiments::all_presentations());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].machine, "niagara");
  const std::string text = answer_to(d);
  EXPECT_NE(text.find("- opteron, coherence.local: Reading from the first cache takes 1.00 ns"), std::string::npos)
      << text;
  EXPECT_NE(text.find("- niagara, coherence.local: Reading from the first cache takes 2.00 ns"), std::string::npos)
      << text;
}

TEST(Answer, FitsTheScreenAndCountsWhatItLeavesOut) {
  list cells{local("l1", 1.3), local("ram", 91), pair(0, 1, 40)};
  for (int n = 0; n < 400; n += 10)
    for (int i = 0; i < 3; ++i) cells.push_back(strange(n + i, 10.0 * (i + 1)));
  const document d = complete_document(cells);
  for (const std::size_t width : {40U, 60U, 80U, 100U})
    for (const std::size_t most : {8U, 12U, 20U}) {
      const std::string text = answer_to(d, width, most);
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(most)) << text;
      EXPECT_NE(text.find(" more findings: "), std::string::npos) << text;
      for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        EXPECT_LE(width_of(text.substr(begin, end - begin)), width) << text;
    }
  EXPECT_NE(answer_to(d).find("- 30 more findings"), std::string::npos) << answer_to(d);
}

/// Two findings, and remarks that are longer than a small screen.
document doubtful() {
  list cells{local("l1", 1.3), local("ram", 91), pair(0, 1, 40)};
  for (int n = 0; n < 300; n += 10) cells.push_back(strange(n, 10, 0.3));
  return complete_document(cells);
}

TEST(Answer, HasAFindingOfEachExperimentBeforeRemarks) {
  for (const std::size_t width : {40U, 60U})
    for (const std::size_t most : {16U, 18U}) {
      const std::string text = answer_to(doubtful(), width, most);
      EXPECT_LE(lines_in(text), most) << text;
      EXPECT_NE(text.find("- coherence.local: Reading from"), std::string::npos) << text;
      EXPECT_NE(text.find("- coherence.pairs: Moving"), std::string::npos) << text;
      EXPECT_NE(text.find("In brackets"), std::string::npos) << text;
      EXPECT_NE(text.find(" remark"), std::string::npos) << text;
    }
  const std::string all = answer_to(doubtful(), 60, 40);
  EXPECT_NE(all.find("- No reliable finding: strange.0"), std::string::npos) << all;
  EXPECT_EQ(all.find("--experiment"), std::string::npos) << all;
}

TEST(Answer, SaysBeforeMoreFindingsWhatMayNotBeLeftUnsaid) {
  document d = doubtful();
  d.complete = false;
  d.cells.back().valid = false;
  const std::string text = answer_to(d, 60, 12);
  EXPECT_LE(lines_in(text), 12U) << text;
  EXPECT_NE(text.find("- coherence.local: Reading from"), std::string::npos) << text;
  EXPECT_NE(text.find("The self-check of 1 cell failed"), std::string::npos) << text;
  EXPECT_NE(text.find("The run was stopped early"), std::string::npos) << text;
}

TEST(Answer, LeavesARangeOutBeforeASentenceThatIsDeclared) {
  list cells{local("l1", 1.3), local("ram", 91)};
  for (int i = 0; i < 3; ++i) cells.insert(cells.begin(), access("load", "same_cpu", 1.3 + i, "exclusive"));
  const std::string text = answer_to(complete_document(cells), 40, 8);
  EXPECT_NE(text.find("- coherence.local: Reading from"), std::string::npos) << text;
  EXPECT_EQ(text.find("coherence.states"), std::string::npos) << text;
}

TEST(Answer, SaysThatARunWasStopped) {
  document d = complete_document({local("l1", 1.3)});
  EXPECT_EQ(answer_to(d).find("stopped early"), std::string::npos);
  d.complete = false;
  EXPECT_NE(answer_to(d).find("stopped early"), std::string::npos);
  EXPECT_EQ(answer_to(list{}), "There are no measurements.\n");
}

}  // namespace
}  // namespace synchro::views
