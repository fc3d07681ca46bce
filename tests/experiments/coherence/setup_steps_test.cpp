#include "experiments/coherence/setup_steps.hpp"

#include <gtest/gtest.h>

#include "coherence_model.hpp"

namespace synchro::experiments::coherence {
namespace {

using tests::expected_states;
using tests::modelled_line;

constexpr std::size_t members = 5;  // requester, holder, sharer and two others; with `mine` one more other

void apply(const step& s, const event& e, modelled_line& line) {
  const std::size_t holder = e.mine ? 0 : 1;
  std::vector<std::size_t> who;
  if (s.who == actor::requester) who = {0};
  if (s.who == actor::holder) who = {holder};
  if (s.who == actor::sharer) who = {holder + 1};
  if (s.who == actor::others)
    for (std::size_t i = holder + 2; i < members; ++i) who.push_back(i);
  for (const std::size_t w : who) switch (s.what) {
      case deed::read:
        line.read(w);
        break;
      case deed::flush:
        line.flush();
        break;
      case deed::write:
      case deed::put_back:
        line.write(w);
        break;
      case deed::compete:
        break;  // at the same time as the timed access, so after the state was brought about
    }
}

bool touches_a_line(const event& e) { return e.on != state::none && e.on != state::working_set; }

class Recipe : public testing::TestWithParam<dirty_read> {};

TEST_P(Recipe, BringsTheLineIntoItsStateFromAnyOther) {
  for (const event& e : events()) {
    if (!touches_a_line(e)) continue;
    for (const char* const before : {"IIIII", "MIIII", "IMIII", "IIIMI", "SOSII", "IIEII", "SSSSS", "OSIII", "DIIII"}) {
      modelled_line line{before, GetParam()};
      for (const step& s : setup_steps(e, GetParam())) apply(s, e, line);
      EXPECT_EQ(line.states(), expected_states(e, members)) << e.name << " from " << before;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(DirtyLines, Recipe, testing::Values(dirty_read::copies, dirty_read::moves));

TEST(Recipes, OwnedIsMissedWhereDirtyLinesMoveAndTheRecipeDoesNotKnow) {
  const event& e = *find_event("fai_on_owned");
  modelled_line line{members, dirty_read::moves};
  for (const step& s : setup_steps(e, dirty_read::copies)) apply(s, e, line);
  EXPECT_EQ(line.states(), "DIIII");  // and a write is as fast as on a line of one's own: that is how it is found out
}

TEST(Recipes, FirstStepWritesSoThatTheTimedAccessFindsFreshValues) {
  for (const event& e : events()) {
    if (!touches_a_line(e)) continue;
    ASSERT_FALSE(setup_steps(e).empty()) << e.name;
    const deed first = setup_steps(e).front().what;
    EXPECT_TRUE(first == deed::write || first == deed::put_back) << e.name;
  }
}

TEST(Recipes, WhatNeedsNoLineNeedsNoSteps) {
  EXPECT_TRUE(setup_steps(*find_event("nop")).empty());
  EXPECT_TRUE(setup_steps(*find_event("load_from_mem_size")).empty());
}

TEST(Recipes, SaysWhenThereAreTooFewProcessors) {
  const auto reason = [](const char* name, std::size_t n) { return too_few(*find_event(name), n).value_or(""); };
  EXPECT_EQ(reason("load_from_l1", 1), "");
  EXPECT_EQ(reason("load_from_modified", 1), "one processor: there is no other to hold the line");
  EXPECT_EQ(reason("load_from_modified", 2), "");
  EXPECT_EQ(reason("store_on_owned", 2), "");
  EXPECT_EQ(reason("store_on_owned_mine", 2), "");
  for (const char* const three : {"load_from_owned", "load_from_shared", "store_on_shared", "cas_on_shared"}) {
    EXPECT_EQ(reason(three, 2), "two processors: there is no third one to share the line") << three;
    EXPECT_EQ(reason(three, 3), "") << three;
  }
  EXPECT_NE(reason("load_from_shared_all", 3), "");
  EXPECT_EQ(reason("load_from_shared_all", 4), "");
}

TEST(Recipes, OwnedIsSaidOnlyOfVendorsThatDocumentIt) {
  EXPECT_EQ(dirty_sharing_of("AuthenticAMD"), dirty_sharing::owned);
  EXPECT_EQ(dirty_sharing_of("GenuineIntel"), dirty_sharing::written_back);
  EXPECT_EQ(dirty_sharing_of("ARM"), dirty_sharing::unknown);
  EXPECT_EQ(dirty_sharing_of(""), dirty_sharing::unknown);
}

class Cast : public testing::Test {
 protected:
  const platform::topology two_sockets =
      platform::topology_from_synthetic("Package:2 [NUMANode(memory=1073741824)] L3Cache:1 Core:3 PU:1");
};

TEST_F(Cast, HasTheHolderAtTheDistance) {
  const event& e = *find_event("load_from_shared_all");
  for (const platform::distance far : two_sockets.distances()) {
    const auto c = roles_of(two_sockets, e, far);
    ASSERT_TRUE(c);
    EXPECT_EQ(two_sockets.between(c->requester, c->holder), far);
    ASSERT_TRUE(c->sharer);
    EXPECT_EQ(two_sockets.between(c->holder, *c->sharer), platform::distance::same_cache);
    EXPECT_EQ(c->others.size(), 3U);
  }
}

TEST_F(Cast, IsOneProcessorWhenTheLineIsItsOwn) {
  const auto c = roles_of(two_sockets, *find_event("load_from_l1"), platform::distance::same_cpu);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->requester, c->holder);
}

TEST_F(Cast, LeavesOutThoseThatHaveNothingToDo) {
  const event& e = *find_event("load_from_modified");
  const roles c = only_needed(roles_of(two_sockets, e, platform::distance::same_cache).value(), e);
  EXPECT_FALSE(c.sharer);
  EXPECT_TRUE(c.others.empty());
}

TEST_F(Cast, IsNotThereAtADistanceTheMachineLacks) {
  EXPECT_FALSE(roles_of(two_sockets, *find_event("load_from_modified"), platform::distance::same_core));
}

}  // namespace
}  // namespace synchro::experiments::coherence
