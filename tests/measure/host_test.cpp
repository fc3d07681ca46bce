#include "measure/host.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "platform/scheduling.hpp"
#include "platform/thread_watch.hpp"
#include "synchro/domains.hpp"

namespace synchro::measure {
namespace {

std::vector<unsigned> allowed() { return os::allowed_cpus(); }

TEST(Team, RunsTheBodyOncePerIndexOnThreadsOfItsOwn) {
  std::mutex guard;
  std::multiset<unsigned> indices;
  std::set<std::thread::id> ids;
  host::team({}, 5, [&](unsigned index) {
    const std::scoped_lock lock{guard};
    indices.insert(index);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(indices, (std::multiset<unsigned>{0, 1, 2, 3, 4}));
  EXPECT_EQ(ids.count(std::this_thread::get_id()), 0U);
}

TEST(Team, EachThreadStaysOnItsProcessor) {
  const std::vector<unsigned> cpus = allowed();
  std::vector<std::atomic<bool>> stayed(cpus.size());
  const team_report report = host::team(cpus, static_cast<unsigned>(cpus.size()), [&](unsigned index) {
    bool here = true;
    for (int i = 0; i < 1000; ++i) {
      here = here && platform::running_on() == cpus[index];
      std::this_thread::yield();
    }
    stayed[index] = here;
  });
  for (const auto& one : stayed) EXPECT_TRUE(one);
  EXPECT_TRUE(report.unpinned.empty());
  EXPECT_EQ(report.migrations, 0U);
}

TEST(Team, ListsOfProcessorsShorterThanTheTeamAreUsedAgain) {
  const unsigned only = allowed().back();
  std::atomic<unsigned> elsewhere{0};
  host::team({only}, 4, [&](unsigned) { elsewhere += platform::running_on() == only ? 0U : 1U; });
  EXPECT_EQ(elsewhere, 0U);
}

TEST(Team, AProcessorThatCannotBeHadIsReportedAndTheBodyRunsAllTheSame) {
  constexpr unsigned no_such_processor = 1'000'000;
  std::atomic<unsigned> ran{0};
  const team_report report = host::team({allowed().front(), no_such_processor}, 2, [&](unsigned) { ++ran; });
  EXPECT_EQ(ran, 2U);
  ASSERT_EQ(report.unpinned.size(), 1U);
  EXPECT_NE(report.unpinned[0].find("thread 1"), std::string::npos) << report.unpinned[0];
  EXPECT_NE(report.unpinned[0].find("processor 1000000"), std::string::npos) << report.unpinned[0];
}

std::size_t threads_alive() {
  const std::filesystem::directory_iterator tasks{"/proc/self/task"};
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(Team, NobodyStartsBeforeAllAreThere) {
  std::atomic<unsigned> here{0};
  std::atomic<bool> complete{true};
  host::team({allowed().front()}, 8, [&](unsigned) {
    if (threads_alive() < 8) complete = false;
    ++here;
    while (here != 8) std::this_thread::yield();  // so that nobody has left while another counts
  });
  EXPECT_TRUE(complete);
}

TEST(Team, FiveHundredThreadsOnOneProcessorComeToAnEnd) {
  std::atomic<unsigned> ran{0};
  host::team({allowed().front()}, 500, [&](unsigned) { ++ran; });
  EXPECT_EQ(ran, 500U);
}

/// Or those that are raised already would keep the others, on the same processor, from ever being so.
TEST(Team, AllHaveTheirPriorityBeforeTheFirstBegins) {
  if (platform::raised_priority{platform::urgency::raised}.outcome().warning)
    GTEST_SKIP() << "raising the priority is not permitted here";
  std::thread{[] {}}.join();  // with the first thread a sanitizer makes one of its own
  const std::vector<long> others = platform::thread_numbers();
  const int before = getpriority(PRIO_PROCESS, 0);
  const int raised = std::max(-20, before - 2);
  std::atomic<unsigned> begun{0}, not_raised{0};
  const team_report report = host::team(
      {allowed().front()}, 6,
      [&](unsigned) {
        for (const long thread : platform::thread_numbers())
          if (std::find(others.begin(), others.end(), thread) == others.end() &&
              getpriority(PRIO_PROCESS, static_cast<id_t>(thread)) != raised)
            ++not_raised;
        ++begun;
        while (begun != 6) std::this_thread::yield();  // so that nobody has left while another looks
      },
      platform::urgency::raised);
  EXPECT_EQ(not_raised, 0U);
  EXPECT_EQ(report.priority.granted, "nice:" + std::to_string(raised));
  EXPECT_EQ(report.priority.warning, std::nullopt);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before) << "the one who asks for a team is none of it";
}

/// With one that is as high as allowed, and a body that gives way until all have begun.
TEST(Team, OfTheHighestPriorityOnOneProcessorComesToAnEnd) {
  for (int round = 0; round != 20; ++round) {
    std::atomic<unsigned> begun{0};
    host::team(
        {allowed().front()}, 4,
        [&](unsigned) {
          ++begun;
          while (begun != 4) std::this_thread::yield();
        },
        platform::urgency::highest);
    ASSERT_EQ(begun, 4U);
  }
}

TEST(Team, NoThreadsIsNoWork) {
  EXPECT_NO_THROW(host::team({}, 0, [](unsigned) { FAIL(); }));
}

TEST(Team, AnExceptionInABodyIsRethrownAfterAllHaveEnded) {
  std::atomic<unsigned> ended{0};
  try {
    host::team({}, 4, [&](unsigned index) {
      if (index == 2) throw std::runtime_error{"body 2"};
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
      ++ended;
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "body 2");
  }
  EXPECT_EQ(ended, 3U);
}

std::size_t address_space_bytes() {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  return pages * 4096;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // a sanitizer does not live under a limit on the address space
#else
constexpr bool sanitized = false;
#endif

/// Room for a few more threads' stacks, then a team that needs hundreds. Exits with 0 if all went as it should.
[[noreturn]] void team_beyond_the_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = address_space_bytes() + (std::size_t{256} << 20);
  setrlimit(RLIMIT_AS, &limit);
  std::atomic<unsigned> ran{0};
  try {
    host::team({}, 1000, [&](unsigned) { ++ran; });
  } catch (const std::runtime_error& e) {
    std::fputs(e.what(), stderr);
    std::exit(ran == 0 ? 0 : 2);
  }
  std::exit(3);
}

TEST(TeamDeathTest, WhenTheSystemGivesNoMoreThreadsThoseStartedGoHomeWithoutRunning) {
  if (sanitized) GTEST_SKIP() << "no limit on the address space under a sanitizer";
  EXPECT_EXIT(team_beyond_the_limit(), testing::ExitedWithCode(0), "started only [0-9]+ of 1000 threads");
}

TEST(Host, AFlushedLineKeepsItsValue) {
  alignas(64) std::uint64_t line[8] = {};
  for (std::uint64_t i = 1; i <= 100; ++i) {
    line[3] = i;
    host::flush(&line[3]);
    asm volatile("" ::: "memory");
    ASSERT_EQ(line[3], i);
  }
}

TEST(Host, CyclesAndTicksAreProportionalToTime) {
  EXPECT_GT(host::cycles_to_ns(1), 0);
  EXPECT_DOUBLE_EQ(host::cycles_to_ns(3000), 3000 * host::cycles_to_ns(1));
  EXPECT_DOUBLE_EQ(host::to_ns(5000), 5 * host::to_ns(1000));
}

TEST(Host, TheClockDoesNotGoBackInAThread) {
  std::uint64_t last = host::now();
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t now = host::now();
    ASSERT_GE(now, last);
    last = now;
  }
}

struct counted {
  explicit counted(int& n) : alive{n} { ++alive; }
  ~counted() { --alive; }
  int& alive;
  std::uint64_t padding[16] = {};
};

TEST(Host, FreshObjectsStandOnPagesOfTheirOwnAndAreDestroyed) {
  int alive = 0;
  {
    const host::fresh<counted> a{alive};
    const host::fresh<counted> b{alive};
    EXPECT_EQ(alive, 2);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&*a) % 4096, 0U);
    EXPECT_NE(reinterpret_cast<std::uintptr_t>(&*a) / 4096, reinterpret_cast<std::uintptr_t>(&*b) / 4096);
    EXPECT_EQ(a->padding[15], 0U);
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace synchro::measure
