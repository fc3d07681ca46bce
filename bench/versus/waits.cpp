// What sleeps in the end, against the same elsewhere: `./dev bench`, or waits [ROUNDS] [SEED].
//
// Threads that wait for each other by turns (semaphores, flags, queues), meet again and again (barriers, latches), or share an empty loop
// (pools). Two threads on processors of their own; two, and eight, that the system places; each with nothing to do in between, and
// with so much that the other waits for some microseconds. Ours and a peer take turns, in random order, in every round;
// compared are the time and the processor time of a turn.

#include <fmt/format.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <latch>
#include <memory>
#include <semaphore>
#include <string>
#include <vector>

#include "platform/placement.hpp"
#include "platform/topology.hpp"
#include "synchro/messages/queue.hpp"
#include "synchro/pool/fork_join_pool.hpp"
#include "synchro/sync/barrier.hpp"
#include "synchro/sync/counting_semaphore.hpp"
#include "synchro/sync/event_count.hpp"
#include "synchro/sync/latch.hpp"
#include "synchro/wakes/event.hpp"
#include "turns.hpp"
#ifdef SYNCHRO_ONETBB
#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#endif
#ifdef SYNCHRO_MOODYCAMEL
// First, what the other header forgets to include.
#include <blockingconcurrentqueue.h>
#include <lightweightsemaphore.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

using namespace synchro::bench::turns;

// What takes turns: signal() lets one wait() go on.

struct std_semaphore {
  void signal() { inner.release(); }
  void wait() { inner.acquire(); }
  std::counting_semaphore<> inner{0};
};
struct our_semaphore {
  void signal() { inner.release(); }
  void wait() { inner.acquire(); }
  synchro::counting_semaphore inner{0};
};
struct our_event {
  void signal() { inner.set(); }
  void wait() {
    inner.wait();
    inner.reset();
  }
  synchro::event inner;
};
struct std_flag {
  void signal() {
    // By a release alone, the notification of libstdc++ 12 may miss the waiter, who then sleeps for good.
    inner.store(1, std::memory_order_seq_cst);
    inner.notify_all();
  }
  void wait() {
    inner.wait(0, std::memory_order_acquire);
    inner.store(0, std::memory_order_relaxed);
  }
  std::atomic<std::uint32_t> inner{0};
};
/// Beside a structure without a lock, of one word here.
struct our_event_count {
  void signal() {
    there.store(true, std::memory_order_release);
    filled.notify();
  }
  void wait() {
    while (!take()) {
      const auto key = filled.prepare();
      if (take()) return;
      filled.wait(key);
    }
  }
  bool take() {
    if (!there.load(std::memory_order_acquire)) return false;
    there.store(false, std::memory_order_relaxed);
    return true;
  }
  std::atomic<bool> there{false};
  synchro::event_count filled;
};
struct our_queue {
  void signal() { inner.send(1); }
  void wait() { static_cast<void>(inner.receive()); }
  synchro::sleeping_queue<int> inner{1};
};
#ifdef SYNCHRO_MOODYCAMEL
struct moodycamel_semaphore {
  void signal() { inner.signal(); }
  void wait() { inner.wait(); }
  moodycamel::LightweightSemaphore inner;
};
struct moodycamel_queue {
  void signal() { inner.enqueue(1); }
  void wait() {
    int message = 0;
    inner.wait_dequeue(message);
  }
  moodycamel::BlockingConcurrentQueue<int> inner;
};
#endif
#ifdef SYNCHRO_ONETBB
struct tbb_queue {
  void signal() { inner.push(1); }
  void wait() {
    int message = 0;
    inner.pop(message);
  }
  tbb::concurrent_bounded_queue<int> inner;
};
#endif

/// Threads 0 and 1 take turns, 2 and 3, and so on.
template <class Signal>
outcome by_turns(const situation& s) {
  struct alignas(2 * synchro::cpu::cache_line) side {
    Signal to_go_on;
  };
  const auto sides = std::make_unique<side[]>(s.threads);
  return timed(s, [&](unsigned me) {
    for (std::uint32_t i = 0; i < s.turns; ++i) {
      if (me % 2 != 0) sides[me].to_go_on.wait();
      host::work(s.work_cycles);
      sides[me ^ 1U].to_go_on.signal();
      if (me % 2 == 0) sides[me].to_go_on.wait();
    }
  });
}

template <class Barrier>
outcome meeting(const situation& s) {
  Barrier all{static_cast<std::ptrdiff_t>(s.threads)};
  return timed(s, [&](unsigned) {
    for (std::uint32_t i = 0; i < s.turns; ++i) {
      host::work(s.work_cycles);
      all.arrive_and_wait();
    }
  });
}

