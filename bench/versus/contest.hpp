// A contest between two implementations of one thing: interleaved in one run, compared round by round.
//
// These machines drift, so an absolute time says little: only the ratio of two contenders that ran within the same
// milliseconds does. Each round runs both, in random order, between two probes of the distance of the processors in
// use; rounds during which the distance changed are dropped and counted, and modes are told apart (measure/mode.hpp).
//
// A contender is a type with
//   struct context { explicit context(Contender&); ... };   what one thread brings along: nothing, or its queue node
//   void lock(context&); void unlock(context&);

#ifndef SYNCHRO_BENCH_CONTEST_HPP
#define SYNCHRO_BENCH_CONTEST_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "measure/host.hpp"
#include "synchro/os.hpp"

namespace synchro::bench {

/// What one contender did in one round.
struct outcome {
  double ns_per_op;  ///< Wall time divided by all operations of the team.
  double hand_off;   ///< Share of acquisitions whose previous holder was another thread.
};

/// The circumstances both contenders share.
struct situation {
  std::string name;
  std::vector<unsigned> cpus;  ///< One per thread; empty: unpinned.
  unsigned threads;
  std::uint64_t pause_cycles;  ///< After each release; longer than the largest transfer when contended.
  std::uint32_t operations;    ///< Uncontended: so many; contended: until the time is over.
  std::uint64_t nanoseconds;
  unsigned locks = 1;  ///< With one thread: a power of two, of which each acquisition takes any.
};

/// The contended object: the lock alone on its lines, what it protects on another, as in a well-laid-out program.
template <class Contender>
struct arena {
  alignas(2 * cpu::cache_line) Contender lock;
  alignas(2 * cpu::cache_line) std::uint64_t acquisitions = 0;
  std::uint64_t hand_offs = 0;
  unsigned last_holder = ~0U;
};

/// Which lock is next: the only one, or any of so many. Apart, so that the loop over one lock picks nothing.
struct the_only_one {
  explicit the_only_one(const situation&) {}
  unsigned operator()() { return 0; }
};
struct any_of_them {
  explicit any_of_them(const situation& s) : mask{s.locks - 1} {}
  unsigned operator()() {
    random = random * 6364136223846793005 + 1442695040888963407;
    return static_cast<unsigned>(random >> 40) & mask;
  }
  std::uint64_t random = 1;
  unsigned mask;
};

template <class Contender, class Pick>
outcome uncontended(const situation& s) {
  const auto places = std::make_unique<arena<Contender>[]>(s.locks);
  double ns = 0;
  measure::host::team(s.cpus, 1, [&](unsigned) {
    typename Contender::context mine{places[0].lock};
    const auto run = [&](std::uint32_t operations) {
      Pick next{s};
      const std::uint64_t begin = measure::host::now();
      for (std::uint32_t i = 0; i < operations; ++i) {
        Contender& lock = places[next()].lock;
        lock.lock(mine);
        asm volatile("" ::: "memory");
        lock.unlock(mine);
      }
      return measure::host::to_ns(measure::host::now() - begin);
    };
    run(s.operations / 10);
    ns = run(s.operations);
  });
  return {ns / s.operations, 0};
}

template <class Contender>
outcome contended(const situation& s) {
  const auto place = std::make_unique<arena<Contender>>();
  std::atomic<bool> stop{false};
  std::vector<std::uint64_t> begins(s.threads);
  std::vector<std::uint64_t> ends(s.threads);
  measure::host::team(s.cpus, s.threads, [&](unsigned me) {
    typename Contender::context mine{place->lock};
    begins[me] = measure::host::now();
    for (std::uint32_t i = 0; !stop.load(std::memory_order_relaxed); ++i) {
      place->lock.lock(mine);
      ++place->acquisitions;
      place->hand_offs += static_cast<std::uint64_t>(place->last_holder != me);
      place->last_holder = me;
      place->lock.unlock(mine);
      measure::host::work(s.pause_cycles);
      if (me == 0 && i % 16 == 0 &&
          measure::host::to_ns(measure::host::now() - begins[0]) > static_cast<double>(s.nanoseconds))
        stop.store(true, std::memory_order_relaxed);
    }
    ends[me] = measure::host::now();
  });
  const std::uint64_t begin = *std::min_element(begins.begin(), begins.end());
  const std::uint64_t end = *std::max_element(ends.begin(), ends.end());
  const auto n = static_cast<double>(place->acquisitions);
  return {measure::host::to_ns(end - begin) / n, static_cast<double>(place->hand_offs) / n};
}

/// One contest: two contenders in one situation.
struct contest {
  std::string ours, theirs;
  situation where;
  std::function<outcome(const situation&)> run_ours, run_theirs;
};

template <class Contender>
outcome run(const situation& s) {
  if (s.threads > 1) return contended<Contender>(s);
  return s.locks == 1 ? uncontended<Contender, the_only_one>(s) : uncontended<Contender, any_of_them>(s);
}

template <class Ours, class Theirs>
contest make_contest(std::string ours, std::string theirs, const situation& where) {
  return {std::move(ours), std::move(theirs), where, run<Ours>, run<Theirs>};
}

/// Runs all contests, interleaved, and prints a table. Returns how many were lost (resolved slower).
unsigned hold(const std::vector<contest>& contests, unsigned rounds, std::uint64_t seed);

}  // namespace synchro::bench

#endif
