#include "plain.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <semaphore>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"
#include "synchro/os.hpp"

namespace {

using bare::now_ns, bare::pin;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// body() on a thread of its own, there.
template <class Body>
double on(int cpu, Body body) {
  double value = -1;
  std::thread{[&] {
    if (pin(cpu)) value = body();
  }}.join();
  return value;
}

void sleep_on(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  while (word.load(std::memory_order_acquire) == seen)
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
}
void wake(std::atomic<std::uint32_t>& word, int sleepers = 1) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, sleepers, nullptr, nullptr, 0);
}

/// Keeps the processor busy for so long.
void work(double ns) {
  for (const double end = now_ns() + ns; now_ns() < end;) {
  }
}

struct alignas(64) node {
  node* next;
};

}  // namespace

double plain::load(std::size_t bytes, int cpu) {
  return on(cpu, [=] {
    const std::size_t n = bytes / sizeof(node);
    auto* const nodes =
        static_cast<node*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (nodes == MAP_FAILED) return -1.0;
    madvise(nodes, bytes, MADV_HUGEPAGE);
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937_64{7});
    for (std::size_t i = 0; i < n; ++i) nodes[order[i]].next = &nodes[order[(i + 1) % n]];
    const node* at = nodes;
    for (std::size_t i = 0; i < std::min<std::size_t>(n, 200'000); ++i) at = at->next;
    constexpr int loads = 200'000;
    const double begin = now_ns();
    for (int i = 0; i < loads; ++i) at = at->next;
    const double each = (now_ns() - begin) / loads;
    const bool ended = at != nullptr;
    munmap(nodes, bytes);
    return ended ? each : -1.0;
  });
}

double plain::modified_line(int owner, int reader, bool cas) {
  struct alignas(128) modified {
    std::atomic<modified*> next{nullptr};
    std::atomic<int> value{0};
  };
  constexpr std::size_t n = 512;  // few enough for one level of the caches and of the TLB
  constexpr int rounds = 64;
  const auto lines = std::make_unique<modified[]>(n);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::mt19937_64{7});
  std::atomic<int> written{0}, taken{0};
  std::atomic<bool> pinned{true};
  std::thread other{[&] {
    if (!pin(owner)) pinned = false;
    for (int round = 1; round <= rounds; ++round) {
      for (std::size_t i = 0; i < n; ++i) {
        lines[order[i]].next.store(&lines[order[(i + 1) % n]], std::memory_order_relaxed);
        lines[order[i]].value.store(round, std::memory_order_relaxed);
      }
      written.store(round, std::memory_order_release);
      while (taken.load(std::memory_order_acquire) < round) std::this_thread::yield();
    }
  }};
  const double each = on(reader, [&] {
    std::vector<double> took;
    for (int round = 1; round <= rounds; ++round) {
      while (written.load(std::memory_order_acquire) != round) std::this_thread::yield();
      modified* at = &lines[order[0]];
      const double begin = now_ns();
      std::size_t failed = 0;
      for (std::size_t i = 0; i < n; ++i) {
        int expected = round;
        // Where the next line is depends on the outcome: a processor loads `next` while it still compares and swaps.
        const auto wrong = static_cast<std::size_t>(cas && !at->value.compare_exchange_strong(expected, 0));
        at = at->next.load(std::memory_order_relaxed) + wrong;
        failed += wrong;
      }
      const double end = now_ns();
      if (failed != 0 || at != &lines[order[0]]) break;
      took.push_back((end - begin) / static_cast<double>(n));
      taken.store(round, std::memory_order_release);
    }
    return took.size() == rounds ? median(took) : -1.0;
  });
  taken.store(rounds);  // in case the reader could not be pinned
  other.join();
  return pinned ? each : -1.0;
}

