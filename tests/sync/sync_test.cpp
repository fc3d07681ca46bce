// Semaphore, latch, barrier, event count, once, sequence lock: what they promise, and all of them under stress.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "synchro/sync/barrier.hpp"
#include "synchro/sync/counting_semaphore.hpp"
#include "synchro/sync/event_count.hpp"
#include "synchro/sync/latch.hpp"
#include "synchro/sync/once.hpp"
#include "synchro/sync/seqlock.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

static_assert(sizeof(counting_semaphore) == 4 && sizeof(latch) == 4 && sizeof(event_count) == 4);
static_assert(sizeof(once_flag) == 4 && sizeof(barrier<>) == 12);
[[maybe_unused]] constinit counting_semaphore semaphore_made_by_the_compiler{1};
[[maybe_unused]] constinit latch latch_made_by_the_compiler{1};
[[maybe_unused]] constinit event_count event_count_made_by_the_compiler;
[[maybe_unused]] constinit once_flag flag_made_by_the_compiler;

struct three_bytes {
  unsigned char bytes[3] = {1, 2, 3};
};
[[maybe_unused]] constinit seqlock<three_bytes> value_made_by_the_compiler;

/// A value that fills no word.
template <std::size_t Bytes>
bool keeps_every_byte() {
  using value = std::array<unsigned char, Bytes>;
  value some{};
  for (std::size_t i = 0; i != Bytes; ++i) some[i] = static_cast<unsigned char>(i + 1);
  seqlock<value> lock{some};
  const bool from_the_start = lock.load() == some;
  some.back() = 77;
  lock.store(some);
  return from_the_start && lock.load() == some && lock.try_load() == some;
}

TEST(Seqlock, KeepsEveryByte) {
  EXPECT_TRUE(keeps_every_byte<1>());
  EXPECT_TRUE(keeps_every_byte<3>());
  EXPECT_TRUE(keeps_every_byte<5>());
  EXPECT_TRUE(keeps_every_byte<8>());
  EXPECT_TRUE(keeps_every_byte<13>());
  EXPECT_EQ(value_made_by_the_compiler.load().bytes[2], 3);
}

template <class F>
void in_threads(unsigned count, F f) {
  std::vector<std::thread> team;
  for (unsigned t = 0; t != count; ++t) team.emplace_back([&f, t] { f(t); });
  for (auto& each : team) each.join();
}

TEST(counting_semaphore, counts) {
  counting_semaphore s{2};
  s.acquire();
  EXPECT_TRUE(s.try_acquire());
  EXPECT_FALSE(s.try_acquire());
  EXPECT_FALSE(s.try_acquire_for(1ms));
  EXPECT_FALSE(s.try_acquire_until(std::chrono::system_clock::now()));
  s.release(3);
  for (int i = 0; i != 3; ++i) EXPECT_TRUE(s.try_acquire_for(0ms));
  EXPECT_FALSE(s.try_acquire());
}

TEST(counting_semaphore, may_go_when_the_last_has_acquired) {
  for (int i = 0; i != 200; ++i) {
    auto s = std::make_unique<counting_semaphore>(0);
    std::thread giver{[on = s.get()] { on->release(); }};
    s->acquire();
    s.reset();
    giver.join();
  }
  SUCCEED() << "AddressSanitizer sees who looks at it after it has gone";
}

TEST(counting_semaphore, lets_in_as_many_as_there_are_places) {
  constexpr int places = 2;
  counting_semaphore s{places};
  std::atomic<int> inside{0};
  std::atomic<bool> crowded{false};
  in_threads(6, [&](unsigned t) {
    for (int i = 0; i != 2000; ++i) {
      if (t % 2 == 0)
        s.acquire();
      else
        while (!s.try_acquire_for(20us)) {
        }
      if (inside.fetch_add(1) >= places) crowded = true;
      inside.fetch_sub(1);
      s.release();
    }
  });
  EXPECT_FALSE(crowded);
  for (int i = 0; i != places; ++i) EXPECT_TRUE(s.try_acquire());
  EXPECT_FALSE(s.try_acquire());
}

