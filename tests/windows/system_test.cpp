// What the instrument asks of Windows alone: trying a call that is not there, the timer's period, text, files of any name.

#include "platform/windows/system.hpp"

#include <gtest/gtest.h>
#include <windows.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "measure/asleep.hpp"
#include "platform/child_process.hpp"
#include "platform/system_facts.hpp"
#include "platform/timer.hpp"
#include "results/file.hpp"

namespace synchro::platform {
namespace {

TEST(Trial, SaysWhatTheBodySaysOrThrows) {
  EXPECT_EQ(run_in_child([] { return std::string{"well"}; }, 60).said, "well");
  const auto thrown = run_in_child([]() -> std::string { throw std::runtime_error{"not here"}; }, 60);
  EXPECT_EQ(thrown.failure, "not here");
}

TEST(Trial, OfACallWithoutABodyEndsNoProcess) {
  constexpr DWORD by_wine = 0x8000'0100;
  const auto outcome = run_in_child(
      [] {
        // Wine reads both names.
        const ULONG_PTR names[] = {reinterpret_cast<ULONG_PTR>("library.dll"), reinterpret_cast<ULONG_PTR>("Call")};
        RaiseException(by_wine, EXCEPTION_NONCONTINUABLE, 2, names);
        return std::string{"unheard"};
      },
      60);
  EXPECT_EQ(outcome.failure, "the system ended it by exception 0x80000100");
  EXPECT_EQ(run_in_child([] { return std::string{"on"}; }, 60).said, "on") << "the next one is not touched by it";
}

TEST(Trial, OfWhatHappensInAThreadOfItsOwnEndsNoProcess) {
  const auto outcome = run_in_child(
      [] {
        std::thread{[] { RaiseException(EXCEPTION_ACCESS_VIOLATION, 0, 0, nullptr); }}.join();
        return std::string{"unheard"};
      },
      60);
  EXPECT_EQ(outcome.failure, "the system ended it by exception 0xc0000005");
}

TEST(Trial, OfWhatNeverEndsIsLeftBehind) {
  const auto outcome = run_in_child(
      [] {
        Sleep(INFINITE);
        return std::string{};
      },
      0.05);
  EXPECT_EQ(outcome.failure, "it did not finish within 0.05 s");
}

/// A thread that was detached when it had ended already would take the next one with it.
TEST(Trial, OfWhatIsShortLeavesTheNextOneAlone) {
  for (int round = 0; round != 50; ++round)
    ASSERT_EQ(run_in_child([] { return std::string{"on"}; }, 60).said, "on") << "round " << round;
}

TEST(Timer, IsGrantedOrRefusedInASentence) {
  EXPECT_TRUE(takes_timer_periods());
  EXPECT_FALSE(timer_period{0}.refusal());
  EXPECT_FALSE(timer_period{1}.refusal());
  EXPECT_EQ(timer_period{1'000'000}.refusal(), "the system grants no timer period of 1000000 ms");
}

TEST(Text, OfAnyLanguageIsKept) {
  const std::string name = "Gr\u00f6\u00dfe \u03b1 \U0001f600";
  EXPECT_EQ(windows::utf8(windows::wide(name)), name);
  EXPECT_EQ(windows::utf8(L""), "");
  EXPECT_FALSE(windows::refusal(ERROR_FILE_NOT_FOUND).empty());
}

TEST(Asleep, NobodyIsWaitedForThatIsNotSeen) {
  const thread_watch self{this_thread_number()};
  if (tells_who_sleeps()) {
    ASSERT_TRUE(self.look());
    EXPECT_FALSE(self.look()->asleep) << "this thread runs";
  } else {
    EXPECT_FALSE(self.look());
    measure::until_asleep(self);  // comes back
  }
  EXPECT_FALSE(thread_numbers().empty());
}

TEST(Files, OfAnyNameAreWrittenReadAndKept) {
  const results::temporary_folder folder;
  const std::string path = folder.file("L\u00e4nge und Gr\u00f6\u00dfe.json");
  results::destination{path}.write("one", results::previous::replaced);
  EXPECT_EQ(results::read_file_if_there(path), "one");
  const auto kept = results::destination{path}.write("two", results::previous::kept);
  EXPECT_EQ(kept, path + ".1");
  EXPECT_EQ(results::read_file_if_there(path + ".1"), "one");
  EXPECT_EQ(results::read_file_if_there(path), "two");
  EXPECT_FALSE(results::read_file_if_there(folder.file("none")));
  EXPECT_THROW(results::check_replaceable(folder.file(".")), std::runtime_error) << "a folder is no file";
  EXPECT_THROW(results::check_replaceable(folder.file("none/x.json")), std::runtime_error);
}

}  // namespace
}  // namespace synchro::platform
