// Work that is shared out to processes.

#include "model_checker/split.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace synchro::model_checker {
namespace {

constexpr unsigned long workers = 2;

/// Says that it has begun, and much later that it is still there.
std::string lives_on(int to) {
  if (write(to, "b", 1) == 1) sleep(60);
  static_cast<void>(write(to, "x", 1));
  return "";
}

/// What is written there from now on, to the end: until nobody has it open for writing.
std::string all_from(int from) {
  std::string text;
  char next = 0;
  while (read(from, &next, 1) == 1) text += next;
  return text;
}

TEST(Split, WhoExploresDoesNotOutliveWhoReports) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t reporting = fork();
  ASSERT_GE(reporting, 0);
  if (reporting == 0) {
    close(ends[0]);
    in_processes(
        workers, workers, [&](std::size_t) { return lives_on(ends[1]); }, [](std::size_t, const std::string&) {});
    _exit(0);
  }
  close(ends[1]);
  char begun[workers] = {};
  for (char& one : begun) ASSERT_EQ(read(ends[0], &one, 1), 1);
  kill(reporting, SIGKILL);
  waitpid(reporting, nullptr, 0);
  EXPECT_EQ(all_from(ends[0]), "");
  close(ends[0]);
}

}  // namespace
}  // namespace synchro::model_checker