/// Each latch is for one use.
template <class Latch>
outcome once_each(const situation& s) {
  std::vector<std::unique_ptr<Latch>> all(s.turns);
  for (auto& each : all) each = std::make_unique<Latch>(static_cast<std::ptrdiff_t>(s.threads));
  return timed(s, [&](unsigned) {
    for (auto& each : all) {
      host::work(s.work_cycles);
      each->arrive_and_wait();
    }
  });
}

#ifdef SYNCHRO_ONETBB
/// The default arena, of so many threads, by the partitioner that hands out once.
class tbb_pool {
 public:
  explicit tbb_pool(unsigned threads) : most_{tbb::global_control::max_allowed_parallelism, threads} {}
  template <class F>
  void parallel_for(unsigned first, unsigned last, F f) {
    tbb::parallel_for(first, last, f, tbb::static_partitioner{});
  }

 private:
  tbb::global_control most_;
};
#endif

#ifdef _OPENMP
class openmp_pool {
 public:
  explicit openmp_pool(unsigned threads) : threads_{threads} {}
  openmp_pool(const openmp_pool&) = delete;
  openmp_pool& operator=(const openmp_pool&) = delete;
  /// Its threads look for milliseconds, and would do so in the next contest.
  ~openmp_pool() { omp_pause_resource_all(omp_pause_hard); }
  template <class F>
  void parallel_for(unsigned first, unsigned last, F f) {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (unsigned i = first; i < last; ++i) f(i);
  }

 private:
  unsigned threads_;
};
#endif

/// A loop that gives each thread its share of the work.
template <class Pool>
outcome shared_loop(const situation& s) {
  Pool pool{s.threads};
  situation alone = s;
  alone.threads = 1;
  alone.cpus.clear();
  return timed(alone, [&](unsigned) {
    for (std::uint32_t i = 0; i < s.turns; ++i)
      pool.parallel_for(0U, s.threads, [&](unsigned) { host::work(s.work_cycles / s.threads); });
  });
}

void add_contests(std::vector<contest>& all, const situation& s) {
  all.push_back({"semaphore", "std", s, by_turns<our_semaphore>, by_turns<std_semaphore>});
  all.push_back({"event", "std/atomic_wait", s, by_turns<our_event>, by_turns<std_flag>});
  all.push_back({"event_count", "std/atomic_wait", s, by_turns<our_event_count>, by_turns<std_flag>});
#ifdef SYNCHRO_MOODYCAMEL
  all.push_back({"semaphore", "moodycamel", s, by_turns<our_semaphore>, by_turns<moodycamel_semaphore>});
  all.push_back({"queue", "moodycamel", s, by_turns<our_queue>, by_turns<moodycamel_queue>});
#endif
  all.push_back({"barrier", "std", s, meeting<synchro::barrier<>>, meeting<std::barrier<>>});
  all.push_back({"latch", "std", s, once_each<synchro::latch>, once_each<std::latch>});
#ifdef SYNCHRO_ONETBB
  all.push_back({"queue", "tbb", s, by_turns<our_queue>, by_turns<tbb_queue>});
  if (s.cpus.empty()) all.push_back({"pool", "tbb", s, shared_loop<synchro::fork_join_pool>, shared_loop<tbb_pool>});
#endif
#ifdef _OPENMP
  if (s.cpus.empty())
    all.push_back({"pool", "openmp", s, shared_loop<synchro::fork_join_pool>, shared_loop<openmp_pool>});
#endif
}

std::vector<contest> contests_here() {
  const auto machine = synchro::platform::read_topology();
  std::vector<contest> all;
  for (const std::uint64_t work : {0U, 10'000U, 100'000U}) {
    const std::uint32_t turns = work == 0 ? 5000 : 10'000'000 / static_cast<std::uint32_t>(work);
    const std::string busy = fmt::format(", {} cycles", work);
    if (machine.processors.size() > 1) {
      const auto pair = synchro::platform::place(machine, synchro::platform::placement::compact, 2);
      add_contests(all, {"2 pinned" + busy, 2, pair, work, turns});
    }
    add_contests(all, {"2 threads" + busy, 2, {}, work, turns});
    const auto many = 4 * static_cast<unsigned>(machine.processors.size());
    add_contests(all, {fmt::format("{} threads{}", many, busy), many, {}, work, turns / 4});
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) { return hold_all("waits", argc, argv, contests_here); }
