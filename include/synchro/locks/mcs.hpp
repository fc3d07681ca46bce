// MCS: a queue lock in which every waiter spins on a word of its own.
//
// Problem. When n threads wait on one word, each release sends that line to all of them, and n transfers pass before
// the next holder runs. Here a release touches one line of one waiter, however many wait, and they are served in the
// order in which they arrived.
//
// Picture. Nodes linked from holder to newest; a null tail is a free lock.
//
//            +--------+  next  +--------+  next  +--------+
//   holder > | granted| -----> | waiting| -----> | waiting| < tail
//            +--------+        +--------+        +--------+
//
//   lock     exchange the tail for my node; if there was a node, link it to mine and wait for my word.
//   unlock   no successor linked: swing the tail from my node back to null; if that fails someone has exchanged the
//            tail and is about to link: await the link. Then hand over to the successor's word.
//   timed    the waiter tells its predecessor, beside the link, that it may leave. When its deadline comes it exchanges
//            "abandoned" into its word; the releaser of such a waiter hands over by exchange, sees that, and goes on
//            as though it were releasing the abandoned node, which is now its own. Waiters without a deadline pay
//            nothing for this: to them the releaser still hands over as their policy does.
//            Abandoned nodes stay in the queue until a release comes by. So that threads which try again and again
//            while the lock is held do not fill the memory, the lock counts them; when they are 32, further waiters with
//            a deadline wait outside the queue, asleep in mcs/park, until a release has passed some (abandoned.hpp).
//
// The plain lock() takes a node from the thread's own list. A node of the caller's own, on the stack, needs no look-up
// (docs/locks/README.md#using-a-lock). Locks may be released in any order, and by any thread.
//
// Choose it for one contended lock on many cores, with at least a processor per thread, or as `mcs/park` without that.
// Do not choose it where contention is rare (`ticket` or `mutex` is smaller and as fast), nor, in the spinning form,
// with more threads than processors: each hand-off then waits for a thread that may not be running.
//
// Memory orders.
//   access                                   order     pairs with
//   lock: exchange of the tail               acq_rel   unlock's compare-and-swap (acquire from it: the last critical
//                                                      section); as release, my node's fields for the next exchanger,
//                                                      who links to it
//   lock: store of predecessor.next          release   unlock's loads of next (acquire): my node's word
//   lock: wait for my word                   acquire   hand_over (release): the predecessor's critical section
//   unlock: load of next, await of next      acquire   the store of next
//   unlock: compare-and-swap of the tail     release   the next exchange of the tail; relaxed when it fails, because
//                                                      the await that follows acquires
//   unlock: hand_over to the successor       release   its wait (acquire)
//   timed: exchange of "abandoned"           acquire   hand_over, if the grant came first. Nothing to release: since the
//                                                      store of predecessor.next the leaver has not touched the node's
//                                                      plain fields, and the releaser has read that
//   unlock: exchange of "granted"            release   the wait of a waiter that may leave
//   try_lock, and timed, outside, too late:  acq_rel   as the exchange of the tail; relaxed when it fails
//     compare-and-swap of the tail
//
// Source: `traits.citation`. Abandoned nodes after Scott, Scherer: Scalable Queue-Based Spin Locks with Timeout, PPoPP
// 2001.

