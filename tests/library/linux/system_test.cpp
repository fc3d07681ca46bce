// What only this system does to who sleeps.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "library/failing_new.hpp"
#include "library/linux/interrupt.hpp"
#include "synchro/domains.hpp"
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

/// The same where the C library is told to register no such sequences.
TEST(current_cpu, is_asked_of_the_system_where_it_is_not_in_memory) {
  const std::string me = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = "GLIBC_TUNABLES=glibc.pthread.rseq=0 '" + me +
                              "' --gtest_filter=current_cpu.is_the_processor_that_the_thread_runs_on > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

std::vector<unsigned> allowed_by_the_system() {
  cpu_set_t allowed;
  EXPECT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  std::vector<unsigned> found;
  for (unsigned cpu = 0; cpu != CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) found.push_back(cpu);
  return found;
}

void expect_what_the_system_allows() {
  const std::vector<unsigned> allowed = allowed_by_the_system();
  EXPECT_EQ(os::allowed_cpus(), allowed);
  const os::detail::affinity all;
  EXPECT_EQ(all.end(), allowed.back() + 1);
  for (unsigned cpu = 0; cpu != CPU_SETSIZE; ++cpu)
    EXPECT_EQ(all.has(cpu), std::find(allowed.begin(), allowed.end(), cpu) != allowed.end());
  EXPECT_EQ(hardware::here().threads(), allowed.size());
}

TEST(affinity, is_that_of_the_thread) {
  expect_what_the_system_allows();
  for (const unsigned cpu : allowed_by_the_system())
    std::thread{[&] {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
      expect_what_the_system_allows();
    }}.join();
}

/// The lowest processor with which this one shares its outermost cache, as the system's files say.
unsigned lowest_by_files(unsigned cpu) {
  unsigned lowest = os::detail::unknown;
  for (unsigned index = 0;; ++index) {
    std::ifstream file{"/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index) +
                       "/shared_cpu_list"};
    if (!file) return lowest;
    if (!(file >> lowest)) lowest = os::detail::unknown;
  }
}

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, std::filesystem::directory_iterator{});
}

TEST(domains, are_those_of_the_outermost_caches) {
  const std::vector<unsigned> allowed = allowed_by_the_system();
  const auto files = open_files();
  for (const unsigned cpu : allowed) EXPECT_EQ(os::detail::lowest_sibling(cpu), lowest_by_files(cpu));
  EXPECT_EQ(os::detail::lowest_sibling(os::detail::unknown), os::detail::unknown) << "there is no such processor";
  EXPECT_EQ(open_files(), files);
  for (const unsigned one : allowed)
    for (const unsigned other : allowed) {
      const unsigned lowest = lowest_by_files(one);
      if (lowest == os::detail::unknown) continue;
      EXPECT_EQ(os::domain_of(one) == os::domain_of(other), lowest == lowest_by_files(other)) << one << ' ' << other;
    }
  const auto* const table = os::detail::known_domains.load();
  ASSERT_NE(table, nullptr);
  EXPECT_GT(table->count, allowed.back());
  EXPECT_EQ(os::domain_of(table->count), 0U);
  EXPECT_EQ(os::domain_of(1U << 30), 0U);
}

/// Whichever of its tables it is that there is no memory for.
TEST(domains, are_not_published_without_memory) {
  hardware::domain();  // so that there is a table already
  static thread_local int succeed;
  before_allocation = [] { allocations_left = succeed-- == 0 ? 0 : -1; };
  const void* published[4];
  for (int nth = 0; nth != 4; ++nth) {
    succeed = nth;
    published[nth] = os::detail::publish_domains(
        2, [](unsigned) { return true; }, [](unsigned) { return 0U; });
  }
  before_allocation = nullptr;
  allocations_left = -1;
  for (int nth = 0; nth != 3; ++nth) EXPECT_EQ(published[nth], nullptr) << nth;
  EXPECT_NE(published[3], nullptr);
}

struct segment {
  std::uintptr_t begin;
  std::size_t bytes;
  std::string of;
};

std::vector<segment> loaded_segments() {
  std::vector<segment> found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        for (unsigned i = 0; i != object->dlpi_phnum; ++i) {
          const auto& part = object->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          static_cast<std::vector<segment>*>(to)->push_back(
              {object->dlpi_addr + part.p_vaddr, part.p_memsz, object->dlpi_name});
        }
        return 0;
      },
      &found);
  return found;
}

/// From its first byte to its last.
TEST(loaded_object, is_found_by_what_lies_in_it) {
  const auto found = [](std::uintptr_t at) {
    os::detail::loaded_object wanted{at, "none"};
    const bool is_one = dl_iterate_phdr(os::detail::is_object, &wanted) != 0;
    EXPECT_EQ(is_one, std::string{wanted.name} != "none");
    return std::string{wanted.name};
  };
  const std::vector<segment> all = loaded_segments();
  const auto anywhere = [&](std::uintptr_t at) {
    return std::any_of(all.begin(), all.end(), [&](const segment& s) { return at - s.begin < s.bytes; });
  };
  EXPECT_GT(all.size(), 1U);
  for (const segment& one : all) {
    EXPECT_EQ(found(one.begin), one.of);
    EXPECT_EQ(found(one.begin + one.bytes - 1), one.of);
    const std::uintptr_t behind = one.begin + one.bytes;
    EXPECT_TRUE(anywhere(behind) || found(behind) == "none");
  }
  const auto on_the_heap = std::make_unique<int>();
  EXPECT_EQ(found(reinterpret_cast<std::uintptr_t>(on_the_heap.get())), "none");
}