TEST(counting_semaphore, wakes_as_many_as_are_released) {
  constexpr unsigned many = 6;
  constexpr unsigned rounds = 200;
  counting_semaphore s{0};
  counting_semaphore back{0};
  in_threads(many + 1, [&](unsigned t) {
    for (unsigned i = 0; i != rounds; ++i)
      if (t == 0) {
        s.release(many);
        for (unsigned k = 0; k != many; ++k) back.acquire();
      } else {
        s.acquire();
        back.release();
      }
  });
  EXPECT_FALSE(s.try_acquire());
  EXPECT_FALSE(back.try_acquire());
}

TEST(latch, opens_with_the_last) {
  latch l{3};
  EXPECT_FALSE(l.try_wait());
  l.count_down(2);
  EXPECT_FALSE(l.wait_for(1ms));
  EXPECT_FALSE(l.wait_until(std::chrono::system_clock::now()));
  l.arrive_and_wait();
  EXPECT_TRUE(l.try_wait());
  l.wait();
  EXPECT_TRUE(l.wait_for(0ms));
}

TEST(latch, holds_until_all_have_done_their_part) {
  for (int i = 0; i != 300; ++i) {
    constexpr unsigned parts = 3;
    latch l{parts};
    int done[parts] = {};
    std::atomic<bool> early{false};
    in_threads(parts + 2, [&](unsigned t) {
      if (t < parts) {
        done[t] = 1;
        l.count_down();
      } else {
        l.wait();
        for (const int d : done)
          if (d != 1) early = true;
      }
    });
    EXPECT_FALSE(early);
  }
}

TEST(latch, counts_as_many_down_as_it_is_told) {
  latch l{5};
  l.count_down(2);
  EXPECT_FALSE(l.try_wait());
  l.count_down();
  EXPECT_FALSE(l.try_wait());
  l.count_down(2);
  ASSERT_TRUE(l.try_wait());
  l.wait();
  latch two{2};
  two.arrive_and_wait(2);
  EXPECT_TRUE(two.try_wait());
}

TEST(latch, a_sleeper_is_woken_by_who_counts_several_down) {
  for (int i = 0; i != 100; ++i) {
    latch l{2};
    std::thread waiter{[&] { l.wait(); }};
    if (i % 2 == 0) std::this_thread::sleep_for(1ms);
    l.count_down(2);
    waiter.join();
    EXPECT_TRUE(l.try_wait());
  }
}

/// Two phases a round: in the first all come, between the two all look, and nobody goes on meanwhile.
TEST(barrier, completes_each_phase_between_all_and_all) {
  constexpr unsigned threads = 4;
  constexpr int rounds = 1000;
  int came[threads] = {};
  int completed = 0;
  const auto complete = [&completed]() noexcept { ++completed; };
  barrier<decltype(complete)> b{threads, complete};
  std::atomic<bool> wrong{false};
  in_threads(threads, [&](unsigned t) {
    for (int i = 1; i <= rounds; ++i) {
      came[t] = i;
      b.wait(b.arrive());
      if (completed != 2 * i - 1) wrong = true;
      for (const int c : came)
        if (c != i) wrong = true;
      b.arrive_and_wait();
    }
  });
  EXPECT_FALSE(wrong);
  EXPECT_EQ(completed, 2 * rounds);
}

TEST(barrier, counts_as_many_arrivals_as_it_is_told) {
  int completed = 0;
  const auto complete = [&completed]() noexcept { ++completed; };
  barrier<decltype(complete)> b{3, complete};
  for (int phase = 0; phase != 3; ++phase) {
    auto two = b.arrive(2);
    EXPECT_EQ(completed, phase);
    auto last = b.arrive();
    ASSERT_EQ(completed, phase + 1);
    b.wait(two);
    b.wait(last);
  }
}

/// By turns each arrives for itself and one who is not there.
TEST(barrier, completes_a_phase_in_which_one_arrives_for_two) {
  constexpr unsigned threads = 3;
  constexpr unsigned rounds = 500;
  unsigned completed = 0;
  const auto complete = [&completed]() noexcept { ++completed; };
  barrier<decltype(complete)> b{threads + 1, complete};
  std::atomic<bool> wrong{false};
  in_threads(threads, [&](unsigned t) {
    for (unsigned i = 0; i != rounds; ++i) {
      b.wait(b.arrive(i % threads == t ? 2 : 1));
      if (completed != i + 1) wrong = true;
    }
  });
  EXPECT_FALSE(wrong);
  EXPECT_EQ(completed, rounds);
}

