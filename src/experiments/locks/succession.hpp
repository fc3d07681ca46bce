// What it costs to take a free lock by where its previous holder ran: the body of locks.uncontested.
//
// Protocol. A round takes `batch` locks, for one alone is too short for the clock. The previous holder acquires and
// releases each of them in a random order, then passes the turn over a flag; the taker, on its processor, stamps the
// clock, acquires all of them in the same order, stamps, releases all, stamps. Every other round it acquires and
// releases one after the other instead, with one stamp before and one after. Nobody ever waits for a lock here. Without
// another thread the previous holder is the taker itself.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_SUCCESSION_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_SUCCESSION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "experiments/coherence/timing.hpp"
#include "experiments/locks/guarded_locks.hpp"
#include "experiments/locks/tasks.hpp"
#include "measure/laboratory.hpp"
#include "synchro/waiting.hpp"

namespace synchro::experiments::locks {

namespace detail {

template <class Laboratory, class Lock>
class succession {
  using machine = typename Laboratory::machine;
  using cells = guarded_locks<Laboratory, Lock>;

 public:
  succession(const succession_task& task, const cells& locks)
      : task_{task}, locks_{locks}, order_(task.batch), rounds_{task.rounds + warm_up} {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::mt19937_64 random{task.seed};
    std::shuffle(order_.begin(), order_.end(), random);
  }

  /// The taker's part: waits for its turn, times, passes the turn back.
  void take(succession_result& r) {
    std::vector<grip<Lock>> grips(task_.batch);
    empty_ns_ = coherence::usual_empty_region<Laboratory>();
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
      return now == turn ? look::content() : spin_yield::again(round);
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

  void time_apart(succession_result& r, std::vector<grip<Lock>>& grips, bool counts) {
    const std::uint64_t start = Laboratory::now();
    for (const std::size_t i : order_) grips[i].lock(locks_.lock(i));
    const std::uint64_t held = Laboratory::now();
    for (const std::size_t i : order_) touch(locks_.guarded(i));
    const std::uint64_t release = Laboratory::now();
    for (const std::size_t i : order_) grips[i].unlock(locks_.lock(i));
    const std::uint64_t end = Laboratory::now();
    if (counts) {
      r.acquire_ns.push_back(each_of(held - start));
      r.release_ns.push_back(each_of(end - release));
    }
  }

  void time_pairs(succession_result& r, grip<Lock>& mine, bool counts) {
    const std::uint64_t start = Laboratory::now();
    for (const std::size_t i : order_) {
      mine.lock(locks_.lock(i));
      mine.unlock(locks_.lock(i));
    }
    const std::uint64_t end = Laboratory::now();
    if (counts) r.pair_ns.push_back(each_of(end - start));
  }

  const succession_task& task_;
  const cells& locks_;
  std::vector<std::size_t> order_;
  unsigned rounds_;
  double empty_ns_ = 0;
  alignas(2 * cpu::cache_line) typename machine::template atomic<std::uint32_t> turn_{0};
};

}  // namespace detail

/// One repetition.
template <class Laboratory, class Lock>
succession_result succeed(const succession_task& task) {
  using machine = typename Laboratory::machine;
  const unsigned threads = task.other_thread ? 2 : 1;
  std::optional<guarded_locks<Laboratory, Lock>> locks;
  const shape team = shape_for<machine>(threads);
  at_first<Laboratory>(task.cpus, [&] { locks.emplace(task.batch, team); });
  detail::succession<Laboratory, Lock> body{task, *locks};
  succession_result r;
  r.team = Laboratory::team(task.cpus, threads, [&](unsigned me) {
    if (me == 0)
      body.take(r);
    else
      body.precede();
  });
  for (std::size_t i = 0; i < locks->size() && !r.broken; ++i) {
    const std::uint64_t counted = locks->guarded(i).ended;
    if (counted != body.visits())
      r.broken = "the lock let two in at a time: " + std::to_string(body.visits()) + " acquisitions left a count of " +
                 std::to_string(counted);
  }
  return r;
}

}  // namespace synchro::experiments::locks

#endif
