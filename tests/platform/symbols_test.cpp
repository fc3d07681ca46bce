// Names come from files that a recording tells, and what wrote it may have told anything.

#include "platform/symbols.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "platform/child_process.hpp"

namespace synchro::platform {

namespace {

TEST(Symbols, APipeHasNoneAndIsNotWaitedFor) {
  const auto pipe = std::filesystem::temp_directory_path() / ("synchroscope-test-" + std::to_string(getpid()));
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const child_outcome seen =
      run_in_child([&] { return std::string{symbol_table{pipe.string()}.at(16) ? "a symbol" : "nothing"}; }, 60);
  std::filesystem::remove(pipe);
  EXPECT_FALSE(seen.failure) << *seen.failure;
  EXPECT_EQ(seen.said, "nothing");
}

}  // namespace

}  // namespace synchro::platform
