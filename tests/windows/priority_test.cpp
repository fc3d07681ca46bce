// That no measurement leaves this process or its threads at another priority, or on other processors, than it found.

#include <gtest/gtest.h>
#include <pthread.h>  // pthread_gethandle
#include <windows.h>

#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "experiments/overhead/call_process.hpp"
#include "experiments/overhead/flows.hpp"
#include "experiments/overhead/overhead.hpp"
#include "experiments/wakes/host_run.hpp"
#include "platform/scheduling.hpp"
#include "platform/topology.hpp"
#include "platform/windows/raised_process.hpp"
#include "platform/windows/system.hpp"

namespace synchro::experiments {
namespace {

DWORD own_class() { return GetPriorityClass(GetCurrentProcess()); }

int priority_of_a_new_thread() {
  int priority = THREAD_PRIORITY_ERROR_RETURN;
  std::thread{[&] { priority = GetThreadPriority(GetCurrentThread()); }}.join();
  return priority;
}

DWORD_PTR own_processors() {
  DWORD_PTR own = 0, all = 0;
  GetProcessAffinityMask(GetCurrentProcess(), &own, &all);
  return own;
}

setting on_this_machine() {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  return s;
}

/// Whatever was measured before, later cells that are labelled default run so.
class AfterACell : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(own_class(), DWORD{NORMAL_PRIORITY_CLASS});
    ASSERT_EQ(GetThreadPriority(GetCurrentThread()), THREAD_PRIORITY_NORMAL);
  }
  void TearDown() override {
    EXPECT_EQ(own_class(), DWORD{NORMAL_PRIORITY_CLASS});
    EXPECT_EQ(GetThreadPriority(GetCurrentThread()), THREAD_PRIORITY_NORMAL);
    EXPECT_EQ(priority_of_a_new_thread(), THREAD_PRIORITY_NORMAL);
    EXPECT_EQ(own_processors(), before_);
    SetPriorityClass(GetCurrentProcess(), NORMAL_PRIORITY_CLASS);  // what fails here is not to fail in the next one
  }

  const DWORD_PTR before_ = own_processors();
};

TEST_F(AfterACell, OfHighestPriorityEverythingIsAsItWas) {
  wakes::wake_task task;
  task.sleepers = 2;
  task.triggers = 3;
  task.priority = wakes::urgency::highest;
  EXPECT_EQ(wakes::run_on_host(find_wake("win32/event"), task).rounds.size(), 3U);
}

TEST_F(AfterACell, OfCallsEverythingIsAsItWas) {
  const experiment e = overhead_calls();
  for (const char* call : {"WaitForSingleObject", "WaitForMultipleObjects"}) {
    const repetition r = e.measure(on_this_machine(), {{"call", call}, {"primitive", "win32/thread"}}, 1);
    EXPECT_EQ(r.broken, std::nullopt);
    EXPECT_EQ(r.observations.size(), 1U);
  }
}

TEST_F(AfterACell, NoOtherThreadWasRaisedWithOne) {
  for (const auto how : {platform::urgency::raised, platform::urgency::highest}) {
    const platform::raised_priority raised{how};
    EXPECT_EQ(GetThreadPriority(GetCurrentThread()),
              how == platform::urgency::raised ? THREAD_PRIORITY_HIGHEST : THREAD_PRIORITY_TIME_CRITICAL);
    EXPECT_EQ(own_class(), DWORD{NORMAL_PRIORITY_CLASS});
    EXPECT_EQ(priority_of_a_new_thread(), THREAD_PRIORITY_NORMAL);
    EXPECT_EQ(raised.outcome().warning.has_value(), how == platform::urgency::highest) << "it is not real-time";
  }
}

TEST_F(AfterACell, WhatAProcessIsAllowedWasGivenBack) {
  const auto at_most = platform::highest_priority_allowed();
  EXPECT_NE(at_most.granted.find(":time_critical"), std::string::npos) << at_most.granted;
  EXPECT_EQ(at_most.warning.has_value(), !at_most.granted.starts_with("realtime")) << at_most.granted;
  const unsigned cpu = on_this_machine().machine.processors.front().cpu;
  const platform::windows::raised_process process{cpu};
  EXPECT_NE(own_class(), DWORD{NORMAL_PRIORITY_CLASS});
  EXPECT_EQ(own_processors(), DWORD_PTR{1} << cpu);
}

/// While a call is measured this process is looked at all the time.
TEST_F(AfterACell, OfCallsOnlyAnotherProcessWasAtTheHighestPriority) {
  std::atomic<bool> over{false};
  std::atomic<unsigned> raised{0};
  std::thread looking{[&] {
    for (; !over; Sleep(1)) raised += own_class() != NORMAL_PRIORITY_CLASS || own_processors() != before_ ? 1 : 0;
  }};
  const auto* const row = overhead::find_row("WaitForMultipleObjects", "win32/thread");
  const auto seen = overhead::measure_alone(*row, {on_this_machine().machine.processors.front().cpu, 3});
  over = true;
  looking.join();
  EXPECT_EQ(raised, 0U);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->ns.size(), 3U);
  EXPECT_EQ(seen->broken, std::nullopt);
  EXPECT_EQ(seen->team.priority.granted, platform::highest_priority_allowed().granted);
  EXPECT_EQ(seen->team.priority.warning, platform::highest_priority_allowed().warning);
}

/// What a thread has of the scheduler.
struct standing {
  int priority = 0;
  DWORD_PTR processors = 0;
  bool operator==(const standing&) const = default;
};

/// Notes what the threads of a flow have of priority and processors.
struct noting_waiter {
  static inline std::vector<standing> waited_for;
  static inline standing leader;

