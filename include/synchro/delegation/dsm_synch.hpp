// DSM-Synch: a queue of the callers' own nodes, whose head runs the requests of those behind it.
//
// Problem. In CC-Synch (cc_synch.hpp) a caller waits at a cell that another thread brought: where memory is not cached
// near the waiter, each look goes over the network.
//
// Picture.   tail ---------------------------.
//                                            v
//            [ request ] -> [ request ] -> [ request ]        each caller's own node, as in an MCS lock
//             combiner       waiting        waiting
//
//   execute   writes its request into its node and exchanges it into tail. With nobody before it, it is the combiner;
//             else it links itself behind its predecessor and waits on its own word, for `done` or `combines`.
//   combine   runs one request after the other, up to `Most`, and writes `done` into each only when its successor is
//             known: after that the node is not touched again, so one node for each caller is enough (the paper's
//             version looks at a node again, and each thread needs two). When nobody follows, tail is emptied; a caller
//             that comes between is waited for.
//
// Choose it instead of CC-Synch on machines without caches near the waiter, or with many memory nodes. Do not choose it
// else: it does the same, and one compare-and-swap more each time the queue runs empty.
//
// Memory orders.
//   access                                 order     pairs with
//   stores of word, next in my node        relaxed   nothing: the exchange publishes them
//   exchange of tail                       acq_rel   the next caller's: my node is prepared; and, of a tail that was empty,
//                                                    the compare-and-swap that emptied it
//   store of the predecessor's next        release   the combiner's load of, or wait for, next: my request was written
//   wait for my word                       acquire   hand_over of `done` (what fn did) or `combines` (all before)
//   combine: load of, wait for next        acquire   the store of next
//   compare-and-swap that empties tail     release   the exchange by the next caller: all that was run; relaxed when it
//                                                    fails
//   hand_over of `done`, `combines`        release   the wait
//
// Source: Fatourou, Kallimanis: Revisiting the Combining Synchronization Technique, PPoPP 2012.

#ifndef SYNCHRO_DELEGATION_DSM_SYNCH_HPP
#define SYNCHRO_DELEGATION_DSM_SYNCH_HPP

#include <cstdint>
#include <type_traits>

#include "synchro/delegation/request.hpp"
#include "synchro/detail/node_pool.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Most`: how many requests one combiner runs before it passes the duty on.
template <class Machine = hardware, class Waiting = spin, std::uint32_t Most = 64>
class basic_dsm_synch {
  static_assert(Most >= 1);

  struct alignas(cpu::cache_line) node {
    typename Machine::template atomic<std::uint32_t> word{waiting};
    typename Machine::template plain<detail::request<Machine>*> request{nullptr};
    typename Machine::template atomic<node*> next{nullptr};
    typename Machine::template plain<node*> pool_next{nullptr};
    typename Machine::template plain<node*> pool_batch{nullptr};
  };
  using pool = node_pool<Machine, node>;

 public:
  static constexpr bool parks = Waiting::parks;

  basic_dsm_synch() = default;
  basic_dsm_synch(const basic_dsm_synch&) = delete;
  basic_dsm_synch& operator=(const basic_dsm_synch&) = delete;

  /// Runs fn alone, here or on another thread, and returns what it returns; what it throws is thrown here. Throws
  /// std::bad_alloc if there is no node; nothing has happened then.
  template <class F>
  std::invoke_result_t<F&> execute(F&& fn) {
    detail::request_of<Machine, std::remove_reference_t<F>> mine{fn};
    node* const own = pool::take();
    own->request = &mine;
    if (is_combiner(*own)) combine(*own);
    pool::give(own);
    return mine.take();
  }

 private:
  static constexpr std::uint32_t waiting = 0, done = 1, combines = 2;
  static constexpr std::uint32_t below_mark(std::uint32_t word) { return word & 0x7fff'ffff; }

  /// False if another has run the request.
  bool is_combiner(node& own) {
    own.word.store(waiting, memory_order::relaxed);
    own.next.store(nullptr, memory_order::relaxed);
    node* const before = tail_.exchange(&own, memory_order::acq_rel);
    if (before == nullptr) return true;
    before->next.store(&own, memory_order::release);
    return below_mark(Waiting::template wait<Machine>(own.word, waiting)) == combines;
  }

  void combine(node& own) {
    node* one = &own;
    for (std::uint32_t ran = 1;; ++ran) {
      static_cast<detail::request<Machine>*>(one->request)->run();
      node* const next = successor(*one);
      if (one != &own) Waiting::template hand_over<Machine>(one->word, done, memory_order::release);
      if (next == nullptr) return;
      if (ran == Most) return Waiting::template hand_over<Machine>(next->word, combines, memory_order::release);
      one = next;
    }
  }

  /// nullptr if nobody follows; then the queue is empty.
  node* successor(node& one) {
    if (node* const next = one.next.load(memory_order::acquire)) return next;
    node* last = &one;
    if (tail_.compare_exchange_strong(last, nullptr, memory_order::release, memory_order::relaxed)) return nullptr;
    return Machine::await(one.next, memory_order::acquire, [](node* n) { return n != nullptr; });
  }

  typename Machine::template atomic<node*> tail_{nullptr};
};

using dsm_synch = basic_dsm_synch<>;
/// Waiting threads sleep after a while.
using sleeping_dsm_synch = basic_dsm_synch<hardware, spin_park>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
