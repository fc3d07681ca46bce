// Every wake primitive of Windows: each sleeper sees what was written before its trigger, and none is left asleep. What
// this system lacks says so, and is not tried.

#include <gtest/gtest.h>
#include <windows.h>

#include <atomic>
#include <utility>

#include "peers/wakes/win32.hpp"
#include "peers/wakes/win32_spins.hpp"
#include "wakes/behaviour.hpp"

namespace synchro::peers {
namespace {

template <class P>
class win32_wake : public testing::Test {
 protected:
  void SetUp() override {
    if constexpr (requires { P::unavailable(); })
      if (const auto why = P::unavailable()) GTEST_SKIP() << *why;
  }
};

using all_wakes =
    testing::Types<win32_semaphore, win32_semaphore_each, win32_event, win32_event_each, win32_wait_multiple,
                   win32_condition_cs, win32_condition_cs_spin, win32_condition_srw, win32_critical_section_flag,
                   win32_critical_section_flag_spin, win32_mutex_flag, win32_srw_flag, win32_barrier,
                   win32_wait_on_address, win32_wait_on_address_each, win32_apc, win32_keyed_event,
                   win32_completion_port, spin_switch_to_thread, spin_sleep_zero>;
TYPED_TEST_SUITE(win32_wake, all_wakes);

TYPED_TEST(win32_wake, wakes_all_in_every_round) {
  for (const unsigned sleepers : {1U, 5U}) tests::rounds_of<TypeParam>(sleepers, 50);
}

std::atomic<int> switches{0};
BOOL WINAPI counted_switch() {
  ++switches;
  return FALSE;
}

/// Puts another function in the place of one that this program calls in a library of the system.
class called_instead {
 public:
  called_instead(const char* name, FARPROC function) {
    auto* const program = reinterpret_cast<unsigned char*>(GetModuleHandleW(nullptr));
    const auto* const head = reinterpret_cast<const IMAGE_NT_HEADERS*>(
        program + reinterpret_cast<const IMAGE_DOS_HEADER*>(program)->e_lfanew);
    const auto& table = head->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    const auto* library = reinterpret_cast<const IMAGE_IMPORT_DESCRIPTOR*>(program + table.VirtualAddress);
    FARPROC const original = GetProcAddress(GetModuleHandleW(L"kernel32.dll"), name);
    for (; library->FirstThunk != 0; ++library)
      for (auto* call = reinterpret_cast<FARPROC*>(program + library->FirstThunk); *call != nullptr; ++call)
        if (*call == original) put(call, function);
  }
  ~called_instead() {
    if (place_ != nullptr) put(place_, before_);
  }
  called_instead(const called_instead&) = delete;
  called_instead& operator=(const called_instead&) = delete;
  [[nodiscard]] bool done() const { return place_ != nullptr; }

 private:
  void put(FARPROC* call, FARPROC function) {
    DWORD rights = 0;
    VirtualProtect(call, sizeof *call, PAGE_READWRITE, &rights);
    place_ = call;
    before_ = std::exchange(*call, function);
    VirtualProtect(call, sizeof *call, rights, &rights);
  }
  FARPROC* place_ = nullptr;
  FARPROC before_ = nullptr;
};

/// As the article's and Microsoft's own std::this_thread::yield; GCC's is Sleep(0).
TEST(spin_yield, gives_way_by_switch_to_thread) {
  const called_instead counting{"SwitchToThread", reinterpret_cast<FARPROC>(reinterpret_cast<void*>(counted_switch))};
  ASSERT_TRUE(counting.done());
  const detail::word flag{0};
  detail::by_yield::until_next_look(flag, 0);
  EXPECT_EQ(switches, 1);
}

template <class P>
struct by_each {
  P one{3};
  void wait(unsigned i) { one.wait(i); }
  void trigger() { one.trigger_each(); }
};

template <class P>
void by_a_call_for_each() {
  by_each<P> wake;
  tests::rounds_with(wake, 3, 50);
}

TEST(win32_calls, one_for_each_sleeper_wake_as_well) {
  by_a_call_for_each<win32_semaphore>();
  by_a_call_for_each<win32_condition_cs>();
  by_a_call_for_each<win32_condition_srw>();
  by_a_call_for_each<win32_wait_on_address>();
}

TEST(win32_groups, wake_all_whatever_their_size) {
  for (const unsigned group : {1U, 2U, 5U, 7U}) {
    split<win32_event> events{11, group};
    tests::rounds_with(events, 11, 20);
  }
}

TEST(win32_refusals, are_thrown_with_the_name_of_the_call) {
  try {
    win32::demand(CloseHandle(nullptr), "CloseHandle");
    FAIL() << "a handle that is none was closed";
  } catch (const std::system_error& e) {
    EXPECT_NE(std::string{e.what()}.find("CloseHandle"), std::string::npos);
  }
}

/// The kernel's own interface leaves whatever error was there before.
TEST(win32_refusals, have_the_words_of_a_status) {
  constexpr LONG invalid_handle = static_cast<LONG>(0xC000'0008);
  SetLastError(ERROR_FILE_NOT_FOUND);
  try {
    win32::demand_status(invalid_handle, "NtReleaseKeyedEvent");
    FAIL() << "the status is an error's";
  } catch (const std::system_error& e) {
    EXPECT_EQ(e.code().value(), ERROR_INVALID_HANDLE);
  }
  EXPECT_NO_THROW(win32::demand_status(0, "NtReleaseKeyedEvent"));
}

}  // namespace
}  // namespace synchro::peers
