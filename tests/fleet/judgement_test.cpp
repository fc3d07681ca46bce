#include "fleet/judgement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fleet/told.hpp"
#include "made_hosts.hpp"

namespace synchro::fleet {
namespace {

using made::size;

/// Sixty hosts that differ as by the normal distribution; host 7 is the one that tests make ill.
class Judgement : public testing::Test {
 protected:
  static constexpr std::size_t ill = 7;

  void SetUp() override { fill({}); }
  void fill(const size& of) {
    all_.hosts.clear();
    made::fill(all_, of, 5, [](statistics::random_numbers& r, std::size_t) { return made::normal(r); });
  }
  host& patient() { return all_.hosts[ill]; }
  void judge_them() { j_ = judge(all_, {}); }
  const host_verdict& verdict() { return j_.groups[0].hosts[ill]; }
  std::string sentence() { return sentence_of(all_, j_.groups[0], verdict()); }
  void expect_only_the_patient() {
    ASSERT_EQ(j_.called.size(), 1U);
    EXPECT_EQ(j_.called[0], (std::pair<std::size_t, std::size_t>{0, ill}));
  }

  gathered all_;
  judgement j_;
};

bool anywhere(const cell_key&) { return true; }
bool in_e2(const cell_key& p) { return p.experiment == "family.e2"; }

TEST_F(Judgement, NobodyIsCalledWhereNobodyIsIll) {
  judge_them();
  EXPECT_TRUE(j_.called.empty());
  EXPECT_EQ(j_.judged, 60U);
  // 60 cells, 6 experiments, everything, and scatter; nobody has two files.
  EXPECT_EQ(j_.comparisons, 60U * 68U);
}

TEST_F(Judgement, WhatIsWorseInEverythingIsOneSentence) {
  made::worsen(all_, patient(), 0.6, anywhere);
  patient().answers.back().facts[0].second = "powersave";
  judge_them();
  expect_only_the_patient();
  EXPECT_TRUE(sentence().starts_with("worse by 8")) << sentence();
  EXPECT_TRUE(sentence().ends_with(
      " % in everything, as the median of 6 experiments; its governor is powersave, not performance"))
      << sentence();
}

TEST_F(Judgement, WhatIsBetterIsCalledBetter) {
  made::worsen(all_, patient(), -0.8, anywhere);
  judge_them();
  expect_only_the_patient();
  EXPECT_TRUE(sentence().starts_with("better by a factor of 2")) << sentence();
}

TEST(ByHowMuch, IsInPercentBelowTwiceAndInTimesFromThereOn) {
  EXPECT_EQ(by_how_much(std::log(1.384), "worse", "better"), "worse by 38 %");
  EXPECT_EQ(by_how_much(std::log(1.996), "worse", "better"), "worse by 100 %");
  EXPECT_EQ(by_how_much(-std::log(3.1), "worse", "better"), "better by a factor of 3.10");
  EXPECT_EQ(by_how_much(std::log(1500), "worse", "better"), "worse by a factor of 1,500");
  EXPECT_EQ(by_how_much(-700, "worse", "better"), "better by a factor of more than a million");
  EXPECT_EQ(by_how_much(1400, "worse", "better"), "worse by a factor of more than a million")
      << "the factor is infinite";
}

TEST_F(Judgement, AnExperimentIsNamed) {
  made::worsen(all_, patient(), 0.3, in_e2);
  judge_them();
  expect_only_the_patient();
  EXPECT_NE(sentence().find("% in family.e2"), std::string::npos) << sentence();
  EXPECT_EQ(sentence().find("e1"), std::string::npos) << sentence();
}

TEST_F(Judgement, CellsAreNamedByWhatTheyHaveInCommon) {
  made::worsen(all_, patient(), 2, [](const cell_key& p) { return in_e2(p) && p.at.number("place") == 1; });
  judge_them();
  expect_only_the_patient();
  EXPECT_NE(sentence().find(" in 1 of 10 cells of family.e2 (place 1)"), std::string::npos) << sentence();
}

TEST_F(Judgement, WhoseRepetitionsScatterIsCalled) {
  for (measured& m : patient().answers.back().cells) m.half_width += 1.5;
  judge_them();
  expect_only_the_patient();
  EXPECT_TRUE(sentence().starts_with("its repetitions scatter more by a factor of 4")) << sentence();
}

TEST_F(Judgement, WhatHasChangedIsHeldAgainstTheChangesOfOthers) {
  for (host& h : all_.hosts) {
    answer before = h.answers.back();
    before.started = "2026-10-01T01:00:00Z";
    for (measured& m : before.cells) m.value -= 0.2;  // all have become slower
    h.answers.insert(h.answers.begin(), before);
  }
  judge_them();
  EXPECT_TRUE(j_.called.empty());
  for (measured& m : patient().answers.front().cells) m.value -= 0.3;
  judge_them();
  expect_only_the_patient();
  EXPECT_NE(sentence().find("worse by 35 % than on 2026-10-01 in everything"), std::string::npos) << sentence();
}

TEST_F(Judgement, WhatIsAllowedIsNeverCalled) {
  for (host& h : all_.hosts)
    for (measured& m : h.answers.back().cells) m.value = 0;
  made::worsen(all_, patient(), std::log(1.04), anywhere);
  judge_them();
  EXPECT_TRUE(j_.called.empty());
}

TEST_F(Judgement, AnExtremeHostDoesNotHideAnother) {
  made::worsen(all_, patient(), 0.3, anywhere);
  for (const std::size_t other : {1U, 2U, 3U}) made::worsen(all_, all_.hosts[other], 5, anywhere);
  judge_them();
  EXPECT_EQ(j_.called.size(), 4U);
  EXPECT_TRUE(verdict().called);
  EXPECT_EQ(j_.called.back().second, ill) << "the most different comes first";
}

TEST_F(Judgement, SevenAlikeAreTooFewWhateverTheyAreLike) {
  fill({7, 6, 10});
  made::worsen(all_, all_.hosts[3], 9, anywhere);
  judge_them();
  EXPECT_TRUE(j_.called.empty());
  EXPECT_EQ(remark_on(all_, j_, j_.groups[0]), "7 hosts alike: too few to call one ill, which takes 8");
  EXPECT_EQ(bound_of(j_), "No host was compared, so none is called different.");
}

TEST_F(Judgement, OtherProcessorsAreAnotherGroup) {
  made::worsen(all_, patient(), 3, anywhere);
  patient().answers.back().processors = 1;
  judge_them();
  EXPECT_TRUE(j_.called.empty());
  ASSERT_EQ(j_.groups.size(), 2U);
  EXPECT_EQ(remark_on(all_, j_, j_.groups[1]), "1 host alike: too few to call one ill, which takes 8; " +
                                                   patient().name +
                                                   " was measured on 1 processor, 59 others of this model on 2");
}

TEST_F(Judgement, HostsOnOtherProcessorsThanMostAreNamedWhereTheyAreJudgedToo) {
  for (std::size_t i = 0; i < 29; ++i) all_.hosts[i].answers.back().processors = 1;
  judge_them();
  ASSERT_EQ(j_.groups.size(), 2U);
  EXPECT_TRUE(j_.groups[1].judged);
  EXPECT_EQ(remark_on(all_, j_, j_.groups[0]), "");
  const auto name = [&](std::size_t i) { return all_.hosts[i].name; };
  EXPECT_EQ(remark_on(all_, j_, j_.groups[1]),
            name(0) + ", " + name(1) + ", " + name(2) +
                " and 26 more were measured on 1 processor, 31 others of this model on 2");
  all_.hosts[29].answers.back().processors = 1;  // half of them: neither is usual
  judge_them();
  EXPECT_EQ(remark_on(all_, j_, j_.groups[0]) + remark_on(all_, j_, j_.groups[1]), "");
}

TEST_F(Judgement, HostsWhoseProcessorsAreUnknownAreNotSaidToHaveNone) {
  for (const std::size_t i : {1U, 2U, 3U}) all_.hosts[i].answers.back().processors = 0;
  judge_them();
  ASSERT_EQ(j_.groups.size(), 2U);
  EXPECT_EQ(remark_on(all_, j_, j_.groups[1]), "3 hosts alike: too few to call one ill, which takes 8");
  for (std::size_t i = 5; i < 60; ++i) all_.hosts[i].answers.back().processors = 0;
  judge_them();
  ASSERT_EQ(j_.groups.size(), 2U);
  EXPECT_EQ(remark_on(all_, j_, j_.groups[1]), "2 hosts alike: too few to call one ill, which takes 8");
}

TEST_F(Judgement, CellsOfProcessorsAtAnotherDistanceAreLeftOut) {
  made::worsen(all_, patient(), 3, anywhere);
  for (measured& m : patient().answers.back().cells) m.probe = 200;
  judge_them();
  EXPECT_FALSE(verdict().called);
  EXPECT_EQ(verdict().farther, 60U);
}

TEST_F(Judgement, MemoryWithinFivePercentIsTheSame) {
  patient().answers.back().memory *= 0.97;
  all_.hosts[8].answers.back().memory /= 2;
  judge_them();
  EXPECT_TRUE(verdict().facts.empty());
  ASSERT_EQ(j_.groups[0].hosts[8].facts.size(), 1U);
  EXPECT_EQ(j_.groups[0].hosts[8].facts[0].value, "8 GiB");
}

TEST_F(Judgement, MemoryOfManyHasNoExponent) {
  for (auto& h : all_.hosts) h.answers.back().memory *= 128;
  all_.hosts[8].answers.back().memory /= 2;
  judge_them();
  ASSERT_EQ(j_.groups[0].hosts[8].facts.size(), 1U);
  EXPECT_EQ(j_.groups[0].hosts[8].facts[0].value, "1 TiB");
  EXPECT_EQ(j_.groups[0].hosts[8].facts[0].usual, "2 TiB");
}

TEST_F(Judgement, ACommonCauseIsOneSentence) {
  for (const std::size_t i : {1U, 2U, 3U}) {
    made::worsen(all_, all_.hosts[i], 0.3, anywhere);
    all_.hosts[i].answers.back().facts[1].second = "5.10";
  }
  judge_them();
  const auto causes = common_causes(all_, j_);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0],
            "All 3 hosts whose kernel is 5.10, not 6.1, are called different: host-001, host-002 and host-003");
}

}  // namespace
}  // namespace synchro::fleet
