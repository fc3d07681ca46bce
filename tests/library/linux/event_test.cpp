// The event that is a descriptor: what the others of its kind do, in poll and epoll too.

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

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
