// Hierarchical MCS: an MCS queue per cache domain below a global one, handed over within the domain first.
//
// Problem. A line moves an order of magnitude faster between two cores of one cache domain than between two domains. A
// queue by arrival mixes the domains, so nearly every hand-off sends the lock, and the data it protects, across.
//
// Picture. The first thread of a domain's queue stands in the root queue with the domain's node.
//
//      domain 0:  a1 -> a2 -> a3 < tail            domain 1:  b1 -> b2 < tail
//                 |                                           |
//      root:      [node of domain 0, granted] --------------> [node of domain 1, waiting] < tail
//
//   lock     join the domain's queue. A thread that finds it empty, or is handed its front without the root, joins the root queue
//            with the domain's node; one that is handed its front with the root has the lock.
//   unlock   if a thread of the domain is linked behind me, and fewer than `pass_limit` passes were made in a row or no
//            other domain waits: hand over with the root. Otherwise release the root, then hand over the front alone.
//   timed    as in mcs: a waiter with a deadline tells its predecessor so, and when the deadline comes exchanges
//            "abandoned" into its word; the releaser takes the abandoned node over and goes on from there. Beside many
//            abandoned nodes a waiter with a deadline waits outside (abandoned.hpp). At the root,
//            where the node is the domain's, the domain takes a new node instead, and the front is handed on.
//
// domain() is read once, in lock(); the lock remembers the holder's domain, so the thread may migrate, and another
// thread, of any domain, may unlock.
//
// Overtaking. A waiter stands in line as soon as it waits and nobody of its domain is on the way in. Its domain then
// stands in the root queue, or joins it when the holder has gone that left without having seen it. That queue is served
// in order, so each other domain has one turn, of at most pass_limit + 1 critical sections, before this one. A thread
// cannot be its own successor, so one thread that stays in its domain passes at most (pass_limit + 2) / 2 times. This
// holds while no more than pass_limit + 1 threads of the waiter's domain contend; with more, the domain joins the root
// queue again for each pass_limit + 1 of them. Within a domain, service is by arrival. At its limit the holder asks by a
// compare-and-swap of the root's tail whether anybody waits: a relaxed load may miss for ever that another domain has come.
//
//   synchro::hmcs_lock lock;                                      // a queue for each domain here
//   synchro::hmcs_lock fairer{synchro::shape{{0, 0, 1, 1}}, 16};  // two domains, 16 passes in a row at most
//
// `pass_limit` is 64 unless the constructor says otherwise.
//
// Choose it for one hot lock on a machine of several cache domains, with a processor per thread, or as `hmcs/park`
// without that. Each waiter spins on a line of its own, so it bears more waiters than `hticket`. Do not choose it on a
// machine of one domain (`mcs` is the same with half the work), nor where contention is rare. See docs/rights.md before
// shipping it.
//
// It has two levels, because a machine has one kind of domain here. The published algorithm has any number. unlock releases the
// root first and then its domain's queue, so a thread of another domain can be through with the lock before unlock is:
// whoever destroys the lock must know that every unlock has returned. (Of most locks here the last user may.)
//
// Memory orders: for both levels.
//   access                                   order     pairs with
//   join: exchange of the tail               acq_rel   close's compare-and-swap (acquire from it: the last critical
//                                                      section); as release, my node's fields for the next exchanger,
//                                                      who links to it
//   try_join, and timed, outside, too late:  acq_rel   as join; relaxed when it fails
//     compare-and-swap of the tail
//   join: store of predecessor.next          release   hand_over's and close's loads of next (acquire): my node's word
//   join: wait for my word                   acquire   hand_over (release): the critical section, the domain's plain
//                                                      fields
//   hand_over: load of next                  acquire   the store of next
//   close: compare-and-swap of the tail      release   the next exchange of the tail; relaxed when it fails
//   close: await of next                     relaxed   nothing: hand_over's load, which follows, acquires
//   hand_over to the successor               release   its wait (acquire)
//   timed: exchange of "abandoned"           acquire   hand_over, if that came first. Nothing to release: since the
//                                                      store of predecessor.next the leaver has not touched the node's
//                                                      plain fields, and the releaser has read that
//   hand_over to one who may leave: exchange release   its wait
//   unlock, at the limit: compare-and-swap   relaxed   nothing: it succeeds only if nobody has come since, and changes
//     of the root's tail                               nothing
//
// Source: `traits.citation`. Abandoned nodes after Scott, Scherer: Scalable Queue-Based Spin Locks with Timeout, PPoPP
// 2001.

#ifndef SYNCHRO_LOCKS_HIERARCHICAL_HMCS_HPP
#define SYNCHRO_LOCKS_HIERARCHICAL_HMCS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "synchro/deadline.hpp"
#include "synchro/detail/abandoned.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/node_pool.hpp"
#include "synchro/detail/per_domain.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// An MCS queue that hands a value from one thread to the next. Nodes are the pool's. The front holds the queue until
/// it has handed over or closed.
template <class Machine, class Waiting>
class mcs_relay {
 public:
  class alignas(cpu::cache_line) node {
    friend class mcs_relay;
    template <class, class>
    friend class synchro::node_pool;

