// What the instrument asks of Windows alone: trying a call that is not there, the timer's period, text, files of any name.

#include "platform/windows/system.hpp"

#include <gtest/gtest.h>
#include <windows.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "measure/asleep.hpp"
#include "peers/win32.hpp"
#include "platform/child_process.hpp"
#include "platform/executable.hpp"
#include "platform/scheduling.hpp"
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

TEST(Timer, EndsASleepOfATenthOfAStep) {
  sleep_about(1e6);  // comes back
  EXPECT_GT(oversleep_ns(), 0);
}

TEST(ProcessorTime, GrowsAndHasKnownSteps) {
  const auto before = own_usage().cpu_time_ns;
  ASSERT_TRUE(before);
  const double step = cpu_time_step_ns();
  EXPECT_TRUE(step == 0 || step == windows::clock_step_ns()) << step;
  while (*own_usage().cpu_time_ns == *before) {
  }
  EXPECT_FALSE(own_usage().involuntary_switches);
}

TEST(Emulation, IsNamed) {
  constexpr std::uint16_t x86_64 = 0x8664, arm64 = 0xaa64;
  EXPECT_FALSE(windows::emulator(x86_64, x86_64));
  EXPECT_FALSE(windows::emulator(x86_64, 0)) << "not told";
  EXPECT_EQ(windows::emulator(x86_64, arm64), "the emulator of x86-64 on ARM");
  EXPECT_FALSE(windows::emulator()) << "here";
}

TEST(Virtualization, IsThatOfAGuest) {
  EXPECT_EQ(windows::virtualization("Microsoft Hv", false), "hyperv");
  EXPECT_EQ(windows::virtualization("Microsoft Hv", true), "none") << "the system that hosts it has the machine itself";
  EXPECT_EQ(windows::virtualization("", false), "none");
  EXPECT_EQ(windows::virtualization("Another", false), "Another");
  EXPECT_EQ(windows::virtualization(std::nullopt, false), std::nullopt);
}

TEST(Power, ThrottlingIsForbiddenOrSaidNotToBe) {
  const std::string said = windows::forbid_power_throttling();
  EXPECT_TRUE(said == "off" || said == "off, but for timers" || said == "as the system decides") << said;
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

TEST(Text, OfTheEnvironmentIsKept) {
  SetEnvironmentVariableW(L"SYNCHROSCOPE_TEST", L"Gr\u00f6\u00dfe \u03b1");
  EXPECT_EQ(environment_variable("SYNCHROSCOPE_TEST"), "Gr\u00f6\u00dfe \u03b1");
  SetEnvironmentVariableW(L"SYNCHROSCOPE_TEST", L"");
  EXPECT_EQ(environment_variable("SYNCHROSCOPE_TEST"), "");
  SetEnvironmentVariableW(L"SYNCHROSCOPE_TEST", nullptr);
  EXPECT_FALSE(environment_variable("SYNCHROSCOPE_TEST"));
}

TEST(Text, OfARefusalNamesTheCall) {
  SetLastError(ERROR_ACCESS_DENIED);
  try {
    peers::win32::demand(false, "CreateEvent");
    ADD_FAILURE() << "it was refused";
  } catch (const std::system_error& e) {
    EXPECT_EQ(e.what(), "CreateEvent: " + windows::refusal(ERROR_ACCESS_DENIED));
    EXPECT_EQ(e.code().value(), ERROR_ACCESS_DENIED);
  }
}

/// Holds a file so that nobody else may touch it.
class holder {
 public:
  explicit holder(const std::string& path)
      : file_{CreateFileW(windows::wide(path).c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr)} {}
  ~holder() { let_go(); }
  holder(const holder&) = delete;
  holder& operator=(const holder&) = delete;
  [[nodiscard]] bool holds() const { return file_ != INVALID_HANDLE_VALUE; }
  void let_go() {
    if (holds()) CloseHandle(file_);
    file_ = INVALID_HANDLE_VALUE;
  }

 private:
  HANDLE file_;
};

/// As a scanner for viruses does with a file that has just been written.
TEST(Files, ThatAreHeldForAMomentAreReplacedAfterIt) {
  const results::temporary_folder folder;
  const std::string path = folder.file("held.json");
  results::replace_file(path, "one", results::previous::replaced);
  holder held{path};
  ASSERT_TRUE(held.holds());
  std::thread lets_go{[&] {
    Sleep(100);
    held.let_go();
  }};
  EXPECT_NO_THROW(results::replace_file(path, "two", results::previous::replaced));
  lets_go.join();
  EXPECT_EQ(results::read_file_if_there(path), "two");
}

TEST(Files, ThatStayHeldAreNamedWithWhereTheNewContentIs) {
  const results::temporary_folder folder;
  const std::string path = folder.file("held.json");
  results::replace_file(path, "one", results::previous::replaced);
  holder held{path};
  ASSERT_TRUE(held.holds());
  try {
    results::replace_file(path, "two", results::previous::replaced);
    ADD_FAILURE() << "it is held";
  } catch (const std::runtime_error& e) {
    const std::string said = e.what(), before = "what was to be written is in ";
    EXPECT_NE(said.find("cannot be replaced: "), std::string::npos) << said;
    EXPECT_NE(said.find("another program has it open"), std::string::npos) << said;
    ASSERT_NE(said.find(before), std::string::npos) << said;
    EXPECT_EQ(results::read_file_if_there(said.substr(said.find(before) + before.size())), "two");
  }
  held.let_go();
  EXPECT_EQ(results::read_file_if_there(path), "one");
}

TEST(Files, OfTheNamesOfDevicesAreRefused) {
  const results::temporary_folder folder;
  for (const char* name :
       {"aux", "prn.json", "CON.json", "nul .json", "com1", "LPT9.tar.gz", "com\u00b9.json", "conout$"}) {
    const std::string path = folder.file(name);
    EXPECT_THROW(results::check_replaceable(path), std::runtime_error) << name;
    EXPECT_THROW(static_cast<void>(results::read_file_if_there(path)), std::runtime_error) << name;
  }
  for (const char* name : {"auxiliary.json", "com10.json", "com.json", "console.json", "my.aux"})
    EXPECT_NO_THROW(results::check_replaceable(folder.file(name))) << name;
  EXPECT_TRUE(results::is_special("nul"));
  EXPECT_TRUE(results::is_special("NUL")) << "as /dev/null elsewhere";
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
