#include "platform/tool.hpp"

#include <gtest/gtest.h>

namespace synchro::platform {
namespace {

TEST(Tool, HandsOverWhatAProgramWrites) {
  const auto said = run_tool("sh", {"-c", "cat; echo trouble >&2"}, "a word\n");
  ASSERT_TRUE(said);
  EXPECT_TRUE(said->well);
  EXPECT_EQ(said->out, "a word\n");
  EXPECT_EQ(said->errors, "trouble\n");
}

TEST(Tool, HandsOverMoreThanAPipeHolds) {
  const std::string much(3'000'000, 'x');
  const auto said = run_tool("cat", {}, much);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->out, much);
}

TEST(Tool, SaysThatAProgramFailedOrWasEnded) {
  EXPECT_FALSE(run_tool("sh", {"-c", "exit 3"}, "")->well);
  EXPECT_FALSE(run_tool("sh", {"-c", "kill -9 $$"}, "")->well);
}

TEST(Tool, SaysThatThereIsNone) { EXPECT_FALSE(run_tool("no-such-program-anywhere", {}, "")); }

}  // namespace
}  // namespace synchro::platform
