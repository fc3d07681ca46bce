#include "platform/started_program.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "platform/scheduling.hpp"

namespace synchro::platform {
namespace {

program_start shell(const std::string& text) { return {"/bin/sh", {"sh", "-c", text}}; }

constexpr double long_enough = 250;

TEST(StartedProgram, TellsHowItEndedAndWhatItWrote) {
  started_program run{shell("echo out; echo err >&2; exit 41")};
  const auto end = run.wait(long_enough);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->status, 41);
  EXPECT_EQ(end->signal, 0);
  EXPECT_FALSE(end->well());
  EXPECT_EQ(end->in_words(), "exit status 41");
  EXPECT_EQ(run.out(), "out\n");
  EXPECT_EQ(run.errors(), "err\n");
  EXPECT_GT(end->seconds, 0);
  EXPECT_EQ(run.wait(0)->status, 41);  // it stays known
}

TEST(StartedProgram, TellsWhichSignalEndedIt) {
  started_program run{shell("kill -SEGV $$")};
  const auto end = run.wait(long_enough);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGSEGV);
  EXPECT_FALSE(end->well());
  EXPECT_EQ(end->in_words().rfind("signal 11 (", 0), 0U);
}

TEST(StartedProgram, HasOurEnvironmentWithTheVariablesAndNothingToRead) {
  ASSERT_EQ(setenv("SYNCHRO_TEST_OURS", "ours", 1), 0);
  ASSERT_EQ(setenv("SYNCHRO_TEST_REPLACED", "old", 1), 0);
  program_start start = shell("echo $SYNCHRO_TEST_OURS $SYNCHRO_TEST_REPLACED $SYNCHRO_TEST_NEW; cat");
  start.variables = {{"SYNCHRO_TEST_REPLACED", "new"}, {"SYNCHRO_TEST_NEW", "besides"}};
  started_program run{start};
  ASSERT_TRUE(run.wait(long_enough));
  EXPECT_EQ(run.out(), "ours new besides\n");
}

TEST(StartedProgram, RunsWhereItIsTold) {
  program_start start = shell("grep Cpus_allowed_list /proc/self/status");
  const unsigned here = running_on();
  start.cpus = {here};
  started_program run{start};
  ASSERT_TRUE(run.wait(long_enough));
  EXPECT_EQ(run.out(), "Cpus_allowed_list:\t" + std::to_string(here) + "\n");
}

TEST(StartedProgram, IsNotWaitedForLongerThanAsked) {
  started_program run{shell("sleep 1000")};
  EXPECT_FALSE(run.wait(0));
  int asked = 0;
  EXPECT_FALSE(run.wait(long_enough, [&] { return ++asked == 2; }));
  EXPECT_EQ(asked, 2);
}

TEST(StartedProgram, IsStoppedWithAllThatItStarted) {
  // The second one does not end when it is asked to.
  started_program run{shell("trap '' TERM; (sleep 1000) & echo ready; while :; do sleep 1000; done")};
  while (run.out() != "ready\n") usleep(1000);
  run.stop();
  const auto end = run.wait(0);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGKILL);
  for (int i = 0; i < 20'000 && kill(static_cast<pid_t>(-run.number()), 0) == 0; ++i) usleep(1000);
  EXPECT_NE(kill(static_cast<pid_t>(-run.number()), 0), 0);
}

TEST(StartedProgram, HasAsLongToEndAsItIsGiven) {
  const auto stopped = [](double patience_s) {
    started_program run{shell("trap 'sleep 2; exit 3' TERM; echo ready; while :; do sleep 1000 & wait; done")};
    while (run.out() != "ready\n") usleep(1000);
    run.stop(patience_s);
    return run.wait(0).value();
  };
  EXPECT_EQ(stopped(long_enough).status, 3);
  EXPECT_EQ(stopped(0).signal, SIGKILL);
}

TEST(StartedProgram, SaysInOneSentenceWhyItCannotBeStarted) {
  try {
    started_program{{"/no/such/program", {"x"}}};
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "/no/such/program cannot be started: No such file or directory");
  }
}

}  // namespace
}  // namespace synchro::platform
