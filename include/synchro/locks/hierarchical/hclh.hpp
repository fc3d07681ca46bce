// Hierarchical CLH: a CLH queue in which the threads of a cache domain stand together.
//
// Problem. A line moves an order of magnitude faster between two cores of one cache domain than between two domains. A
// queue by arrival mixes the domains, so nearly every hand-off sends the lock, and the data it protects, across. Here they
// stay in the caches of one domain for a whole batch.
//
// Picture. A node knows the one before it; nobody but the thread behind looks at a node.
//
//      collecting in domain 0        collecting in domain 1       the global queue
//         a3 <- tail (a3 leads)        b5 <- b6 <- tail           [granted] <- a1 <- a2 <- b3 <- b4 <- tail
//
//   lock     exchange the domain's tail for my node. If there was a node, stand behind it. If not, I lead this batch:
//            give others time to join it (until the lock looks free, or for a number of looks), then take the whole
//            local queue out (exchange its tail for null) and splice it into the global one (exchange the global tail
//            for the batch's last). Then everybody waits, CLH-fashion, on the node before its own, and keeps that node
//            in place of its own, which the next one inherits. With one domain there is no batch to gather: everybody
//            exchanges the global tail at once, and a thread that finds the lock free exchanges its node in its pool
//            in the same step.
//   unlock   hand over on my own node.
//   timed    a waiter whose deadline comes swings the global tail back from its node to the one before, if it is the
//            last there; so those who try again and again leave nothing behind. Otherwise it writes the node before its
//            own into its node and marks that abandoned. The one behind takes the abandoned node out and goes on
//            waiting on the one before it.
//   try_lock joins the global queue directly, a batch of one, if its last node is granted. Another may have the lock by
//            the time that it stands there; then it abandons its node at once.
//
// domain() is read once, in lock(), and decides only where to collect; afterwards batches know no domains, so threads
// may migrate and any thread may unlock.
//
// The published algorithm leaves the last node of a spliced batch in the local queue, marked, and the thread that arrives
// behind it finds out from mark and domain number that it leads the next batch. That is sound only while nodes and threads never
// change domain: a recycled node could otherwise find itself in the local queue as its own predecessor. Taking the
// whole queue out needs neither mark nor number, and has no such case.
//
// Overtaking. A spliced batch is served in the order of its places: nobody passes it. Until its leader has spliced it,
// other batches may go first.
//
//   synchro::hclh_lock lock;                                                     // a queue for each domain here
//   synchro::hclh_lock two{synchro::shape{{0, 0, 1, 1}}};                        // two domains, whatever the machine has
//   synchro::hclh_lock patient{synchro::hardware::here(), synchro::looks{100}};  // leaders wait longer for their batch
//
// Choose it for one hot lock on a machine of several cache domains, with a processor per thread, or as `hclh/park`
// without that. Do not choose it on a machine of one domain (`clh` is the same in less memory), nor where
// contention is rare. See docs/rights.md before shipping it.
//
// Memory orders.
//   access                                        order     pairs with
//   lock: exchange of the domain's tail           acq_rel   itself: as release, my node's reset word, for the one
//                                                           behind and for the leader; as acquire, the same of others
//   leader: load of the global tail               acquire   the splice (release): the node is made
//   leader: looks at the last node's word         relaxed   nothing: a hint; the node may be another's by now, which
//                                                           is harmless because nodes stay nodes
//   leader: exchange of the domain's tail (null)  acquire   the followers' exchanges: their nodes' words
//   leader, or alone: exchange of the global tail acq_rel   itself: as release, all words of the batch, for the next
//                                                           batch; as acquire, the last batch's
//   try_lock: load of the global tail             acquire   the splice, as above
//   try_lock: load of the last node's word        relaxed   nothing: a hint
//   try_lock: compare-and-swap of the tail        acq_rel   the splice, as above; relaxed when it fails
//   giving up: compare-and-swap of the tail       relaxed   nothing of mine to publish: the node before was published by
//                                                           the splice that put it there, of whose release sequence
//                                                           this is a part
//   look at and wait for the word before mine     acquire   hand_over (release): the critical section, or, when
//                                                           abandoned, the node's plain `before`
//   unlock, giving up: hand_over                  release   that wait
//   destructor: loads                             relaxed   nothing: destruction is ordered after the last use by its
//                                                           caller
//
// Source: `traits.citation`. Abandoned nodes after Scott, Scherer: Scalable Queue-Based Spin Locks with Timeout, PPoPP
// 2001.

