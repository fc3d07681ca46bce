// The event that is a descriptor: what the others of its kind do, in poll and epoll too.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "library/linux/interrupt.hpp"
#include "synchro/os/linux_event.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;

TEST(descriptor_event, stays_set_until_it_is_reset) {
  descriptor_event e;
  EXPECT_FALSE(e.try_wait());
  e.reset();
  EXPECT_FALSE(e.wait_for(1ms));
  e.set();
  e.set();
  e.wait();
  EXPECT_TRUE(e.try_wait());
  EXPECT_TRUE(e.wait_for(0s));
  EXPECT_TRUE(e.wait_until(std::chrono::steady_clock::time_point::max()));
  e.reset();
  EXPECT_FALSE(e.try_wait());
  EXPECT_FALSE(e.wait_until(std::chrono::system_clock::now() - 1h));
}

TEST(descriptor_event, gives_its_descriptor_back) {
  int descriptor = -1;
  {
    const descriptor_event e;
    descriptor = e.descriptor();
    EXPECT_NE(fcntl(descriptor, F_GETFD), -1);
  }
  EXPECT_EQ(fcntl(descriptor, F_GETFD), -1);
}

/// Whatever it was, and whatever becomes of the calls.
TEST(descriptor_event, keeps_errno) {
  for (const int kept : {0, 7, EINTR, -1}) {
    descriptor_event e;
    const auto unchanged = [&](auto call) {
      errno = kept;
      call();
      EXPECT_EQ(errno, kept);
    };
    unchanged([&] { EXPECT_FALSE(e.try_wait()); });
    unchanged([&] { e.reset(); });  // there is nothing to read
    unchanged([&] { e.set(); });
    unchanged([&] { EXPECT_TRUE(e.try_wait()); });
    unchanged([&] { e.reset(); });
    const std::uint64_t most = 0xffff'ffff'ffff'fffe;
    ASSERT_EQ(write(e.descriptor(), &most, sizeof most), static_cast<ssize_t>(sizeof most));
    unchanged([&] { e.set(); });  // there is no room for one more
    EXPECT_TRUE(e.try_wait());
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const rlimit none{0, limit.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    unchanged([&] { EXPECT_FALSE(e.try_wait()); });  // poll refuses even one descriptor
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  }
}

TEST(descriptor_event, a_signal_is_neither_the_deadline_nor_a_set) {
  descriptor_event e;
  std::atomic<int> returned{0};
  bool got = false;
  {
    interruptible patient{[&] {
      got = e.wait_for(1h);
      ++returned;
    }};
    for (int i = 0; i != 200; ++i) {
      patient.interrupt();
      std::this_thread::yield();
      EXPECT_EQ(returned, 0);
    }
    e.set();
  }
  EXPECT_TRUE(got);
}

TEST(descriptor_event, gives_up_no_earlier_than_asked) {
  descriptor_event e;
  for (const auto patience : {900us, 1900us}) {  // poll counts in milliseconds
    const auto until = std::chrono::steady_clock::now() + patience;
    EXPECT_FALSE(e.wait_until(until));
    EXPECT_GE(std::chrono::steady_clock::now(), until);
  }
}

TEST(descriptor_event, wakes_all_who_wait) {
  descriptor_event e;
  int written = 0;  // plain: the event orders it
  std::atomic<unsigned> right{0};
  std::vector<std::thread> all;
  for (int t = 0; t != 3; ++t)
    all.emplace_back([&, t] {
      if (t == 0)
        e.wait();
      else
        while (!e.wait_for(t == 1 ? 1ms : 1h)) {
        }
      right += written == 7 ? 1 : 0;
    });
  std::this_thread::sleep_for(2ms);
  written = 7;
  e.set();
  for (std::thread& t : all) t.join();
  EXPECT_EQ(right, 3U);
}

/// A loop over descriptors ends when it is told to, and finds what was written before.
TEST(descriptor_event, stands_in_epoll) {
  descriptor_event work;
  descriptor_event end;
  const int set = epoll_create1(EPOLL_CLOEXEC);
  ASSERT_NE(set, -1);
  for (descriptor_event* one : {&work, &end}) {
    epoll_event what{};
    what.events = EPOLLIN;
    what.data.ptr = one;
    ASSERT_EQ(epoll_ctl(set, EPOLL_CTL_ADD, one->descriptor(), &what), 0);
  }
  constexpr unsigned rounds = 200;
  std::atomic<unsigned> done{0};
  unsigned written = 0;
  unsigned wrong = 0;
  std::thread loop{[&] {
    for (;;) {
      epoll_event what{};
      if (epoll_wait(set, &what, 1, -1) != 1) continue;
      if (what.data.ptr == &end) return;
      work.reset();
      wrong += written == done.load() + 1 ? 0U : 1U;
      done.fetch_add(1);
    }
  }};
  for (unsigned round = 1; round <= rounds; ++round) {
    written = round;
    work.set();
    while (done.load() != round) std::this_thread::yield();
  }
  end.set();
  loop.join();
  close(set);
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace synchro::tests
