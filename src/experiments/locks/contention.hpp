// Threads that take random locks out of n, for a while: the body of locks.throughput and locks.ticket.
//
// Protocol. Each thread picks a lock, takes it, reads and writes the one line it protects, works for `hold` cycles in
// between, releases it, and works for `gap` cycles. The team warms up first; then the window is open, and whoever sees
// it close stops everyone. What was acquired in the window is divided by the time until the last acquisition of which
// a thread took the time.
//
// The clock is read at some acquisitions only, for two readings cost as much as a free lock. Each thread begins with
// every acquisition and doubles the interval until two readings are five microseconds apart, or ten; from then on the
// interval is a number of acquisitions, so long and short waits are as likely to be timed. Only after a span of a
// sixteenth of the window does the thread begin from every acquisition again, else it would notice the end of the window late.
// For the same reason what a thread counts is in registers while it plays: a store for each acquisition would have to be
// drained before the next one's read-modify-write.
//
// The lock is checked all the while (protected_line).

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_CONTENTION_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_CONTENTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/locks/guarded_locks.hpp"
#include "experiments/locks/tasks.hpp"
#include "measure/laboratory.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments::locks {

namespace detail {

/// xorshift64*: a few cycles, and good enough to pick locks by.
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_{seed * 0x9e37'79b9'7f4a'7c15 | 1} {}
  std::uint32_t below(std::uint32_t n) noexcept {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>(((state_ * 0x2545'f491'4f6c'dd1d >> 32) * n) >> 32);
  }

 private:
  std::uint64_t state_;
};

/// What the team shares besides the locks: written twice in all.
template <class Machine>
struct timetable {
  alignas(2 * cpu::cache_line) typename Machine::template atomic<std::uint64_t> begins{0};
  alignas(2 * cpu::cache_line) typename Machine::template atomic<std::uint32_t> over{0};
};

/// What a thread counts while it plays.
struct counts {
  std::uint64_t exclusive = 0;  ///< Of all, and those of them that another thread had before.
  std::uint64_t hand_offs = 0;
  std::uint64_t shared = 0;
  std::uint64_t torn = 0;

  counts operator-(const counts& o) const {
    return {exclusive - o.exclusive, hand_offs - o.hand_offs, shared - o.shared, torn - o.torn};
  }
};

/// What one thread has to tell.
struct tally {
  counts all;
  counts before_window;
  std::uint64_t opened_at = 0;
  std::uint64_t last_at = 0;
  std::uint64_t left_at = 0;
  std::uint64_t longest_span = 0;
  std::vector<std::uint64_t> waits;
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
    window_ = static_cast<std::uint64_t>(task.window_ns / ns_per_tick);
    // Two readings of the clock in five microseconds cost less than one in a hundred; long windows of large teams are
    // timed less often, to bound what is kept.
    const double span_ns = std::max(5000.0, task.window_ns * task.threads / most_samples);
    span_ = static_cast<std::uint64_t>(span_ns / ns_per_tick);
    told_.waits.reserve(static_cast<std::size_t>(2 * task.window_ns / span_ns) + 64);
  }

  tally run() {
    const std::uint64_t begin = agree_on(Laboratory::now());
    told_.opened_at = begin + window_ / 10;
    closes_ = told_.opened_at + window_;
    previous_ = begin;
    const auto n = static_cast<std::uint32_t>(locks_.size());
    Lock* const* const all = locks_.table();
    const auto play_with = [this](auto pick) {
      return task_.hold == 0 && task_.gap == 0 && task_.readers == 0 ? play<true>(pick) : play<false>(pick);
    };
    told_.all = n == 1
                    ? play_with([only = *all] { return only; })
                    : play_with([all, n, picks = dice{~(task_.seed + me_)}]() mutable { return all[picks.below(n)]; });
    told_.left_at = Laboratory::now();
    return std::move(told_);
  }

 private:
  /// What a thread is, and what it does with each lock.
  struct part {
    std::uint32_t number;
    std::uint64_t hold;
    unsigned readers;
  };

  static constexpr double most_samples = 1 << 17;
  static constexpr std::uint32_t longest_interval = 4096;

  /// The first thread to come says when the team began.
  std::uint64_t agree_on(std::uint64_t mine) {
    std::uint64_t begun = 0;
    return when_.begins.compare_exchange_strong(begun, mine, memory_order::relaxed, memory_order::relaxed) ? mine
                                                                                                           : begun;
  }

  /// What the loop needs of this object is in locals: behind a lock's barriers all else is read anew each time, and a
  /// processor may begin to read it only when the lock's read-modify-write is done. `Plain`: neither work nor readers,
  /// which leaves the registers to what is counted. Flattened, for a lock is inlined where it is used in one place; a function
  /// of its own, for in a larger one the compiler keeps some of it on the stack, and each acquisition waits for that store.
  template <bool Plain, class Pick>
  [[gnu::flatten, gnu::noinline]] counts play(Pick pick) {
    counts mine;
    const part my{me_, Plain ? 0 : task_.hold, Plain ? 0 : task_.readers};
    const std::uint64_t gap = Plain ? 0 : task_.gap;
    auto& over = when_.over;
    std::uint32_t left = 1;
    while (over.load(memory_order::relaxed) == 0) {
      if (--left == 0) {
        mine = timed(*pick(), mine, my);
        left = interval_;
      } else {
        acquire(*pick(), mine, my, [] {});
      }
      if (gap != 0) Laboratory::work(gap);
    }
    return mine;
  }

  /// Takes the lock, does what a holder does, and releases it. `taken()` is called as soon as the lock is held.
  template <class Taken>
  [[gnu::always_inline]] inline void acquire(Lock& lock, counts& mine, const part& my, Taken taken) {
    auto& data = cells::guarded_by(lock);
    if constexpr (shared_lockable<Lock>) {
      if (my.readers != 0 && dice_.below(100) < my.readers) {
        lock.lock_shared();
        taken();
        read(data, mine, my);
        lock.unlock_shared();
        ++mine.shared;
        return;
      }
    }
    grip_.lock(lock);
    taken();
    write(data, mine, my);
    grip_.unlock(lock);
    ++mine.exclusive;
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

  /// Takes and returns values, so that the counts of the loop stay in its registers.
  [[gnu::noinline]] counts timed(Lock& lock, counts mine, part my) {
    const counts so_far = mine;
    const std::uint64_t before = Laboratory::now();
    std::uint64_t after = before;
    if (task_.pairs == 0) {
      acquire(lock, mine, my, [&] { after = Laboratory::now(); });
    } else {
      for (unsigned i = 0; i < task_.pairs; ++i) acquire(lock, mine, my, [] {});
      after = Laboratory::now();
    }
    note(before, after, so_far);
    return mine;
  }

  void note(std::uint64_t before, std::uint64_t after, const counts& so_far) {
    const std::uint64_t span = after - previous_;
    previous_ = after;
    if (span < span_ && interval_ < longest_interval) interval_ *= 2;
    if (span > window_ / 16) interval_ = 1;
    if (after < told_.opened_at) return;
    if (std::exchange(in_window_, true)) {
      told_.waits.push_back(after - before);
      told_.longest_span = std::max(told_.longest_span, span);
    } else {
      told_.before_window = so_far;
    }
    told_.last_at = after;
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
  tally told_;
};

/// One sentence if what the lock protects does not add up.
template <class Cells>
std::optional<std::string> fault(const Cells& locks, std::uint64_t acquired, std::uint64_t torn) {
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < locks.size(); ++i) {
    const std::uint64_t ended = locks.guarded(i).ended;
    counted += ended;
  }
  if (counted != acquired)
    return "the lock let two in at a time: " + std::to_string(acquired) + " acquisitions left a count of " +
           std::to_string(counted);
  if (torn != 0)
    return "the lock let two in at a time: " + std::to_string(torn) + " holders saw another one's half-done change";
  return std::nullopt;
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
  contention_result r;
  r.team = Laboratory::team(task.cpus, task.threads, [&](unsigned me) {
    detail::contender<Laboratory, Lock> thread{task, *locks, **when, me};
    tallies[me] = thread.run();
  });

  std::uint64_t exclusive = 0;
  std::uint64_t torn = 0;
  std::uint64_t last_at = 0;
  std::uint64_t left_at = 0;
  const double empty_ns = measure::usual_empty_region<Laboratory>();
  const double share = task.pairs == 0 ? 1 : 1.0 / task.pairs;
  for (const detail::tally& t : tallies) {
    const detail::counts since = t.last_at == 0 ? detail::counts{} : t.all - t.before_window;
    r.acquisitions.push_back(static_cast<double>(since.exclusive + since.shared));
    r.exclusive += since.exclusive;
    r.hand_offs += since.hand_offs;
    exclusive += t.all.exclusive;
    torn += t.all.torn;
    last_at = std::max(last_at, t.last_at);
    left_at = std::max(left_at, t.left_at);
    r.longest_span_ns = std::max(r.longest_span_ns, Laboratory::to_ns(t.longest_span));
    for (const std::uint64_t wait : t.waits) r.waits_ns.push_back((Laboratory::to_ns(wait) - empty_ns) * share);
  }
  const std::uint64_t opened = tallies.front().opened_at;
  r.elapsed_ns = Laboratory::to_ns(last_at - opened);
  r.overrun_ns = std::max(0.0, Laboratory::to_ns(left_at - opened) - task.window_ns);
  r.broken = detail::fault(*locks, exclusive, torn);
  return r;
}

}  // namespace synchro::experiments::locks

#endif
