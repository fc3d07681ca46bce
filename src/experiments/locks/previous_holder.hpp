// What it costs to take a free lock by where its previous holder ran: the body of locks.uncontested.
//
// Protocol. A round takes `batch` locks, for one alone is too short for the clock. The previous holder acquires and
// releases each of them in a random order, then passes the turn over a flag; the taker, on its processor, stamps the
// clock, acquires all of them in the same order, stamps, releases all, stamps. Every other round it acquires and
// releases one after the other instead, with one stamp before and one after. Nobody ever waits for a lock here. Without
// another thread the previous holder is the taker itself.
//
// No acquisition of another's lock begins before the one before it has ended, for the address of the next lock depends on
// what lock() has changed (marks.hpp): a batch takes as long as its transfers do one after the other. This costs a load and
// two additions each. Nor do acquisitions that are timed apart from their releases, so that those of all distances can be
// compared. Releases are not made to wait for each other: the acquisition has brought what they touch, so there is no
// transfer to overlap, and a thread does not wait for its own release either. A thread that takes and releases what it had
// itself has no transfer to wait for: its pairs follow each other as they would in any loop. (The chain doubled what a
// test-and-set lock costs there, and hardly changed what a mutex does.)

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_PREVIOUS_HOLDER_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_PREVIOUS_HOLDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "experiments/locks/guarded_locks.hpp"
#include "experiments/locks/marks.hpp"
#include "experiments/locks/tasks.hpp"
#include "measure/laboratory.hpp"
#include "measure/timing.hpp"
#include "synchro/waiting.hpp"

namespace synchro::experiments::locks {

namespace detail {

template <class Laboratory, class Lock>
class previous_holder {
  using machine = typename Laboratory::machine;
  using cells = guarded_locks<Laboratory, Lock>;

 public:
  previous_holder(const previous_holder_task& task, const cells& locks, held_marks marks)
      : task_{task}, locks_{locks}, marks_{std::move(marks)}, order_(task.batch), rounds_{task.rounds + warm_up} {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::mt19937_64 random{task.seed};
    std::shuffle(order_.begin(), order_.end(), random);
    for (const std::size_t i : order_) visited_.push_back(&locks_.lock(i));
  }

  /// The taker's part: waits for its turn, times, passes the turn back.
  void take(previous_holder_result& r) {
    std::vector<grip<Lock>> grips(task_.batch);
    empty_ns_ = measure::usual_empty_region<Laboratory>();
    for (unsigned round = 0; round < rounds_; ++round) {
      if (task_.other_thread)
        wait_for(2 * round + 1);
      else
        visit_all(grips.front());
      if (round % 2 == 0)
        time_apart(r, grips, round >= warm_up);
      else
        time_pairs(r, grips.front(), round >= warm_up);
      if (task_.other_thread) turn_.store(2 * round + 2, memory_order::release);
    }
  }

  /// The part of the previous holder, if that is another thread.
  void precede() {
    grip<Lock> mine;
    for (unsigned round = 0; round < rounds_; ++round) {
      wait_for(2 * round);
      visit_all(mine);
      turn_.store(2 * round + 1, memory_order::release);
    }
  }

  /// How often each lock was held with its data touched.
  [[nodiscard]] std::uint64_t visits() const noexcept { return rounds_ + (rounds_ + 1) / 2; }

 private:
  static constexpr unsigned warm_up = 10;

  void wait_for(std::uint32_t turn) {
    machine::await(turn_, memory_order::acquire, [=](std::uint32_t now, std::uint32_t round) {
      return now == turn ? look::done() : spin_yield::retry(round);
    });
  }

  [[nodiscard]] double each_of(std::uint64_t ticks) const {
    return (Laboratory::to_ns(ticks) - empty_ns_) / task_.batch;
  }

  static void touch(typename cells::data& data) { data.ended = data.ended + 1; }

