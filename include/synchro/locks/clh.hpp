// CLH: a queue lock in which every waiter spins on its predecessor's cell, and takes that cell with it.
//
// Problem. As MCS, but without a link from predecessor to successor: the queue is implicit, so a release is one store
// that never has to wait for a newcomer, and a waiter that gives up needs no agreement with anybody ahead of it.
//
// Picture. Every thread knows only the cell before its own. The tail is never null: a free lock has one granted cell.
//
//            cell        cell                cell
//          +--------+  +---------+         +---------+
//          | granted|  | waiting |         | waiting | < tail
//          +--------+  +---------+         +---------+
//               ^ looks at  holder's own        ^ my own
//               holder's predecessor's       I look at the holder's cell, the next one at mine
//
//   lock       exchange the tail for my cell; wait for the word of the cell that came out. That cell is now mine:
//              nobody else looks at it.
//   unlock     hand over: "granted" into my cell, which is the successor's from now on, or stays as the tail.
//   timed      when the deadline comes, swing the tail back from my cell to the predecessor's: if that works, nobody
//              was behind me and my cell is free. Otherwise a successor looks at my cell: say there which cell I was
//              waiting for, and hand over "abandoned". The successor takes the cell and waits for the one before.
//              Nobody ahead notices anything, nothing waits for anybody, and abandoned cells never outnumber the
//              waiters.
//   try_lock   if the tail's cell is not waiting, swing the tail to my cell. Between the look and the swing that cell
//              may have gone round (taken, used in some lock, and come back here as the tail of another holder), which
//              the swing cannot see. So what follows is what a waiter does whose deadline is now: look at the cell
//              again, and leave if it is waiting. To look at a cell that is no longer in this queue is harmless, for
//              cells remain cells for good (node_pool.hpp).
//
// A thread that finds the lock free pays nothing for all this: it looks for "granted", and for what else there is when it waits.
//
// A node of the caller's own (docs/locks/README.md#using-a-lock) takes a cell when it is made and returns one when it
// is destroyed: keep it.
//
// Choose it for one contended lock on many cores, a processor per thread: on machines with coherent caches it does less
// than `mcs` in lock and unlock. As `clh/park` with more threads than processors. Do not choose it where contention is
// rare (even a free lock has a cell of one line), nor where memory is not cached near the waiter: it waits at a cell
// that another thread placed; there `mcs` is better.
//
// Memory orders.
//   access                                    order     pairs with
//   lock: store of "waiting" in my cell       relaxed   published by the exchange
//   lock: exchange of the tail                acq_rel   as release: "waiting" in my cell, for the next exchanger, who
//                                                       looks at it; as acquire: the same of the predecessor
//   lock: load of and wait for the            acquire   unlock's hand_over: the last critical section; or a leaver's
//   predecessor's word                                  hand_over: its `predecessor`
//   try_lock: load of the tail                acquire   the exchange that put the cell there (release): a cell made by
//                                                       another thread is seen as made
//   try_lock: load of the tail's word         relaxed   nothing: only decides whether to try
//   try_lock: compare-and-swap of the tail    acq_rel   as the exchange; relaxed when it fails
//   unlock: hand_over "granted"               release   the successor's wait (acquire)
//   timed: compare-and-swap of the tail       relaxed   nothing of mine to publish: the predecessor's cell was
//                                                       published by the exchange that put it there, and what is read
//                                                       from a read-modify-write after that synchronizes with it (a
//                                                       release sequence)
//   timed: hand_over "abandoned"              release   the successor's wait (acquire): my `predecessor`
//   destructor: loads                         relaxed   nothing: destruction is ordered after the last use by its
//                                                       caller
//
// Source: `traits.citation`. Leaving the queue after Scott, Scherer: Scalable Queue-Based Spin Locks with Timeout,
// PPoPP 2001, with the hand-shake replaced by passing the cell on.

#ifndef SYNCHRO_LOCKS_CLH_HPP
#define SYNCHRO_LOCKS_CLH_HPP

