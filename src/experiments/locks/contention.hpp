// Threads that take random locks out of n, for a while: the body of locks.throughput and locks.ticket.
//
// Protocol. Each thread picks a lock, takes it, reads and writes the one line it protects, works for `hold` cycles in
// between, releases it, and works for `gap` cycles. The team warms up first; then the window is open, and whoever sees
// it close stops everyone. What was acquired in the window is divided by the time until the last acquisition of which
// a thread took the time (tally.hpp).
//
// The clock is read at some acquisitions only, for two readings cost as much as a free lock. Each thread begins with
// every acquisition and doubles the interval until two readings are ten microseconds apart, or twenty; from then on the
// interval is a number of acquisitions, so long and short waits are as likely to be timed. Only after a span of a
// sixteenth of the window does the thread begin from every acquisition again, else it would notice the end of the window late.
// What lies between two readings, a stretch, is a loop that stores nothing but what a holder stores: a store for each
// acquisition would have to be drained before the next one's read-modify-write. Instructions count, too, for a free lock
// that is called executes nearly as many as the processor can: the loop is unrolled, else it costs std/mutex 3 to 5 %.
// And such a lock leaves a loop six registers. So a stretch keeps what is left of it, and what it has counted is what is
// not left; a hand-off, which is slower than a store, is counted in memory.
//
// The lock is checked all the while (protected_line).

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_CONTENTION_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_CONTENTION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/locks/guarded_locks.hpp"
#include "experiments/locks/tally.hpp"
#include "experiments/locks/tasks.hpp"
#include "measure/laboratory.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments::locks {