#ifndef SYNCHRO_LOCKS_HIERARCHICAL_HCLH_HPP
#define SYNCHRO_LOCKS_HIERARCHICAL_HCLH_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include "synchro/deadline.hpp"
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

template <class Machine = hardware, class Waiting = spin>
class basic_hclh_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "one hot lock on a machine of several cache domains; not on one domain",
      .fair = fairness::bounded,
      .bypass = 0,
      .domain_aware = true,
      .citation = "Luchangco, Nussbaum, Shavit: A Hierarchical CLH Queue Lock, Euro-Par 2006",
      .rights = "US 7,945,912 (hierarchical queue locks; listed expiry 2030-03-17)"};

 private:
  class alignas(cpu::cache_line) node {
    friend class basic_hclh_lock;
    template <class, class>
    friend class node_pool;

    typename Machine::template atomic<std::uint32_t> word{granted};
    typename Machine::template plain<node*> before{nullptr};  // of an abandoned node
    typename Machine::template plain<node*> pool_next{nullptr};
    typename Machine::template plain<node*> pool_batch{nullptr};
  };

 public:
  static constexpr bool parks = Waiting::parks;
  static constexpr std::size_t bytes_per_held_lock = sizeof(node);
  /// How long a leader gives others to join its batch while the lock is held: about the time of a few hand-offs.
  static constexpr looks default_gathering{16};

  basic_hclh_lock() : basic_hclh_lock(Machine::here()) {}

  /// One local queue for each domain of `team`. With a single domain every thread joins the global queue directly.
  explicit basic_hclh_lock(const shape& team, looks gathering = default_gathering)
      : domains_{team}, gathering_{gathering} {
    node* const first = pool::take();
    first->word.store(granted, memory_order::relaxed);
    tail_.store(first, memory_order::relaxed);
  }

  ~basic_hclh_lock() {
    for (node* last = tail_.load(memory_order::relaxed); last != nullptr;) {
      const bool more = last->word.load(memory_order::relaxed) == abandoned;
      node* const before = more ? static_cast<node*>(last->before) : nullptr;
      pool::give(last);
      last = before;
    }
  }

  basic_hclh_lock(const basic_hclh_lock&) = delete;
  basic_hclh_lock& operator=(const basic_hclh_lock&) = delete;

  /// Errors: lock, try_lock and the timed forms may throw std::bad_alloc, for they take a node; nothing has changed
  /// then. Each thread keeps the nodes that it gave back, so this ends once it has as many as it uses at a time.
  void lock() {
    typename pool::exchanged at_once{};
    if (domains_.size() == 1) [[likely]]
      at_once = pool::exchange([this](node& own) { return line_up(own); }, is_granted);
    if (at_once.taken == nullptr || at_once.found != nullptr) [[unlikely]]
      return lock_slowly(at_once.taken, at_once.found);
    holder_ = at_once.taken;
  }

  [[nodiscard]] bool try_lock() {
    node* last = tail_.load(memory_order::acquire);
    if (!is_settled(last->word.load(memory_order::relaxed))) return false;
    node* const mine = pool::take();
    mine->word.store(waiting, memory_order::relaxed);
    node* const before = last;
    if (!tail_.compare_exchange_strong(last, mine, memory_order::acq_rel, memory_order::relaxed)) {
      pool::give(mine);
      return false;
    }
    return take_turn(mine, before, [](word& w) {
      const std::uint32_t now = w.load(memory_order::acquire);
      return is_settled(now) ? std::optional{now} : std::nullopt;
    });
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
    Waiting::template hand_over<Machine>(mine->word, granted, memory_order::release);
  }

 private:
  using pool = node_pool<Machine, node>;
  using word = typename Machine::template atomic<std::uint32_t>;

  struct alignas(cpu::cache_line) collector {
    typename Machine::template atomic<node*> tail{nullptr};
  };

  static constexpr std::uint32_t waiting = 0;
  static constexpr std::uint32_t granted = 1;
  static constexpr std::uint32_t abandoned = 2;

  /// Not so while somebody waits at the node, with or without a sleeper's mark.
  static bool is_settled(std::uint32_t value) { return value == granted || value == abandoned; }

  static bool is_granted(const node& before) { return before.word.load(memory_order::acquire) == granted; }

  /// Apart from lock, which needs no stack. `mine` is null if the thread does not stand in line yet.
  [[gnu::noinline]] void lock_slowly(node* mine, node* before) {
    if (mine == nullptr) {
      mine = pool::take();
      before = join(mine);
    }
    take_turn(mine, before, [](word& w) { return std::optional{Waiting::template wait<Machine>(w, waiting)}; });
  }

  bool lock_until(typename Machine::deadline until) {
    node* const mine = pool::take();
    return take_turn(mine, join(mine),
                     [until](word& w) { return Waiting::template wait_until<Machine>(w, waiting, until); });
  }

  /// Joins the global queue, a batch of one; returns the node before.
  node* line_up(node& mine) {
    mine.word.store(waiting, memory_order::relaxed);
    return tail_.exchange(&mine, memory_order::acq_rel);
  }

  /// Joins the queue, in a batch of this domain; returns the node before.
  node* join(node* mine) {
    if (domains_.size() == 1) return line_up(*mine);  // nobody to keep apart: a plain CLH
    mine->word.store(waiting, memory_order::relaxed);
    collector& local = domains_.mine();
    node* const before = local.tail.exchange(mine, memory_order::acq_rel);
    return before != nullptr ? before : splice(local);
  }

  /// The leader's part: gathers a batch and splices it; returns the node before the batch, and so before the leader.
  node* splice(collector& local) {
    node* const end = tail_.load(memory_order::acquire);
    Machine::await_until(
        end->word, memory_order::relaxed, [](std::uint32_t v) { return is_settled(v); }, gathering_);
    node* const last = local.tail.exchange(nullptr, memory_order::acquire);
    return tail_.exchange(last, memory_order::acq_rel);
  }

  /// Waits for the lock behind `before`, by `wait(word)`, which returns nothing when it gives up.
  template <class Wait>
  bool take_turn(node* mine, node* before, Wait wait) {
    for (;;) {
      const std::optional<std::uint32_t> found = wait(before->word);
      if (found == granted) {
        pool::give(before);
        holder_ = mine;
        return true;
      }
      if (!found) {
        node* expected = mine;
        if (tail_.compare_exchange_strong(expected, before, memory_order::relaxed, memory_order::relaxed)) {
          pool::give(mine);
          return false;
        }
        mine->before = before;
        Waiting::template hand_over<Machine>(mine->word, abandoned, memory_order::release);
        return false;
      }
      node* const further = before->before;
      pool::give(before);
      before = further;
    }
  }

  // Three lines: what everybody reads and nobody writes, what every holder writes, what everybody exchanges.
  const per_domain<Machine, collector> domains_;
  const looks gathering_;
  alignas(cpu::cache_line) typename Machine::template plain<node*> holder_{nullptr};
  alignas(cpu::cache_line) typename Machine::template atomic<node*> tail_{nullptr};
};

using hclh_lock = offered<basic_hclh_lock<>>;
using hclh_yield_lock = offered<basic_hclh_lock<hardware, spin_yield>>;
using hclh_park_lock = offered<basic_hclh_lock<hardware, spin_park>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