#include <cstddef>
#include <cstdint>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/node_pool.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin>
class basic_clh_lock {
  struct alignas(cpu::cache_line) cell {
    typename Machine::template atomic<std::uint32_t> word{granted};
    typename Machine::template plain<cell*> predecessor{nullptr};  // the successor's to read once word is abandoned
    typename Machine::template plain<cell*> pool_next{nullptr};
    typename Machine::template plain<cell*> pool_batch{nullptr};
  };
  using pool = node_pool<Machine, cell>;

 public:
  static constexpr lock_traits traits{
      .judgement = "one hot lock and a processor per thread, caches coherent; not where contention is rare",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation =
          "Craig: Building FIFO and Priority-Queuing Spin Locks from Atomic Swap, University of Washington TR "
          "93-02-02, 1993; "
          "Magnusson, Landin, Hagersten: Queue Locks on Cache Coherent Multiprocessors, IPPS 1994"};

  static constexpr bool parks = Waiting::parks;
  static constexpr std::size_t bytes_per_held_lock = sizeof(cell);

  /// The caller's own node: a cell that each acquisition changes for the predecessor's. In use from lock(node) to
  /// unlock(node); it may serve any lock of this type, one at a time.
  class node {
   public:
    node() : mine_{pool::take()} {}
    ~node() { pool::give(static_cast<cell*>(mine_)); }
    node(const node&) = delete;
    node& operator=(const node&) = delete;

   private:
    friend class basic_clh_lock;
    typename Machine::template plain<cell*> mine_;
    typename Machine::template plain<cell*> next_mine_{nullptr};  // while the lock is held: the cell to have afterwards
  };

  basic_clh_lock() : tail_{granted_cell()} {}
  ~basic_clh_lock() {
    cell* last = tail_.load(memory_order::relaxed);
    while (last->word.load(memory_order::relaxed) == abandoned) last = skip(last);
    pool::give(last);
  }
  basic_clh_lock(const basic_clh_lock&) = delete;
  basic_clh_lock& operator=(const basic_clh_lock&) = delete;

  /// Errors: lock, try_lock and the timed forms may throw std::bad_alloc, for they take a node; nothing has changed
  /// then. Each thread keeps the nodes that it gave back, so this ends once it has as many as it uses at a time.
  void lock() {
    const auto [mine, predecessor] = pool::exchange([this](cell& own) { return line_up(own); }, is_granted);
    if (mine == nullptr || predecessor != nullptr) [[unlikely]]
      return lock_slowly(mine, predecessor);
    holder_ = mine;
  }

  [[nodiscard]] bool try_lock() {
    cell* const last = tail_if_not_waiting();
    if (last == nullptr) return false;
    cell* const mine = pool::take();
    return entered(mine, try_enter(*mine, last));
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return lock_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return lock_until(deadline_of<Machine>(moment));
  }

  void unlock() noexcept {
    cell* const mine = holder_;
    Waiting::template hand_over<Machine>(mine->word, granted, memory_order::release);
  }

  /// The form with the caller's own node. Only try_lock may throw std::bad_alloc.
  void lock(node& own) noexcept { own.next_mine_ = enter(*static_cast<cell*>(own.mine_)); }

  [[nodiscard]] bool try_lock(node& own) {
    cell* const last = tail_if_not_waiting();
    if (last == nullptr) return false;
    cell* const spare = pool::take();  // taken first, for it may throw
    cell* const left = try_enter(*static_cast<cell*>(own.mine_), last);
    if (left == nullptr) {
      own.mine_ = spare;
      return false;
    }
    own.next_mine_ = left;
    pool::give(spare);
    return true;
  }

  void unlock(node& own) noexcept {
    cell* const mine = own.mine_;
    own.mine_ = static_cast<cell*>(own.next_mine_);
    Waiting::template hand_over<Machine>(mine->word, granted, memory_order::release);
  }

 private:
  static constexpr std::uint32_t waiting = 0;
  static constexpr std::uint32_t granted = 1;
  static constexpr std::uint32_t abandoned = 2;