double plain::ticket_ping_pong(int a, int b) {
  struct shared {
    alignas(128) std::atomic<std::uint32_t> next{0};
    std::atomic<std::uint32_t> serving{0};  // on the same line
    alignas(128) volatile std::uint64_t data = 0;
    alignas(128) std::atomic<int> ready{0};
  };
  const auto all = std::make_unique<shared>();
  constexpr std::uint32_t turns = 100'000;
  double took[2] = {-1, -1};
  const auto play = [&](int who, int cpu) {
    const bool pinned = pin(cpu);
    ++all->ready;
    while (all->ready.load() != 2) std::this_thread::yield();
    const double begin = now_ns();
    for (std::uint32_t i = 0; i < turns; ++i) {
      const std::uint32_t mine = all->next.fetch_add(1);
      // Without a pause the waiter's looks take the line from the holder, and all is twice as slow.
      while (all->serving.load(std::memory_order_acquire) != mine) synchro::cpu::pause();
      all->data = all->data + 1;
      all->serving.store(mine + 1, std::memory_order_release);
    }
    took[who] = pinned ? (now_ns() - begin) / (2.0 * turns) : -1;
  };
  std::thread one{[&] { play(0, a); }}, two{[&] { play(1, b); }};
  one.join(), two.join();
  return std::min(took[0], took[1]);
}