TEST(barrier, expects_fewer_when_some_leave) {
  constexpr unsigned threads = 5;
  barrier<> b{threads};
  std::atomic<unsigned> left{0};
  in_threads(threads, [&](unsigned t) {
    for (unsigned i = 0; i != t; ++i) b.arrive_and_wait();
    ++left;
    b.arrive_and_drop();
  });
  EXPECT_EQ(left.load(), threads);
}

TEST(event_count, tells_what_was_notified_since) {
  event_count e;
  const auto before = e.prepare();
  EXPECT_FALSE(e.wait_for(before, 1ms));
  e.notify();
  e.wait(before);
  EXPECT_TRUE(e.wait_for(before, 0ms));
  EXPECT_FALSE(e.wait_until(e.prepare(), std::chrono::system_clock::now() + 1ms));
}

TEST(event_count, misses_nothing_beside_a_counter_without_a_lock) {
  constexpr int each = 5000;
  event_count filled;
  std::atomic<int> items{0};
  std::atomic<long> taken{0};
  const auto take = [&] {
    int n = items.load();
    while (n != 0)
      if (items.compare_exchange_weak(n, n - 1)) return true;
    return false;
  };
  in_threads(6, [&](unsigned t) {
    for (int i = 0; i != each; ++i) {
      if (t % 2 == 0) {
        items.fetch_add(1);
        filled.notify();
        continue;
      }
      while (!take()) {
        const auto key = filled.prepare();
        if (take()) break;
        filled.wait(key);
      }
      taken.fetch_add(1);
    }
  });
  EXPECT_EQ(taken.load(), 3L * each);
  EXPECT_EQ(items.load(), 0);
}

TEST(once, does_it_once_and_all_wait_for_it) {
  for (int i = 0; i != 300; ++i) {
    once_flag flag;
    int value = 0;
    int times = 0;
    std::atomic<bool> early{false};
    in_threads(4, [&](unsigned) {
      call_once(flag, [&] {
        std::this_thread::yield();
        value = 7;
        ++times;
      });
      if (value != 7) early = true;
    });
    EXPECT_FALSE(early);
    EXPECT_EQ(times, 1);
    EXPECT_TRUE(flag.is_done());
  }
}

TEST(once, does_it_again_after_a_failure) {
  once_flag flag;
  EXPECT_THROW(flag.call([] { throw std::runtime_error{"no"}; }), std::runtime_error);
  EXPECT_FALSE(flag.is_done());
  std::atomic<int> tries{0};
  std::atomic<int> failures{0};
  in_threads(6, [&](unsigned) {
    try {
      call_once(flag, [&] {
        if (tries.fetch_add(1) < 3) throw std::runtime_error{"not yet"};
      });
    } catch (const std::runtime_error&) {
      ++failures;
    }
  });
  EXPECT_EQ(tries.load(), 4);
  EXPECT_EQ(failures.load(), 3);
  EXPECT_TRUE(flag.is_done());
}

struct position {
  double x = 0;
  double y = 0;
  int turn = 0;
};

TEST(seqlock, gives_whole_copies) {
  seqlock<position> p{{1, 2, 3}};
  EXPECT_EQ(p.load().turn, 3);
  p.store({4, 5, 6});
  EXPECT_EQ(p.try_load()->x, 4);
  std::atomic<bool> torn{false};
  std::atomic<unsigned> writing{2};
  in_threads(4, [&](unsigned t) {
    if (t < 2) {
      for (int i = 0; i != 5000; ++i)
        p.update([](position& now) {
          ++now.turn;
          now.x = now.turn;
          now.y = -now.turn;
        });
      --writing;
      return;
    }
    while (writing.load() != 0) {
      const position seen = p.load();
      if (seen.turn != 6 && (seen.x != seen.turn || seen.y != -seen.turn)) torn = true;
    }
  });
  EXPECT_FALSE(torn);
  EXPECT_EQ(p.load().turn, 6 + 10000);
}

}  // namespace
}  // namespace synchro