    typename Machine::template atomic<node*> next{nullptr};
    typename Machine::template plain<bool> next_may_leave{false};
    typename Machine::template atomic<std::uint32_t> word{waiting};
    typename Machine::template plain<node*> pool_next{nullptr};
    typename Machine::template plain<node*> pool_batch{nullptr};
  };
  using pool = node_pool<Machine, node>;

  /// The value of who finds the queue empty. Others hand over what they like from here on.
  static constexpr std::uint32_t first = 2;

  /// Joins and waits for the front; returns the value that came with it.
  std::uint32_t join(node* mine) {
    if (!link(mine, false)) return first;
    return Waiting::template wait<Machine>(mine->word, waiting);
  }

  /// The same until the deadline. When nothing, the node is abandoned in the queue or given back, and no longer the
  /// caller's.
  std::optional<std::uint32_t> join_until(node* mine, typename Machine::deadline until) {
    if (abandoned_.many() && !abandoned_.await_few_until(until)) return try_join_or_give_back(mine);
    if (!link(mine, true)) return first;
    if (const auto value = Waiting::template wait_until<Machine>(mine->word, waiting, until)) return value;
    abandoned_.add();
    const std::uint32_t found = mine->word.exchange(abandoned, memory_order::acquire);
    if (!has_value(found)) return std::nullopt;
    abandoned_.remove();
    return found;
  }

  /// Joins if the queue is empty.
  bool try_join(node* mine) {
    reset(mine);
    node* expected = nullptr;
    return tail_.compare_exchange_strong(expected, mine, memory_order::acq_rel, memory_order::relaxed);
  }

  /// Hands over to the next in the queue, if one is linked already. Abandoned nodes on the way are taken over, each in
  /// exchange for `mine`; whatever the outcome, `mine` is then the caller's node.
  bool hand_over(node*& mine, std::uint32_t value) {
    while (node* const next = mine->next.load(memory_order::acquire)) {
      if (give(mine, next, value)) return true;
      pool::give(mine);
      mine = next;
    }
    return false;
  }

  /// Hands over to the next, or leaves the queue empty.
  void close(node*& mine, std::uint32_t value) {
    while (!hand_over(mine, value)) {
      node* expected = mine;
      if (tail_.compare_exchange_strong(expected, nullptr, memory_order::release, memory_order::relaxed)) return;
      Machine::await(mine->next, memory_order::relaxed, [](const node* n) { return n != nullptr; });
    }
  }

  /// Whether nobody stands behind this node, as far as the tail says.
  bool is_last(node* mine) {
    node* expected = mine;
    return tail_.compare_exchange_strong(expected, mine, memory_order::relaxed, memory_order::relaxed);
  }

 private:
  static constexpr std::uint32_t waiting = 0;
  static constexpr std::uint32_t abandoned = 1;
  static constexpr std::uint32_t last_value = 3;

  /// Not so while the word holds `waiting`, with or without a sleeper's mark.
  static bool has_value(std::uint32_t found) { return found >= first && found <= last_value; }

  static void reset(node* mine) {
    mine->next.store(nullptr, memory_order::relaxed);
    mine->word.store(waiting, memory_order::relaxed);
  }

  std::optional<std::uint32_t> try_join_or_give_back(node* mine) {
    if (try_join(mine)) return first;
    pool::give(mine);
    return std::nullopt;
  }

  /// Stands at the tail; false if the queue was empty.
  bool link(node* mine, bool may_leave) {
    reset(mine);
    node* const predecessor = tail_.exchange(mine, memory_order::acq_rel);
    if (predecessor == nullptr) return false;
    predecessor->next_may_leave = may_leave;
    predecessor->next.store(mine, memory_order::release);
    return true;
  }

  /// Gives the value to `next`; false if that one has abandoned its node.
  bool give(node* mine, node* next, std::uint32_t value) {
    if (static_cast<bool>(mine->next_may_leave)) [[unlikely]] {
      const std::uint32_t found = next->word.exchange(value, memory_order::release);
      if (found == abandoned) {
        abandoned_.remove();
        return false;
      }
      if (found != waiting) Machine::unpark(&next->word, 1);
      return true;
    }
    Waiting::template hand_over<Machine>(next->word, value, memory_order::release);
    return true;
  }

  typename Machine::template atomic<node*> tail_{nullptr};
  abandoned_nodes<Machine, Waiting> abandoned_;  // written when waiters give up
};

}  // namespace detail

template <class Machine = hardware, class Waiting = spin>
class basic_hmcs_lock {
  using relay = detail::mcs_relay<Machine, Waiting>;
  using node = typename relay::node;
  using pool = typename relay::pool;

 public:
  /// Passes in a row within a domain while other domains wait.
  static constexpr std::uint32_t default_pass_limit = 64;