double plain::wake_by_futex(int waker, int sleeper, double idle_ns) {
  const int rounds = idle_ns > 1e7 ? 1 : 20;
  std::atomic<std::uint32_t> word{0};
  std::atomic<std::uint32_t> back{0};
  double woken = 0;
  bool pinned = true;
  std::thread other{[&] {
    pinned = pin(sleeper);
    for (std::uint32_t i = 0; static_cast<int>(i) <= rounds; ++i) {
      sleep_on(word, i);
      woken = now_ns();
      back.store(i + 1, std::memory_order_release);
    }
  }};
  std::vector<double> seen;
  const double ok = on(waker, [&] {
    for (std::uint32_t i = 0; static_cast<int>(i) <= rounds; ++i) {
      std::this_thread::sleep_for(std::chrono::nanoseconds{static_cast<std::int64_t>(idle_ns) - 100'000});
      work(100e3);  // the waker is awake when it calls
      const double begin = now_ns();
      word.store(i + 1, std::memory_order_release);
      wake(word);
      while (back.load(std::memory_order_acquire) != i + 1) {
      }
      if (i > 0) seen.push_back(woken - begin);
    }
    return 1.0;
  });
  other.join();
  return ok > 0 && pinned ? median(seen) : -1;
}

double plain::wake_by_flag(int waker, int spinner) {
  constexpr std::uint32_t rounds = 200;
  alignas(128) std::atomic<std::uint32_t> word{0};
  alignas(128) std::atomic<std::uint32_t> back{0};
  alignas(128) double woken = 0;
  bool pinned = true;
  std::thread other{[&] {
    pinned = pin(spinner);
    for (std::uint32_t i = 0; i < rounds; ++i) {
      while (word.load(std::memory_order_acquire) != i + 1) {
      }
      woken = now_ns();
      back.store(i + 1, std::memory_order_release);
    }
  }};
  std::vector<double> seen;
  const double ok = on(waker, [&] {
    for (std::uint32_t i = 0; i < rounds; ++i) {
      work(20e3);
      const double begin = now_ns();
      word.store(i + 1, std::memory_order_release);
      while (back.load(std::memory_order_acquire) != i + 1) {
      }
      seen.push_back(woken - begin);
    }
    return 1.0;
  });
  other.join();
  return ok > 0 && pinned ? median(seen) : -1;
}

double plain::breakeven(int a, int b) {
  std::atomic<std::uint32_t> word{0};
  std::atomic<std::uint32_t> done{0};
  std::atomic<double> share{0};
  std::atomic<bool> over{false};
  bool pinned = true;
  std::thread other{[&] {
    pinned = pin(b);
    for (std::uint32_t i = 0;; ++i) {
      sleep_on(word, i);
      if (over.load()) return;
      work(share.load());
      done.store(i + 1, std::memory_order_release);
    }
  }};
  const double found = on(a, [&] {
    std::uint32_t round = 0;
    const auto divided = [&](double ns) {
      std::vector<double> seen;
      for (int k = 0; k < 9; ++k) {
        std::this_thread::sleep_for(std::chrono::microseconds{50});  // the other is asleep again
        const double begin = now_ns();
        share.store(ns / 2);
        word.store(++round, std::memory_order_release);
        wake(word);
        work(ns / 2);
        while (done.load(std::memory_order_acquire) != round) {
        }
        seen.push_back(now_ns() - begin);
      }
      return median(seen);
    };
    double low = 500, high = 20e6;
    while (high / low > 1.1) {
      const double middle = std::sqrt(low * high);
      (divided(middle) < middle ? high : low) = middle;
    }
    over = true;
    word.store(++round, std::memory_order_release);
    wake(word);
    return std::sqrt(low * high);
  });
  if (found < 0) over = true, word.store(~0U), wake(word);
  other.join();
  return pinned ? found : -1;
}

double plain::wake_many(const std::vector<int>& cpus, unsigned group) {
  constexpr std::uint32_t rounds = 12;
  struct alignas(128) object {
    std::atomic<std::uint32_t> word{0};
  };
  const std::size_t n = cpus.size() - 1;
  std::vector<object> objects((n + group - 1) / group);
  std::vector<double> woken(n), seen;
  std::atomic<std::uint32_t> back{0}, all_back{0};
  std::atomic<bool> unpinned{false};
  std::vector<std::thread> sleepers;
  for (std::size_t me = 0; me < n; ++me)
    sleepers.emplace_back([&, me] {
      if (!pin(cpus[me + 1])) unpinned = true;
      for (std::uint32_t round = 0; round < rounds; ++round) {
        sleep_on(objects[me / group].word, round);
        woken[me] = now_ns();
        if (++back % n == 0) ++all_back, wake(all_back);
      }
    });
  const double ok = on(cpus[0], [&] {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      std::this_thread::sleep_for(std::chrono::microseconds{300});  // all are asleep
      const double begin = now_ns();
      for (object& o : objects) {
        o.word.store(round + 1, std::memory_order_release);
        wake(o.word, static_cast<int>(group));
      }
      sleep_on(all_back, round);
      double sum = 0;
      for (const double at : woken) sum += at - begin;
      seen.push_back(sum / static_cast<double>(n));
    }
    return 1.0;
  });
  if (ok < 0)
    for (object& o : objects) o.word = rounds, wake(o.word, static_cast<int>(group));
  for (std::thread& t : sleepers) t.join();
  return ok > 0 && !unpinned ? median(seen) : -1;
}

namespace {

/// Additions, each of which waits for the one before. Every caller has the same copy: such a loop takes one cycle a turn or
/// two by where it lies.
[[gnu::noinline]] double add(std::uint64_t additions) {
  std::uint64_t sum = 0;
  const double begin = now_ns();
  for (std::uint64_t i = 0; i < additions; ++i) {
    sum += i;
    asm volatile("" : "+r"(sum));
  }
  return now_ns() - begin;
}

}  // namespace

double plain::limited(const std::vector<int>& cpus, unsigned threads, unsigned permits, double share_ns) {
  constexpr std::uint64_t trial = 1'000'000;
  const double each = std::min({add(trial), add(trial), add(trial)}) / trial;
  const auto additions = static_cast<std::uint64_t>(share_ns / each);
  std::counting_semaphore<> admitted{permits == 0 ? threads : permits};
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  for (const int cpu : cpus) CPU_SET(static_cast<unsigned>(cpu), &allowed);
  std::vector<std::thread> team;
  const double begin = now_ns();
  for (unsigned i = 0; i < threads; ++i)
    team.emplace_back([&] {
      pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
      admitted.acquire();
      add(additions);
      admitted.release();
    });
  for (std::thread& t : team) t.join();
  return (now_ns() - begin) / share_ns;
}
