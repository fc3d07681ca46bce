#include "experiments/coherence/vocabulary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace synchro::experiments::coherence {
namespace {

std::string lower(std::string s) {
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return s;
}

TEST(Vocabulary, NamesOfEventsAreUnique) {
  std::set<std::string> names;
  for (const event& e : events()) EXPECT_TRUE(names.insert(e.name).second) << e.name;
}

TEST(Vocabulary, AnOperationOnAStateIsOneEvent) {
  std::set<std::tuple<operation, state, bool>> seen;
  for (const event& e : events()) EXPECT_TRUE(seen.insert({e.what, e.on, e.mine}).second) << e.name;
}

TEST(Vocabulary, All34EventsOfCcbenchAreThere) {
  std::set<std::string> names;
  for (const char* const name : ccbench_events()) {
    names.insert(name);
    EXPECT_NE(find_event(lower(name)), nullptr) << name;
  }
  EXPECT_EQ(names.size(), 34U);
}

TEST(Vocabulary, EventsMeanWhatCcbenchMeans) {
  const auto is = [](const char* name, operation what, state on, bool mine) {
    const event* const e = find_event(name);
    return e != nullptr && e->what == what && e->on == on && e->mine == mine;
  };
  EXPECT_TRUE(is("store_on_modified", operation::store, state::modified, false));
  EXPECT_TRUE(is("store_on_modified_no_sync", operation::store, state::contended, false));
  EXPECT_TRUE(is("store_on_owned_mine", operation::store, state::owned, true));
  EXPECT_TRUE(is("store_on_owned", operation::store, state::owned, false));
  EXPECT_TRUE(is("cas", operation::cas, state::turns, false));
  EXPECT_TRUE(is("cas_concurrent", operation::cas, state::contended, false));
  EXPECT_TRUE(is("load_from_l1", operation::load, state::modified, true));
  EXPECT_TRUE(is("load_from_mem_size", operation::load, state::working_set, true));
  EXPECT_TRUE(is("profiler", operation::empty, state::none, true));
  EXPECT_TRUE(is("mfence", operation::full_fence, state::none, true));
}

TEST(Vocabulary, TheGapsOfCcbenchAreFilled) {
  for (const char* const what : {"cas", "fai", "tas", "swap"})
    for (const char* const on : {"exclusive", "owned", "invalid"})
      EXPECT_NE(find_event(std::string{what} + "_on_" + on), nullptr) << what << " on " << on;
}

TEST(Vocabulary, UnknownNamesAreNotFound) { EXPECT_EQ(find_event("load_from_elsewhere"), nullptr); }

}  // namespace
}  // namespace synchro::experiments::coherence
