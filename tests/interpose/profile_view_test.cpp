// What `profile` says above its table.

#include "interpose/profile_view.hpp"

#include <gtest/gtest.h>

namespace {

using namespace synchro;

profile::stored profile_with(const profile::stored_lock& l) {
  profile::stored_process p;
  p.pid = 42, p.program = "server", p.seconds = 1, p.threads = 4, p.every = 64, p.locks = {l};
  return {{"server"}, "native", {p}};
}

TEST(VerdictText, IsThereWhereLongWaitsAreAllThatWasSeen) {
  profile::stored_lock l;
  l.name = "rare", l.kind = "mutex", l.long_ns = 400'000'000, l.longs = {{4'194'304, 80}};
  const std::string text = interpose::verdict_text(profile_with(l), std::nullopt, {});
  EXPECT_EQ(text.rfind("The lock rare is waited for longest: ", 0), 0U) << text;
  EXPECT_NE(text.find("Not sure: "), std::string::npos) << text;
}

TEST(VerdictText, IsEmptyWhereNothingWasTaken) {
  profile::stored_lock l;
  l.name = "idle", l.kind = "mutex";
  EXPECT_EQ(interpose::verdict_text(profile_with(l), std::nullopt, {}), "");
}

}  // namespace