  static cell* granted_cell() {
    cell* const first = pool::take();
    first->word.store(granted, memory_order::relaxed);
    return first;
  }

  /// Apart from lock, which needs no stack. `mine` is null if the thread had no cell at hand.
  [[gnu::noinline]] void lock_slowly(cell* mine, cell* predecessor) {
    if (mine == nullptr) {
      mine = pool::take();
      predecessor = line_up(*mine);
    }
    pool::give(wait_behind(predecessor));
    holder_ = mine;
  }

  // The three ways in. Each returns the predecessor's cell, which is the caller's from now on; those that can fail
  // return null then, and `mine` is not the caller's any more.

  cell* enter(cell& mine) {
    cell* const predecessor = line_up(mine);
    return is_granted(*predecessor) ? predecessor : wait_behind(predecessor);
  }

  cell* line_up(cell& mine) {
    mine.word.store(waiting, memory_order::relaxed);
    return tail_.exchange(&mine, memory_order::acq_rel);
  }
  static bool is_granted(const cell& predecessor) { return predecessor.word.load(memory_order::acquire) == granted; }

  /// Apart from `enter`, which needs no stack. Goes on past abandoned cells.
  [[gnu::noinline]] static cell* wait_behind(cell* first) {
    cell* predecessor = first;
    while (Waiting::template wait<Machine>(predecessor->word, waiting) == abandoned) predecessor = skip(predecessor);
    return predecessor;
  }

  cell* enter_until(cell& mine, typename Machine::deadline until) {
    cell* predecessor = line_up(mine);
    for (;;) {
      const auto word = Waiting::template wait_until<Machine>(predecessor->word, waiting, until);
      if (word == granted) return predecessor;
      if (word != abandoned) return leave(mine, predecessor);
      predecessor = skip(predecessor);
    }
  }

  cell* try_enter(cell& mine, cell* predecessor) {
    mine.word.store(waiting, memory_order::relaxed);
    cell* expected = predecessor;
    if (!tail_.compare_exchange_strong(expected, &mine, memory_order::acq_rel, memory_order::relaxed)) {
      pool::give(&mine);
      return nullptr;
    }
    for (;;) {
      const std::uint32_t word = predecessor->word.load(memory_order::acquire);
      if (word == granted) return predecessor;
      if (word != abandoned) return leave(mine, predecessor);
      predecessor = skip(predecessor);
    }
  }

  /// The tail's cell, unless it is waiting, marked as slept on or not. Whoever finds it abandoned may still find the
  /// lock free.
  cell* tail_if_not_waiting() {
    cell* const last = tail_.load(memory_order::acquire);
    const std::uint32_t word = last->word.load(memory_order::relaxed);
    return word == granted || word == abandoned ? last : nullptr;
  }

  /// Takes over an abandoned cell. Returns the one before.
  static cell* skip(cell* left) {
    cell* const before = left->predecessor;
    pool::give(left);
    return before;
  }

  /// Gives up waiting. Returns null, for the ways in to return.
  cell* leave(cell& mine, cell* predecessor) {
    cell* expected = &mine;
    if (tail_.compare_exchange_strong(expected, predecessor, memory_order::relaxed, memory_order::relaxed)) {
      pool::give(&mine);
    } else {
      mine.predecessor = predecessor;
      Waiting::template hand_over<Machine>(mine.word, abandoned, memory_order::release);
    }
    return nullptr;
  }

  bool lock_until(typename Machine::deadline until) {
    cell* const mine = pool::take();
    return entered(mine, enter_until(*mine, until));
  }

  bool entered(cell* mine, cell* left) {
    if (left == nullptr) return false;
    pool::give(left);
    holder_ = mine;
    return true;
  }

  typename Machine::template atomic<cell*> tail_;
  typename Machine::template plain<cell*> holder_{nullptr};  // written by the holder only, who has this line anyway
};

using clh_lock = offered<basic_clh_lock<>>;
using clh_yield_lock = offered<basic_clh_lock<hardware, spin_yield>>;
using clh_park_lock = offered<basic_clh_lock<hardware, spin_park>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
