#include "cli/request.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "terminal/failure.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

platform::topology four_processors() { return platform::topology_from_synthetic("package:1 core:4 pu:1"); }

std::string usage_sentence(const request& r) {
  try {
    (void)resolve(r, four_processors());
  } catch (const failure& e) {
    EXPECT_EQ(e.code, status::usage);
    return e.what();
  }
  return "";
}

TEST(Request, WithoutNamesMeansEveryExperiment) {
  EXPECT_EQ(resolve({}, four_processors()).which.size(), experiments::all_experiments().size());
}

TEST(Request, TakesAFamilyOnceAndInTheOrderOfTheDesign) {
  request r;
  r.experiments = {"locks", "coherence.pairs", "coherence"};
  const auto which = resolve(r, four_processors()).which;
  ASSERT_GE(which.size(), 5U);
  EXPECT_EQ(which[0]->name.rfind("coherence.", 0), 0U);
  for (const auto* e : which) EXPECT_EQ(std::count(which.begin(), which.end(), e), 1) << e->name;
}

TEST(Request, NamesTheNearestExperiment) {
  request r;
  r.experiments = {"coherance.pairs"};
  EXPECT_NE(usage_sentence(r).find("coherence.pairs"), std::string::npos) << usage_sentence(r);
}

TEST(Request, LeavesOutProcessors) {
  request r;
  r.cpus = "0-3,!2";
  EXPECT_EQ(resolve(r, four_processors()).setting.machine.processors.size(), 3U);
  r.cpus = "0-7";
  EXPECT_FALSE(usage_sentence(r).empty());
}

TEST(Request, ReadsNumbersAndPatternsOfWords) {
  request r;
  r.experiments = {"locks.throughput"};
  r.axes = {{"threads", "1,3-4"}, {"lock", "mcs*"}};
  const auto chosen = resolve(r, four_processors()).setting.chosen;
  EXPECT_EQ(chosen.at("threads"),
            (std::vector<experiments::coordinate>{std::int64_t{1}, std::int64_t{3}, std::int64_t{4}}));
  const auto& locks = chosen.at("lock");
  EXPECT_GE(locks.size(), 2U);
  EXPECT_NE(std::find(locks.begin(), locks.end(), experiments::coordinate{"mcs/park"}), locks.end());
}

TEST(Request, SaysWhoHasAnAxisThatNobodyHereHas) {
  request r;
  r.experiments = {"coherence.pairs"};
  r.axes = {{"lock", "mcs"}};
  const std::string sentence = usage_sentence(r);
  EXPECT_NE(sentence.find("coherence.pairs has no axis 'lock'"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("locks.throughput"), std::string::npos) << sentence;
}

TEST(Request, SaysOfSeveralExperimentsThatNoneHasTheAxis) {
  request r;
  r.experiments = {"coherence.pairs", "coherence.states"};
  r.axes = {{"lock", "mcs"}};
  const std::string sentence = usage_sentence(r);
  EXPECT_NE(sentence.find("none of these experiments has an axis 'lock'"), std::string::npos) << sentence;
}

TEST(Request, SurvivesTheResultsFile) {
  request r;
  r.experiments = {"locks.throughput"};
  r.thoroughness = experiments::level::quick;
  r.cpus = "1,3";
  r.axes = {{"threads", "1,2"}, {"lock", "mcs,std/mutex"}};
  r.seed = 42;
  const resolved_request before = resolve(r, four_processors());
  const resolved_request after = resolve(request_from_json(to_json(before)), four_processors());
  EXPECT_EQ(after.which, before.which);
  EXPECT_EQ(after.setting.chosen, before.setting.chosen);
  EXPECT_EQ(after.setting.seed, 42U);
  EXPECT_EQ(after.setting.thoroughness, experiments::level::quick);
  EXPECT_EQ(after.setting.machine.processors.size(), 2U);
}

TEST(Request, WhatIsTypedNowGoesBeforeWhatWasTypedThen) {
  request then, now;
  then.experiments = {"coherence.pairs"};
  then.seed = 1;
  then.axes = {{"threads", "1"}, {"lock", "mcs"}};
  now.seed = 2;
  now.axes = {{"threads", "4"}};
  const request both = overlay(now, then);
  EXPECT_EQ(both.experiments, then.experiments);
  EXPECT_EQ(both.seed, 2U);
  EXPECT_EQ(both.axes, (std::map<std::string, std::string>{{"threads", "4"}, {"lock", "mcs"}}));
}

TEST(Request, ReadsALargeSeedThatTheFileHoldsAsText) {
  request r;
  r.experiments = {"locks.throughput"};
  nlohmann::ordered_json record = to_json(resolve(r, four_processors()));
  record["seed"] = "18446744073709551615";
  EXPECT_EQ(request_from_json(record).seed, 18446744073709551615U);
  for (const char* text : {"", "x", "-1", "12x", "18446744073709551616"}) {
    record["seed"] = text;
    EXPECT_THROW((void)request_from_json(record), std::runtime_error) << text;
  }
}

TEST(Request, RefusesARecordThatSaysNothing) {
  EXPECT_THROW((void)request_from_json(nlohmann::ordered_json::object()), std::runtime_error);
}

}  // namespace
}  // namespace synchro::cli