  static constexpr lock_traits traits{
      .judgement = "one hot lock on a machine of several cache domains; not on one domain",
      .fair = fairness::bounded,
      .bypass = (default_pass_limit + 2) / 2,
      .domain_aware = true,
      .citation = "Chabbi, Fagan, Mellor-Crummey: High Performance Locks for Multi-Level NUMA Systems, PPoPP 2015",
      .rights = "US 8,694,706 (lock cohorting)"};

  static constexpr bool parks = Waiting::parks;
  static constexpr std::size_t bytes_per_held_lock = sizeof(node);
  /// unlock lets another domain in and then hands over its own queue: see "Two levels" above.
  static constexpr bool unlock_ends_late = true;

  basic_hmcs_lock() : basic_hmcs_lock(Machine::here()) {}

  /// One queue for each domain of `team`.
  explicit basic_hmcs_lock(const shape& team, std::uint32_t pass_limit = default_pass_limit)
      : domains_{team}, pass_limit_{pass_limit} {}

  basic_hmcs_lock(const basic_hmcs_lock&) = delete;
  basic_hmcs_lock& operator=(const basic_hmcs_lock&) = delete;

  /// Errors: lock, try_lock and the timed forms may throw std::bad_alloc, for they take a node; nothing has changed
  /// then. Each thread keeps the nodes that it gave back, so this ends once it has as many as it uses at a time.
  void lock() {
    cohort& home = domains_.mine();
    node* const mine = pool::take();
    if (home.queue.join(mine) != with_root) root_.join(home.root);
    hold(home, mine);
  }

  [[nodiscard]] bool try_lock() {
    cohort& home = domains_.mine();
    node* mine = pool::take();
    if (home.queue.try_join(mine)) {
      if (root_.try_join(home.root)) {
        hold(home, mine);
        return true;
      }
      home.queue.close(mine, front_only);
    }
    pool::give(mine);
    return false;
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
    cohort& home = *static_cast<cohort*>(holder_domain_);
    node* mine = holder_;
    if (!pass(home, mine)) {
      node* root = home.root;
      root_.close(root, granted);
      home.root = root;
      home.passes = 0;
      home.queue.close(mine, front_only);
    }
    pool::give(mine);
  }

 private:
  static constexpr std::uint32_t front_only = relay::first;  // as for one who finds the domain's queue empty
  static constexpr std::uint32_t with_root = relay::first + 1;
  static constexpr std::uint32_t granted = relay::first;  // the root comes with nothing

  /// The threads of one domain. The plain fields belong to the front of its queue.
  struct alignas(cpu::cache_line) cohort {
    cohort() : root{pool::take()} {}
    ~cohort() { pool::give(root); }
    cohort(const cohort&) = delete;
    cohort& operator=(const cohort&) = delete;

    relay queue;
    typename Machine::template plain<node*> root;               // with which the domain stands in the root queue
    typename Machine::template plain<std::uint32_t> passes{0};  // in a row, with this place in the root queue
  };

  /// A node that goes back to the pool unless it is used.
  class spare_node {
   public:
    spare_node() = default;
    ~spare_node() {
      if (node_ != nullptr) pool::give(node_);
    }
    spare_node(const spare_node&) = delete;
    spare_node& operator=(const spare_node&) = delete;
    node* use() { return std::exchange(node_, nullptr); }

   private:
    node* node_ = pool::take();
  };

  bool lock_until(typename Machine::deadline until) {
    cohort& home = domains_.mine();
    spare_node spare;  // now, for taking a node may fail, and later there is no way back
    node* mine = pool::take();
    const std::optional<std::uint32_t> front = home.queue.join_until(mine, until);
    if (!front) return false;  // whoever releases to the abandoned node gives it back
    if (front != with_root && !root_.join_until(home.root, until)) {
      home.root = spare.use();
      home.queue.close(mine, front_only);
      pool::give(mine);
      return false;
    }
    hold(home, mine);
    return true;
  }

  void hold(cohort& home, node* mine) {
    holder_ = mine;
    holder_domain_ = &home;
  }

  /// Hands over within the domain, root and all, if that is allowed and somebody is there. At the limit it is allowed
  /// while no other domain waits, and the count begins anew.
  bool pass(cohort& home, node*& mine) {
    std::uint32_t passes = home.passes;
    if (passes >= pass_limit_) {
      if (!root_.is_last(home.root)) return false;
      passes = 0;
    }
    home.passes = passes + 1;
    return home.queue.hand_over(mine, with_root);
  }

  // Three lines: what everybody reads and nobody writes, what every holder writes, what domains exchange.
  const per_domain<Machine, cohort> domains_;
  const std::uint32_t pass_limit_;
  alignas(cpu::cache_line) typename Machine::template plain<node*> holder_{nullptr};
  typename Machine::template plain<cohort*> holder_domain_{nullptr};
  alignas(cpu::cache_line) relay root_;
};

using hmcs_lock = offered<basic_hmcs_lock<>>;
using hmcs_yield_lock = offered<basic_hmcs_lock<hardware, spin_yield>>;
using hmcs_park_lock = offered<basic_hmcs_lock<hardware, spin_park>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
