// What libslock's measuring programs do around its locks, statement by statement, on the simulated machine:
// bmarks/uncontended.c (Fig. 6 of the paper) and bmarks/stress_latency.c (Fig. 3), as scripts/test.sh calls them.
//
// Both find the lock by a pointer in memory between two readings of the clock. They subtract what two readings cost that have nothing
// between them; a simulated clock costs nothing. Both print the mean of all threads.
//
// uncontended.c: two threads take turns by two counters, so each finds the lock as the other one has left it; with one
// thread it is the thread itself. Acquisition and release are timed apart. The counters lie on one line with the pointer,
// whether GCC (12) makes common symbols or not. On the Xeon there are three fences, of which one ends within the time of the
// acquisition (the stored commit 52a69c67; later ones have none), everywhere one in that of the release. Not simulated: what the processor
// may do before the clock is read, for on x86 rdtsc waits for nothing.
//
// stress_latency.c: all threads want one lock and release it at once; ten acquisitions that are not timed, one that is, from
// before it to after the release, with a fence before the release and one after it. After each a thread rests for 100 cycles.

#ifndef SYNCHRO_SIMULATIONS_LIBSLOCK_PROGRAMS_HPP
#define SYNCHRO_SIMULATIONS_LIBSLOCK_PROGRAMS_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/locks/guarded_locks.hpp"
#include "experiments/locks/tasks.hpp"
#include "simulations/libslock.hpp"
#include "simulations/paper_locks.hpp"

namespace synchro::simulations::libslock {

/// One lock on lines of its own, and the program that uses it.
template <class Lock, template <class> class Program>
class measured {
 public:
  /// Both are made at the first of these processors.
  measured(const std::vector<unsigned>& cpus, unsigned threads) {
    const shape team = experiments::locks::shape_for<simulated>(threads);
    experiments::locks::at_first<simulator::laboratory>(cpus, [&] {
      locks_.emplace(1, team);
      program_.emplace(&locks_->lock(0));
    });
  }
  Program<Lock>* operator->() { return &*program_; }

 private:
  std::optional<experiments::locks::guarded_locks<simulator::laboratory, Lock>> locks_;
  std::optional<Program<Lock>> program_;
};

/// bmarks/uncontended.c for one lock.
template <class Lock>
class uncontended {
 public:
  struct times {
    std::uint64_t acquire = 0, release = 0;  ///< Ticks.
  };

  explicit uncontended(Lock* lock) { global_->locks = lock; }

  /// One of so many threads. Sums, from when all have begun until the first is through with so many acquisitions.
  void run(unsigned threads, unsigned rounds, times& sum, std::uint64_t& acquisitions) {
    constexpr unsigned warm_up = 20;
    flags_->ready.fetch_add(1, memory_order::acq_rel);
    simulated::await(flags_->ready, memory_order::acquire, [threads](std::uint32_t ready, std::uint32_t) {
      return ready == threads ? look::done() : look::retry(1);
    });
    for (unsigned round = 0; flags_->stop.load(memory_order::relaxed) == 0; ++round) {
      const times one = once();
      if (round == warm_up + rounds) flags_->stop.store(1, memory_order::relaxed);
      if (round < warm_up || round >= warm_up + rounds) continue;
      sum.acquire += one.acquire;
      sum.release += one.release;
      ++acquisitions;
    }
  }

 private:
  using clock = simulator::laboratory;

  struct alignas(cpu::cache_line) globals {
    plain<Lock*> locks{nullptr};
    word tail{0}, head{1};
  };

  struct alignas(cpu::cache_line) flags {
    word ready{0}, stop{0};
  };

  times once() {
    globals& g = *global_;
    const std::uint32_t turn = g.tail.fetch_add(1, memory_order::acq_rel) + 1;
    simulated::await(g.head, memory_order::acquire, [turn](std::uint32_t head, std::uint32_t) {
      return head == turn ? look::done() : look::retry(1);
    });
    fence_on_xeon();
    const std::uint64_t begin = clock::now();
    g.locks->lock();
    fence_on_xeon();
    const std::uint64_t taken = clock::now();
    fence_on_xeon();
    const std::uint64_t before_release = clock::now();
    g.locks->unlock();
    simulated::fence();
    const std::uint64_t released = clock::now();
    g.head.store(g.head.load(memory_order::relaxed) + 1, memory_order::release);
    return {taken - begin, released - before_release};
  }

  clock::fresh<globals> global_;
  clock::fresh<flags> flags_;
};

/// Means over the threads, and over `task.batch` locks, whose homes differ where lines have them all over the machine.
template <class Lock>
experiments::locks::previous_holder_result run_uncontended(const experiments::locks::previous_holder_task& task) {
  const unsigned threads = task.other_thread ? 2 : 1;
  typename uncontended<Lock>::times sum;
  std::uint64_t acquisitions = 0;
  for (unsigned i = 0; i < task.batch; ++i) {
    measured<Lock, uncontended> program{task.cpus, threads};
    simulator::laboratory::team(task.cpus, threads,
                                [&](unsigned) { program->run(threads, task.rounds, sum, acquisitions); });
  }
  experiments::locks::previous_holder_result r;
  r.acquire_ns = {simulator::laboratory::to_ns(sum.acquire) / static_cast<double>(acquisitions)};
  r.release_ns = {simulator::laboratory::to_ns(sum.release) / static_cast<double>(acquisitions)};
  return r;
}

/// bmarks/stress_latency.c for one lock (-l 1 -a 0 -c 0).
template <class Lock>
class stress_latency {
 public:
  explicit stress_latency(Lock* lock) { global_->locks = lock; }

  /// One of the threads, which rests for so many cycles after each release: what it has timed after `opens`, ticks, until
  /// somebody finds that it is `closes`.
  std::vector<std::uint64_t> run(std::uint64_t rest, std::uint64_t opens, std::uint64_t closes) {
    globals& g = *global_;
    std::vector<std::uint64_t> took;
    while (g.stop.load(memory_order::relaxed) == 0) {
      for (unsigned i = 1; i < paper_ticket_timed_one_of; ++i) {
        g.locks->lock();
        g.locks->unlock();
        clock::work(rest);
      }
      const std::uint64_t begin = clock::now();
      g.locks->lock();
      simulated::fence();
      g.locks->unlock();
      simulated::fence();
      const std::uint64_t end = clock::now();
      clock::work(rest);
      if (begin >= opens && end < closes) took.push_back(end - begin);
      if (end >= closes) g.stop.store(1, memory_order::relaxed);
    }
    return took;
  }

 private:
  using clock = simulator::laboratory;

  struct alignas(cpu::cache_line) globals {
    plain<Lock*> locks{nullptr};
    word stop{0};
  };
  clock::fresh<globals> global_;
};

/// Of the task only processors, threads, the gap and the window count.
template <class Lock>
experiments::locks::contention_result run_stress_latency(const experiments::locks::contention_task& task) {
  using clock = simulator::laboratory;
  measured<Lock, stress_latency> program{task.cpus, task.threads};
  const auto window = static_cast<std::uint64_t>(task.window_ns / clock::to_ns(1));
  const std::uint64_t opens = clock::now() + window / 10;
  experiments::locks::contention_result r;
  clock::team(task.cpus, task.threads, [&](unsigned) {
    for (const std::uint64_t took : program->run(task.gap, opens, opens + window))
      r.waits_ns.push_back(clock::to_ns(took));
  });
  return r;
}

}  // namespace synchro::simulations::libslock

#endif