namespace detail {

/// A linear congruential generator's upper half (Knuth, The Art of Computer Programming 2, 3.3.4): two multiplications,
/// and good enough to pick locks by.
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_{after(seed * 0x9e37'79b9'7f4a'7c15)} {}
  /// The next state is made behind the number, while whoever asked is busy with it.
  std::uint32_t below(std::uint32_t n) noexcept {
    return static_cast<std::uint32_t>(((std::exchange(state_, after(state_)) >> 32) * n) >> 32);
  }

 private:
  static std::uint64_t after(std::uint64_t state) noexcept {
    return state * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
  }
  std::uint64_t state_;
};

/// What the team shares besides the locks: written twice in all.
template <class Machine>
struct timetable {
  alignas(2 * cpu::cache_line) typename Machine::template atomic<std::uint64_t> begins{0};
  alignas(2 * cpu::cache_line) typename Machine::template atomic<std::uint32_t> over{0};
};

/// One thread of the team.
template <class Laboratory, class Lock>
class contender {
  using machine = typename Laboratory::machine;
  using cells = guarded_locks<Laboratory, Lock>;

 public:
  contender(const contention_task& task, const cells& locks, timetable<machine>& when, unsigned me)
      : task_{task}, locks_{locks}, when_{when}, me_{me}, dice_{task.seed + me} {
    const double ns_per_tick = Laboratory::to_ns(1);
    window_ = static_cast<std::uint64_t>(std::ceil(task.window_ns / ns_per_tick));  // no tick less than was asked for
    // A timed acquisition costs some 60 ns more than another, which in ten microseconds is less than one in a hundred.
    // Short windows are timed more often, to have enough; long ones of large teams less often, to bound what is kept.
    const double span_ns =
        std::max(std::clamp(task.window_ns / 2000, 5000.0, 10'000.0), task.window_ns * task.threads / most_samples);
    span_ = static_cast<std::uint64_t>(span_ns / ns_per_tick);
    tally_.waits.reserve(static_cast<std::size_t>(2 * task.window_ns / span_ns) + 64);
  }

  tally run() {
    const std::uint64_t begin = agree_on(Laboratory::now());
    tally_.opened_at = begin + window_ / 10;
    closes_ = tally_.opened_at + window_;
    previous_ = tally_.before.at = begin;
    if (locks_.size() == 1)
      play_with(the_only{&locks_.lock(0)});
    else
      play_with(any_of{&locks_.lock(0), static_cast<std::uint32_t>(locks_.size()), dice{~(task_.seed + me_)}});
    tally_.left = {Laboratory::now(), so_far_};
    if (!in_window_) {
      tally_.first = tally_.left;
      tally_.last = tally_.before;
    }
    return std::move(tally_);
  }

 private:
  /// What a thread is, and what it does with each lock.
  struct part {
    std::uint32_t number;
    unsigned readers;
    std::uint64_t hold, gap;
  };

  struct the_only {
    Lock* lock;
    Lock& next() const noexcept { return *lock; }
  };
  struct any_of {
    Lock* first;
    std::uint32_t n;
    dice picks;
    Lock& next() noexcept { return cells::after(*first, picks.below(n)); }
    /// A simulated core begins to fetch the next locks and what they protect, as a processor does by itself.
    void expect_next() const requires requires { Laboratory::expect(nullptr); }
    {
      dice later = picks;
      for (unsigned i = Laboratory::operations_ahead(); i != 0; --i) {
        Lock& l = cells::after(*first, later.below(n));
        Laboratory::expect(&l);
        Laboratory::expect(&cells::guarded_by(l));
      }
    }
  };

  static constexpr double most_samples = 1 << 17;
  static constexpr std::uint32_t longest_interval = 8192;
  static constexpr std::uint32_t between_looks =
      8;  ///< Acquisitions, at most, until a thread sees that others have stopped.

  /// The first thread to come says when the team began.
  std::uint64_t agree_on(std::uint64_t mine) {
    std::uint64_t begun = 0;
    return when_.begins.compare_exchange_strong(begun, mine, memory_order::relaxed, memory_order::relaxed) ? mine
                                                                                                           : begun;
  }

  template <class Pick>
  void play_with(Pick pick) {
    if (task_.hold == 0 && task_.gap == 0 && task_.readers == 0)
      play<true>(pick);
    else
      play<false>(pick);
  }

  template <bool Plain, class Pick>
  void play(Pick pick) {
    while (when_.over.load(memory_order::relaxed) == 0) {
      timed(pick.next());
      if (task_.gap != 0) Laboratory::work(task_.gap);
      stretch<Plain>(pick, interval_ - 1);
    }
  }

  /// Up to n acquisitions that are not timed.
  ///
  /// What the loop needs of this object is in locals: behind a lock's barriers all else is read anew each time, and a
  /// processor may begin to read it only when the lock's read-modify-write is done. `Plain`: neither work nor readers.
  /// Flattened on hardware, for a lock is inlined where it is used in one place; a function of its own, for in a larger one
  /// the compiler keeps some of it on the stack. What is simulated takes no time of the host's.
  template <bool Plain, class Pick>
  [[gnu::flatten, gnu::noinline]] void flattened(Pick& pick, const std::uint32_t n) {
    acquisitions<Plain>(pick, n);
  }
  template <bool Plain, class Pick>
  void stretch(Pick& pick, const std::uint32_t n) {
    if constexpr (std::is_same_v<machine, hardware>)
      flattened<Plain>(pick, n);
    else
      acquisitions<Plain>(pick, n);
  }
  template <bool Plain, class Pick>
  [[gnu::always_inline]] inline void acquisitions(Pick& pick, const std::uint32_t n) {
    const part my{me_, Plain ? 0 : task_.readers, Plain ? 0 : task_.hold, Plain ? 0 : task_.gap};
    counts mine;
    Pick local = pick;
    const auto& over = when_.over;
    const auto once = [&] {
      Lock& lock = local.next();
      if constexpr (Plain && requires { local.expect_next(); }) local.expect_next();
      acquire(lock, Plain ? so_far_ : mine, my, [] {});
      if (my.gap != 0) Laboratory::work(my.gap);
    };
    std::uint32_t left = n;
    while (left != 0 && over.load(memory_order::relaxed) == 0) {
      if (const std::uint32_t odd = left % between_looks; odd != 0) {
        left -= odd;
        for (std::uint32_t i = 0; i < odd; ++i) once();
      } else {
        left -= between_looks;
#pragma GCC unroll 4
        for (std::uint32_t i = 0; i < between_looks; ++i) once();
      }
    }
    pick = local;
    mine.acquisitions = n - left;
    so_far_ += mine;
  }

  /// Takes the lock, does what a holder does, and releases it. `taken()` is called as soon as the lock is held. The
  /// caller counts the acquisition.
  template <class Taken>
  [[gnu::always_inline]] inline void acquire(Lock& lock, counts& mine, const part& my, Taken taken) {
    if constexpr (shared_lockable<Lock>) {
      if (my.readers != 0 && dice_.below(100) < my.readers) {
        lock.lock_shared();
        taken();
        read(cells::guarded_by(lock), mine, my);
        lock.unlock_shared();
        ++mine.shared;
        return;
      }
    }
    grip_.lock(lock);
    taken();
    write(cells::guarded_by(lock), mine, my);
    grip_.unlock(lock);
  }

  static void read(auto& data, counts& mine, const part& my) {
    const std::uint64_t ended = data.ended;
    if (my.hold != 0) Laboratory::work(my.hold);
    const std::uint64_t begun = data.begun;
    mine.torn += static_cast<std::uint64_t>(begun != ended);
  }

  /// Two writers at a time lose a count; only readers need to see that a writer has begun.
  static void write(auto& data, counts& mine, const part& my) {
    const std::uint64_t ended = data.ended;
    const std::uint32_t last = data.last_holder;
    if (last != my.number) {
      data.last_holder = my.number;
      if (last != protected_line<machine>::nobody) ++mine.hand_offs;
    }
    if constexpr (shared_lockable<Lock>)
      if (my.readers != 0) {
        const std::uint64_t begun = data.begun;
        mine.torn += static_cast<std::uint64_t>(begun != ended);
        data.begun = ended + 1;
      }
    if (my.hold != 0) Laboratory::work(my.hold);
    data.ended = ended + 1;
  }

  [[gnu::noinline]] void timed(Lock& lock) {
    const part my{me_, task_.readers, task_.hold, task_.gap};
    counts mine;
    mine.acquisitions = std::max(task_.pairs, 1U);
    const std::uint64_t before = Laboratory::now();
    std::uint64_t after = before;
    if (task_.pairs == 0) {
      acquire(lock, mine, my, [&] { after = Laboratory::now(); });
    } else {
      for (unsigned i = 0; i < task_.pairs; ++i) acquire(lock, mine, my, [] {});
      after = Laboratory::now();
    }
    const counts so_far = so_far_;
    so_far_ += mine;
    note(before, after, so_far);
  }

  void note(std::uint64_t before, std::uint64_t after, const counts& until_before) {
    const std::uint64_t span = after - previous_;
    previous_ = after;
    if (span < span_ && interval_ < longest_interval) interval_ *= 2;
    if (span > window_ / 16) interval_ = 1;
    if (after < tally_.opened_at) {
      tally_.before = {after, so_far_};
      return;
    }
    if (std::exchange(in_window_, true)) {
      tally_.waits.push_back(after - before);
      tally_.longest_span = std::max(tally_.longest_span, span);
    } else {
      tally_.first = {after, until_before};
    }
    tally_.last = {after, so_far_};
    if (after >= closes_) when_.over.store(1, memory_order::relaxed);
  }

  const contention_task& task_;
  const cells& locks_;
  timetable<machine>& when_;
  std::uint32_t me_;
  dice dice_;  // who reads
  grip<Lock> grip_;
  std::uint64_t window_;
  std::uint64_t span_;
  std::uint64_t closes_ = 0;
  std::uint64_t previous_ = 0;
  std::uint32_t interval_ = 1;
  bool in_window_ = false;
  counts so_far_;
  tally tally_;
};

/// How many holders have counted themselves.
template <class Cells>
std::uint64_t counted_by(const Cells& locks) {
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < locks.size(); ++i) {
    const std::uint64_t ended = locks.guarded(i).ended;
    counted += ended;
  }
  return counted;
}

/// One sentence if what the lock protects does not add up.
inline std::optional<std::string> fault(std::uint64_t counted, std::uint64_t acquired, std::uint64_t torn) {
  if (counted != acquired)
    return "mutual exclusion failed: " + std::to_string(acquired) + " acquisitions left a count of " +
           std::to_string(counted);
  if (torn != 0)
    return "mutual exclusion failed: " + std::to_string(torn) + " holders saw another one's half-done change";
  return std::nullopt;
}

/// What the team has done in the window. Knows nothing of the lock, so that it is compiled once for all.
template <class Laboratory>
contention_result in_the_window(const contention_task& task, const std::vector<tally>& tallies, std::uint64_t counted) {
  contention_result r;
  std::uint64_t exclusive = 0;
  std::uint64_t torn = 0;
  std::uint64_t closed = 0;
  std::uint64_t left_at = 0;
  for (const tally& t : tallies) {
    exclusive += t.left.so_far.exclusive();
    torn += t.left.so_far.torn;
    closed = std::max(closed, t.last.at);
    left_at = std::max(left_at, t.left.at);
    r.longest_span_ns = std::max(r.longest_span_ns, Laboratory::to_ns(t.longest_span));
  }
  const std::uint64_t opened = tallies.front().opened_at;
  const double empty_ns = measure::usual_empty_region<Laboratory>();
  const double share_of_each = task.pairs == 0 ? 1 : 1.0 / task.pairs;
  for (const tally& t : tallies) {
    const share seen = within(t, opened, closed);
    r.acquisitions.push_back(seen.exclusive + seen.shared);
    r.exclusive += seen.exclusive;
    r.hand_offs += seen.hand_offs;
    for (const std::uint64_t wait : t.waits) r.waits_ns.push_back((Laboratory::to_ns(wait) - empty_ns) * share_of_each);
  }
  r.elapsed_ns = Laboratory::to_ns(closed - opened);
  r.overrun_ns = std::max(0.0, Laboratory::to_ns(left_at - opened) - task.window_ns);
  r.broken = fault(counted, exclusive, torn);
  return r;
}

}  // namespace detail

/// One repetition.
template <class Laboratory, class Lock>
contention_result contend(const contention_task& task) {
  using machine = typename Laboratory::machine;
  std::optional<guarded_locks<Laboratory, Lock>> locks;
  std::optional<typename Laboratory::template fresh<detail::timetable<machine>>> when;
  const shape team = shape_for<machine>(task.threads);
  at_first<Laboratory>(task.cpus, [&] {
    locks.emplace(task.locks, team);
    when.emplace();
  });
  std::vector<detail::tally> tallies(task.threads);
  const auto report = Laboratory::team(task.cpus, task.threads, [&](unsigned me) {
    detail::contender<Laboratory, Lock> thread{task, *locks, **when, me};
    tallies[me] = thread.run();
  });
  contention_result r = detail::in_the_window<Laboratory>(task, tallies, detail::counted_by(*locks));
  r.team = report;
  return r;
}

}  // namespace synchro::experiments::locks

#endif