  void visit_all(grip<Lock>& mine) {
    for (const std::size_t i : order_) {
      mine.lock(locks_.lock(i));
      touch(locks_.guarded(i));
      mine.unlock(locks_.lock(i));
    }
  }

  void time_apart(previous_holder_result& r, std::vector<grip<Lock>>& grips, bool counts) {
    const std::size_t nothing = nothing_.load(memory_order::relaxed);
    std::size_t offset = 0;
    const std::uint64_t start = Laboratory::now();
    for (std::size_t k = 0; k < visited_.size(); ++k) {
      Lock* const lock = visited_[k] + offset;
      grips[k].lock(*lock);
      offset = marks_.read(lock) & nothing;
    }
    const std::uint64_t held = Laboratory::now();
    for (const std::size_t i : order_) touch(locks_.guarded(i));
    const std::uint64_t release = Laboratory::now();
    for (std::size_t k = 0; k < visited_.size(); ++k) grips[k].unlock(*visited_[k]);
    const std::uint64_t end = Laboratory::now();
    if (counts) {
      r.acquire_ns.push_back(each_of(held - start));
      r.release_ns.push_back(each_of(end - release));
    }
  }

  void time_pairs(previous_holder_result& r, grip<Lock>& mine, bool counts) {
    const std::uint64_t start = Laboratory::now();
    if (task_.other_thread)
      take_in_a_chain(mine);
    else
      take_in_turn(mine);
    const std::uint64_t end = Laboratory::now();
    if (counts) r.pair_ns.push_back(each_of(end - start));
  }

  void take_in_a_chain(grip<Lock>& mine) {
    const std::size_t nothing = nothing_.load(memory_order::relaxed);
    std::size_t offset = 0;
    for (Lock* const next : visited_) {
      Lock* const lock = next + offset;
      mine.lock(*lock);
      offset = marks_.read(lock) & nothing;
      mine.unlock(*lock);
    }
  }

  // Apart, so that the loop has all registers, as it would in any program.
  [[gnu::noinline]] void take_in_turn(grip<Lock>& mine) {
    for (Lock* const lock : visited_) {
      mine.lock(*lock);
      mine.unlock(*lock);
    }
  }

  const previous_holder_task& task_;
  const cells& locks_;
  held_marks marks_;
  std::vector<std::size_t> order_;
  std::vector<Lock*> visited_;  // in that order
  unsigned rounds_;
  double empty_ns_ = 0;
  // Zero, which the compiler must not know: it masks what the marks say, so that the next address depends on it and is
  // the same nevertheless.
  typename machine::template atomic<std::size_t> nothing_{0};
  alignas(2 * cpu::cache_line) typename machine::template atomic<std::uint32_t> turn_{0};
};

}  // namespace detail

/// One repetition.
template <class Laboratory, class Lock>
previous_holder_result succeed(const previous_holder_task& task) {
  using machine = typename Laboratory::machine;
  const unsigned threads = task.other_thread ? 2 : 1;
  std::optional<guarded_locks<Laboratory, Lock>> locks;
  const shape team = shape_for<machine>(threads);
  held_marks marks;
  at_first<Laboratory>(task.cpus, [&] {
    locks.emplace(task.batch, team);
    marks = held_marks::find(locks->lock(0));
  });
  previous_holder_result r;
  r.chained = !marks.none();
  detail::previous_holder<Laboratory, Lock> body{task, *locks, std::move(marks)};
  r.team = Laboratory::team(task.cpus, threads, [&](unsigned me) {
    if (me == 0)
      body.take(r);
    else
      body.precede();
  });
  for (std::size_t i = 0; i < locks->size() && !r.broken; ++i) {
    const std::uint64_t counted = locks->guarded(i).ended;
    if (counted != body.visits())
      r.broken = "mutual exclusion failed: " + std::to_string(body.visits()) + " acquisitions left a count of " +
                 std::to_string(counted);
  }
  return r;
}

}  // namespace synchro::experiments::locks

#endif