  static standing of(HANDLE thread) {
    GROUP_AFFINITY affinity{};
    const int priority = GetThreadPriority(thread);
    GetThreadGroupAffinity(thread, &affinity);
    return {priority, affinity.Mask};
  }

  explicit noting_waiter(unsigned) {}
  void begin(unsigned) {}
  /// Looks at those that it waits for before it does, at the last one first.
  static void await(std::vector<std::thread>& threads, std::uint64_t& stamp) {
    for (auto t = threads.rbegin(); t != threads.rend(); ++t)
      waited_for.push_back(of(pthread_gethandle(t->native_handle())));
    leader = of(GetCurrentThread());
    for (std::thread& t : threads) t.join();
    stamp = measure::host::now();
  }
};

/// Else the one that waits for them by giving way, to equals alone, would keep them from their processor.
TEST_F(AfterACell, ThreadsThatAFlowMadeHadItsPriorityAndItsProcessor) {
  constexpr unsigned rounds = 10;
  const unsigned cpu = on_this_machine().machine.processors.front().cpu;
  const auto seen = overhead::ending<noting_waiter>({cpu, rounds, true}, overhead::crowd_size);
  ASSERT_EQ(seen.ns.size(), rounds);
  EXPECT_EQ(noting_waiter::leader.priority, THREAD_PRIORITY_TIME_CRITICAL);
  EXPECT_EQ(noting_waiter::leader.processors, DWORD_PTR{1} << cpu % 64);
  EXPECT_EQ(noting_waiter::waited_for.size(), rounds * overhead::crowd_size);
  for (const auto& thread : noting_waiter::waited_for) {
    EXPECT_EQ(thread.priority, noting_waiter::leader.priority);
    EXPECT_EQ(thread.processors, noting_waiter::leader.processors);
  }
}

TEST_F(AfterACell, FlowsOfAProcessWithOneProcessorComeToAnEnd) {
  const unsigned cpu = on_this_machine().machine.processors.front().cpu;
  ASSERT_NE(SetProcessAffinityMask(GetCurrentProcess(), DWORD_PTR{1} << cpu % 64), 0);
  for (const auto& row : overhead::call_rows())
    if (!row.unavailable()) {
      EXPECT_FALSE(row.measure({cpu, 3, true}).ns.empty()) << row.call << " " << row.primitive;
    }
  SetProcessAffinityMask(GetCurrentProcess(), before_);
}

TEST(OtherProcess, OfThisProgramFailsInASentence) {
  try {
    static_cast<void>(
        platform::windows::run_this_program("measure-one-call", R"({"call":"no","primitive":"such"})", 60));
    ADD_FAILURE() << "there is no such call";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "a process of this program failed: there is no call no by such");
  }
}

TEST(OtherProcess, OfThisProgramThatStaysIsEnded) {
  EXPECT_THROW(static_cast<void>(platform::windows::run_this_program("stay", "", 0.5)), std::runtime_error);
}

constexpr const wchar_t* mark_of_who_stays = L"synchroscope-test-stays";

bool somebody_stays() {
  HANDLE const mark = OpenMutexW(SYNCHRONIZE, FALSE, mark_of_who_stays);
  if (mark != nullptr) CloseHandle(mark);
  return mark != nullptr;
}

/// Else one that is real-time and stuck would keep its processor when the program was ended that waits for it.
TEST(OtherProcess, OfThisProgramEndsWithTheOneThatStartedIt) {
  constexpr int tries = 6000;
  wchar_t own[4096];
  ASSERT_LT(GetModuleFileNameW(nullptr, own, 4096), 4096U);
  std::wstring line = L"\"" + std::wstring{own} + L"\" start-one-that-stays";
  STARTUPINFOW how{};
  how.cb = sizeof how;
  PROCESS_INFORMATION starter{};
  ASSERT_NE(CreateProcessW(nullptr, line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &how, &starter), 0);
  for (int i = 0; i != tries && !somebody_stays(); ++i) Sleep(10);
  EXPECT_TRUE(somebody_stays());
  TerminateProcess(starter.hProcess, 1);
  for (int i = 0; i != tries && somebody_stays(); ++i) Sleep(10);
  EXPECT_FALSE(somebody_stays());
  CloseHandle(starter.hThread);
  CloseHandle(starter.hProcess);
}

/// Sets the console's code page, runs a program with one word in the console, and tells the page before and after.
int run_between_code_pages(const char* page, const std::string& program, const std::string& word) {
  SetConsoleOutputCP(static_cast<UINT>(std::stoul(page)));
  std::printf("code page %u\n", GetConsoleOutputCP());
  std::fflush(stdout);
  std::wstring line = platform::windows::wide("\"" + program + "\" " + word);
  STARTUPINFOW how{};
  how.cb = sizeof how;
  PROCESS_INFORMATION started{};
  if (CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &how, &started) == 0) return 1;
  WaitForSingleObject(started.hProcess, INFINITE);
  std::printf("code page %u\n", GetConsoleOutputCP());
  return 0;
}

}  // namespace
}  // namespace synchro::experiments

/// This program, too, is started to measure a call; and to stay, and to look at the console.
int main(int argc, char** argv) {
  if (const auto status = synchro::experiments::measured_for_another_process(argc, argv)) return *status;
  if (argc == 2 && std::string{argv[1]} == "stay") {
    CreateMutexW(nullptr, FALSE, synchro::experiments::mark_of_who_stays);
    Sleep(INFINITE);
  }
  if (argc == 2 && std::string{argv[1]} == "start-one-that-stays")
    static_cast<void>(synchro::platform::windows::run_this_program("stay", "", 600));
  if (argc == 5 && std::string{argv[1]} == "code-page")
    return synchro::experiments::run_between_code_pages(argv[2], argv[3], argv[4]);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