/// A library that is a part of the C library, and that nothing here needs.
TEST(loaded_object, stays_if_it_is_to_be_kept) {
  constexpr const char* name = "libanl.so.1";
  for (const bool kept : {false, true}) {
    void* const library = dlopen(name, RTLD_LAZY);
    if (library == nullptr) GTEST_SKIP() << "there is no " << name;
    link_map* map = nullptr;
    ASSERT_EQ(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
    if (kept) os::keep_loaded(map->l_ld);
    dlclose(library);
    EXPECT_EQ(dlopen(name, RTLD_LAZY | RTLD_NOLOAD) != nullptr, kept);
  }
  os::keep_loaded(nullptr);  // that is in none
}

unsigned forks_seen = 0;
void see_a_fork() { ++forks_seen; }
void do_nothing(void*) {}

/// Runs body() in a child, and says what it has returned.
template <class Body>
int answer_of_a_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(fork_hook, is_called_once_however_often_it_is_armed) {
  static os::fork_hook<see_a_fork> hook;
  EXPECT_EQ(answer_of_a_child([] { return static_cast<int>(forks_seen); }), 0);
  hook.arm();
  hook.arm();
  EXPECT_EQ(answer_of_a_child([] { return static_cast<int>(forks_seen); }), 1);
  EXPECT_EQ(forks_seen, 0U) << "in the parent";
}

pthread_key_t key_of_the_last_call;
unsigned slot_of_another = 0;
unsigned slot_at_the_last_call = 0;

/// Comes twice; at the second time the thread has given its slot back.
void ask_for_a_slot(void* p) {
  auto& calls = *static_cast<int*>(p);
  if (++calls == 1) {
    pthread_setspecific(key_of_the_last_call, p);
    return;
  }
  std::atomic<bool> asked{false};
  std::atomic<bool> end{false};
  std::thread another{[&] {
    slot_of_another = hardware::slot();
    asked = true;
    end.wait(false);
  }};
  while (!asked) std::this_thread::yield();
  slot_at_the_last_call = hardware::slot();
  end = true;
  end.notify_one();
  another.join();
}

TEST(slots, of_a_thread_that_has_given_its_own_back) {
  const unsigned mine = hardware::slot();
  ASSERT_EQ(pthread_key_create(&key_of_the_last_call, ask_for_a_slot), 0);
  int calls = 0;
  unsigned before = 0;
  std::thread{[&] {
    before = hardware::slot();
    pthread_setspecific(key_of_the_last_call, &calls);
  }}.join();
  pthread_key_delete(key_of_the_last_call);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(slot_of_another, before);
  EXPECT_NE(slot_at_the_last_call, before);
  EXPECT_NE(slot_at_the_last_call, mine);
}

/// What the system gives first has number 0.
TEST(thread_exit_hook, takes_any_key) {
  EXPECT_EQ(answer_of_a_child([] {
              for (pthread_key_t key = 0; key != 16; ++key) pthread_key_delete(key);
              static os::thread_exit_hook<do_nothing> hook;
              return hook.arm(&hook) ? 7 : 0;
            }),
            7);
}

TEST(park, unpark_of_memory_that_is_gone_is_harmless) {
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  munmap(page, 4096);
  hardware::unpark(static_cast<const word*>(page), 1);
  hardware::unpark(nullptr, 1);
}

TEST(park, and_unpark_keep_errno) {
  const word w{1};
  for (const int kept : {7, ETIMEDOUT}) {
    errno = kept;
    EXPECT_FALSE(hardware::park(w, 0, hardware::never));
    EXPECT_EQ(errno, kept);
    const char bytes[8] = {};
    os::unpark(bytes + (reinterpret_cast<std::uintptr_t>(bytes) % 2 == 0 ? 1 : 0), 1);  // which is no place for a word
    EXPECT_EQ(errno, kept);
  }
}

/// What an earlier call has left in errno says nothing of this one.
TEST(park, says_no_deadline_to_who_is_woken) {
  word w{0};
  std::atomic<bool> here{false};
  std::atomic<bool> said_deadline{false};
  std::thread sleeper{[&] {
    here = true;
    while (w.load() == 0) {
      errno = ETIMEDOUT;
      if (hardware::park(w, 0, hardware::clock::now() + 1h)) said_deadline = true;
    }
  }};
  while (!here) std::this_thread::yield();
  std::this_thread::sleep_for(10ms);  // so that it sleeps
  w = 1;
  hardware::unpark(&w, 1);
  sleeper.join();
  EXPECT_FALSE(said_deadline);
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
  const hardware::deadline moments[] = {late, hardware::deadline{1ns}, hardware::deadline{0ns}};  // not by the compiler
  const auto as_pair = [](const auto& t) { return std::pair<std::int64_t, std::int64_t>{t.seconds, t.nanoseconds}; };
  using pair = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(as_pair(os::detail::kernel_time_of<std::int64_t>(moments[0])), (pair{5'000'000'000, 7}));
  EXPECT_EQ(as_pair(os::detail::kernel_time_of<std::int32_t>(moments[0])), (pair{0x7fff'ffff, 7}));
  EXPECT_EQ(as_pair(os::detail::kernel_time_of<std::int64_t>(moments[1])), (pair{0, 1}));
  EXPECT_EQ(as_pair(os::detail::kernel_time_of<std::int64_t>(moments[2])), (pair{0, 0}));
  static_assert(sizeof(long) == 4 ? os::detail::futex_time64 != -1 : os::detail::futex != -1);
}

}  // namespace
}  // namespace synchro::tests