#ifndef SYNCHRO_LOCKS_MCS_HPP
#define SYNCHRO_LOCKS_MCS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include "synchro/deadline.hpp"
#include "synchro/detail/abandoned.hpp"
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
class basic_mcs_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "one hot lock and a processor per thread; not where contention is rare",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation =
          "Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors, "
          "ACM TOCS 9(1), 1991, 2.4"};

  /// A queue node. The caller's own is in use from lock(node) to unlock(node) and may serve again afterwards.
  class alignas(cpu::cache_line) node {
    friend class basic_mcs_lock;
    template <class, class>
    friend class node_pool;

    typename Machine::template atomic<node*> next{nullptr};
    typename Machine::template plain<bool> next_may_leave{false};  // beside next: the releaser has that line already
    typename Machine::template atomic<std::uint32_t> word{waiting};
    typename Machine::template plain<node*> pool_next{nullptr};
    typename Machine::template plain<node*> pool_batch{nullptr};
  };

  static constexpr bool parks = Waiting::parks;
  static constexpr std::size_t bytes_per_held_lock = sizeof(node);

  basic_mcs_lock() = default;
  basic_mcs_lock(const basic_mcs_lock&) = delete;
  basic_mcs_lock& operator=(const basic_mcs_lock&) = delete;

  /// Errors: lock, try_lock and the timed forms may throw std::bad_alloc, for they take a node; nothing has changed
  /// then. Each thread keeps the nodes that it gave back, so this ends once it has as many as it uses at a time.
  void lock() {
    node* const mine = pool::take();
    lock(*mine);
    holder_ = mine;
  }

  [[nodiscard]] bool try_lock() {
    node* const mine = pool::take();
    if (!try_lock(*mine)) {
      pool::give(mine);
      return false;
    }
    holder_ = mine;
    return true;
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
    node* const mine = holder_;
    node* const leaver = release(*mine);
    if (leaver != nullptr) [[unlikely]]
      return release_to_leaver(leaver, mine);
    pool::give(mine);
  }

  /// The form with the caller's own node, which must not be moved or reused before unlock(mine) has returned.
  void lock(node& mine) noexcept {
    reset(mine);
    node* const predecessor = tail_.exchange(&mine, memory_order::acq_rel);
    if (predecessor == nullptr) return;
    predecessor->next_may_leave = false;
    predecessor->next.store(&mine, memory_order::release);
    Waiting::template wait<Machine>(mine.word, waiting);
  }

  [[nodiscard]] bool try_lock(node& mine) noexcept {
    reset(mine);
    node* expected = nullptr;
    return tail_.compare_exchange_strong(expected, &mine, memory_order::acq_rel, memory_order::relaxed);
  }

  void unlock(node& mine) noexcept {
    node* const leaver = release(mine);
    if (leaver != nullptr) [[unlikely]]
      return release_to_leaver(leaver, nullptr);
  }

 private:
  using pool = node_pool<Machine, node>;

  static constexpr std::uint32_t waiting = 0;
  static constexpr std::uint32_t granted = 1;
  static constexpr std::uint32_t abandoned = 2;

  bool lock_until(typename Machine::deadline until) {
    if (abandoned_.many() && !abandoned_.await_few_until(until)) return try_lock();
    node* const mine = pool::take();
    if (!enqueue_until(*mine, until)) return false;
    holder_ = mine;
    return true;
  }

  static void reset(node& mine) {
    mine.next.store(nullptr, memory_order::relaxed);
    mine.word.store(waiting, memory_order::relaxed);
  }

  /// Joins the queue and waits until the deadline; then the node stays in the queue, is no longer the caller's, and who
  /// releases to it gives it back.
  bool enqueue_until(node& mine, typename Machine::deadline until) {
    reset(mine);
    node* const predecessor = tail_.exchange(&mine, memory_order::acq_rel);
    if (predecessor == nullptr) return true;
    predecessor->next_may_leave = true;
    predecessor->next.store(&mine, memory_order::release);
    if (Waiting::template wait_until<Machine>(mine.word, waiting, until)) return true;
    abandoned_.add();
    if (mine.word.exchange(abandoned, memory_order::acquire) != granted) return false;
    abandoned_.remove();
    return true;
  }

  /// Releases on behalf of `mine`, which nobody looks at afterwards. Returns the successor if that may leave: then it
  /// has not got the lock yet.
  node* release(node& mine) {
    node* next = mine.next.load(memory_order::acquire);
    if (next == nullptr) {
      node* expected = &mine;
      if (tail_.compare_exchange_strong(expected, nullptr, memory_order::release, memory_order::relaxed))
        return nullptr;
      next = Machine::await(mine.next, memory_order::acquire, [](const node* n) { return n != nullptr; });
    }
    if (static_cast<bool>(mine.next_may_leave)) [[unlikely]]
      return next;
    Waiting::template hand_over<Machine>(next->word, granted, memory_order::release);
    return nullptr;
  }

  /// Goes on past those who have abandoned their nodes. `done_with` is a node to give back, or null. Apart from the rest
  /// of unlock, which needs no stack.
  [[gnu::noinline]] void release_to_leaver(node* next, node* done_with) {
    if (done_with != nullptr) pool::give(done_with);
    while (next != nullptr) {
      const std::uint32_t found = next->word.exchange(granted, memory_order::release);
      if (found != abandoned) {
        if (found != waiting) Machine::unpark(&next->word, 1);
        return;
      }
      abandoned_.remove();
      node* const left_behind = next;
      next = release(*left_behind);
      pool::give(left_behind);
    }
  }

  typename Machine::template atomic<node*> tail_{nullptr};
  detail::abandoned_nodes<Machine, Waiting> abandoned_;      // written when waiters give up
  typename Machine::template plain<node*> holder_{nullptr};  // written by the holder only, who has this line anyway
};

using mcs_lock = offered<basic_mcs_lock<>>;
using mcs_yield_lock = offered<basic_mcs_lock<hardware, spin_yield>>;
using mcs_park_lock = offered<basic_mcs_lock<hardware, spin_park>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
