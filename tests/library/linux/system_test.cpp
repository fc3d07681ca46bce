// What only this system does to who sleeps.

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "library/linux/interrupt.hpp"
#include "synchro/hardware.hpp"
#include "synchro/waiting.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;
using word = hardware::atomic<std::uint32_t>;

/// On each processor that this process may use, by a thread that stays there.
TEST(current_cpu, is_the_processor_that_the_thread_runs_on) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  unsigned known_without_a_call = 0, seen = 0;
  for (unsigned cpu = 0; cpu != CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    std::thread{[&] {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
      EXPECT_EQ(os::current_cpu(), cpu);
      const int kept = os::detail::cpu_by_rseq();
      EXPECT_TRUE(kept < 0 || kept == static_cast<int>(cpu)) << kept;
      ++seen;
      if (kept >= 0) ++known_without_a_call;
    }}.join();
  }
  EXPECT_GE(seen, 1U);
  EXPECT_TRUE(known_without_a_call == 0 || known_without_a_call == seen);  // an emulator has no such sequences
}

TEST(park, unpark_of_memory_that_is_gone_is_harmless) {
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  munmap(page, 4096);
  hardware::unpark(static_cast<const word*>(page), 1);
  hardware::unpark(nullptr, 1);
}

/// A signal whose handler does not restart system calls ends the sleep early; park says "not the deadline".
TEST(park, a_signal_is_no_deadline) {
  word w{0};
  std::atomic<bool> returned{false};
  std::atomic<bool> said_deadline{false};
  interruptible sleeper{[&] {
    said_deadline = hardware::park(w, 0, hardware::clock::now() + 1h);
    returned = true;
  }};
  while (!returned) sleeper.interrupt();
  EXPECT_FALSE(said_deadline);
}

/// Waiters that are interrupted again and again, and woken for no reason, still wait for what they wait for.
TEST(spin_park, survives_signals_and_spurious_wake_ups) {
  word w{0};
  std::atomic<bool> returned{false};
  std::uint32_t got = 0;
  interruptible waiter{[&] {
    got = spin_park::wait<hardware>(w, 0);
    returned = true;
  }};
  for (int i = 0; i != 200; ++i) {
    waiter.interrupt();
    hardware::unpark(&w, 1);
    std::this_thread::yield();
    EXPECT_FALSE(returned);
  }
  spin_park::hand_over<hardware>(w, 5, memory_order::release);
  while (!returned) std::this_thread::yield();
  EXPECT_EQ(got, 5U);
}

/// As the kernel takes it, whatever the C library's time is.
TEST(kernel_time, is_of_the_width_that_is_asked_for) {
  using namespace std::chrono;
  constexpr hardware::deadline late{seconds{5'000'000'000} + nanoseconds{7}};
  constexpr auto wide = os::detail::kernel_time_of<std::int64_t>(late);
  static_assert(sizeof wide == 16 && wide.seconds == 5'000'000'000 && wide.nanoseconds == 7);
  constexpr auto narrow = os::detail::kernel_time_of<std::int32_t>(late);
  static_assert(sizeof narrow == 8 && narrow.seconds == 0x7fff'ffff, "the latest moment, not one of the past");
  constexpr auto before = os::detail::kernel_time_of<std::int64_t>(hardware::deadline{-1h});
  static_assert(before.seconds == 0 && before.nanoseconds == 0);
  static_assert(sizeof(long) == 4 ? os::detail::futex_time64 != -1 : os::detail::futex != -1);
}

}  // namespace
}  // namespace synchro::tests
