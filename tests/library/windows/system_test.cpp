// What only this system has: its own way to sleep before Windows 8, objects of a thread, calls at its end.

#include <gtest/gtest.h>
#include <windows.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "synchro/domains.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/os.hpp"
#include "synchro/waiting.hpp"
#include "windows/described_machine.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;
using word = hardware::atomic<std::uint32_t>;

TEST(park, unpark_of_memory_that_is_gone_is_harmless) {
  void* const page = VirtualAlloc(nullptr, 4096, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  ASSERT_NE(page, nullptr);
  VirtualFree(page, 0, MEM_RELEASE);
  hardware::unpark(static_cast<const word*>(page), 1);
  hardware::unpark(static_cast<const word*>(page), 100);
  hardware::unpark(nullptr, 1);
}

TEST(park, is_by_address_where_the_system_offers_it) { EXPECT_NE(os::detail::system_address_calls().wait, nullptr); }

TEST(park, a_call_that_this_windows_lacks_is_no_call) {
  EXPECT_EQ(os::detail::system_function<void()>("kernelbase.dll", "NoSuchCall"), nullptr);
  EXPECT_EQ(os::detail::system_function<void()>("nosuchlibrary.dll", "WaitOnAddress"), nullptr);
}

TEST(park, takes_time_in_whole_milliseconds_and_never_less) {
  using os::detail::milliseconds_until;
  const auto now = hardware::clock::now();
  EXPECT_EQ(milliseconds_until(now - 1h), 0U);
  EXPECT_EQ(milliseconds_until(hardware::never), INFINITE);
  EXPECT_EQ(milliseconds_until(now + 24h * 365), INFINITE - 1) << "what the system cannot count is cut";
  EXPECT_GT(milliseconds_until(now + 1h), 0U);
}

TEST(domains, a_cache_may_have_more_processors_than_a_group) {
  const auto described = of_192_processors().bytes;
  auto records = std::make_unique<std::byte[]>(described.size());
  std::copy(described.begin(), described.end(), records.get());
  const os::detail::cache_list caches{std::move(records), described.size()};
  for (const unsigned cpu : {0U, 63U, 64U, 127U}) EXPECT_EQ(caches.lowest_sibling(cpu), 0U) << cpu;
  for (const unsigned cpu : {128U, 191U}) EXPECT_EQ(caches.lowest_sibling(cpu), 128U) << cpu;
  EXPECT_EQ(caches.lowest_sibling(192), os::detail::unknown);
}

TEST(park, leaves_the_last_error_of_its_caller) {
  const word w{0};
  SetLastError(4711);
  hardware::park(w, 0, hardware::clock::now() + 1ms);
  hardware::unpark(&w, 1);
  EXPECT_EQ(GetLastError(), 4711U);
  mcs_lock lock;
  lock.lock();
  lock.unlock();
  EXPECT_EQ(GetLastError(), 4711U);
}

/// Two words handed back and forth; a lost wake-up hangs.
TEST(parking_lot, loses_no_wake_up) {
  os::detail::parking_lot lot;
  word words[2]{};
  constexpr std::uint32_t rounds = 2000;
  const auto await = [&](word& w, std::uint32_t round) {
    for (std::uint32_t seen = w.load(memory_order::acquire); seen != round; seen = w.load(memory_order::acquire))
      lot.park(&w, seen, INFINITE);
  };
  const auto hand_over = [&](word& w, std::uint32_t round) {
    w.store(round, memory_order::release);
    lot.unpark(&w);
  };
  std::thread other{[&] {
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      await(words[0], round);
      hand_over(words[1], round);
    }
  }};
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    hand_over(words[0], round);
    await(words[1], round);
  }
  other.join();
  SUCCEED() << "a lost wake-up would hang";
}

TEST(parking_lot, returns_when_the_word_holds_something_else_and_when_the_time_is_over) {
  os::detail::parking_lot lot;
  const word w{1};
  lot.park(&w, 0, INFINITE);
  lot.park(&w, 1, 1);
  SUCCEED() << "who does not return would hang";
}

std::atomic<int> calls{0};
std::atomic<int> last_value{0};
void note_end(void* p) {
  ++calls;
  last_value = *static_cast<int*>(p);
}

TEST(thread_end, comes_before_what_belongs_to_the_thread_is_gone) {
  calls = 0;
  std::thread{[] {
    int& mine = os::own<int>();
    mine = 42;
    os::thread_exit_hook<note_end>{}.arm(&mine);
    os::thread_exit_hook<note_end>{}.arm(&mine);
  }}.join();
  EXPECT_EQ(calls, 1) << "one call for each function";
  EXPECT_EQ(last_value, 42);
}

struct arms_at_its_own_end {
  ~arms_at_its_own_end() {
    os::own<int>() = 43;
    os::thread_exit_hook<note_end>{}.arm(&os::own<int>());
  }
};

TEST(thread_end, comes_after_the_destructors) {
  calls = 0;
  std::thread{[] {
    thread_local arms_at_its_own_end last;
    static_cast<void>(&last);
  }}.join();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(last_value, 43);
}

void arms_anew(void* p) {
  if (++calls < 3) os::thread_exit_hook<arms_anew>{}.arm(p);
}

TEST(thread_end, calls_again_what_its_calls_have_armed) {
  calls = 0;
  std::thread{[] { os::thread_exit_hook<arms_anew>{}.arm(&calls); }}.join();
  EXPECT_EQ(calls, 3);
}

TEST(thread_end, every_thread_has_its_own) {
  os::own<int>() = 1;
  std::thread{[] { EXPECT_EQ(os::own<int>(), 0); }}.join();
  EXPECT_EQ(os::own<int>(), 1);
}

TEST(affinity, names_the_processors_that_the_system_names) {
  DWORD_PTR process = 0, system = 0;
  ASSERT_NE(GetProcessAffinityMask(GetCurrentProcess(), &process, &system), 0);
  const std::vector<unsigned> cpus = os::allowed_cpus();
  for (unsigned cpu = 0; cpu < 64; ++cpu)
    EXPECT_EQ(std::find(cpus.begin(), cpus.end(), cpu) != cpus.end(), (process >> cpu & 1) != 0) << cpu;
}

TEST(affinity, of_a_pinned_thread_is_one_processor) {
  const unsigned last = os::allowed_cpus().back();
  std::thread{[last] {
    GROUP_AFFINITY wanted{};
    wanted.Group = static_cast<WORD>(last / 64);
    wanted.Mask = KAFFINITY{1} << last % 64;
    ASSERT_NE(SetThreadGroupAffinity(GetCurrentThread(), &wanted, nullptr), 0);
    EXPECT_EQ(os::allowed_cpus(), std::vector<unsigned>{last});
  }}.join();
}

}  // namespace
}  // namespace synchro::tests
