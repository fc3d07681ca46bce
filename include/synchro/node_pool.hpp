// Queue nodes for locks whose lock() takes no argument.
//
// Problem. A queue lock needs a node for every acquisition, std::mutex's interface has no place to pass one, and a
// thread may hold any number of locks, release them in any order, or leave the release to another thread. A node inside
// a lock's stack frame or one node per thread and lock cannot serve that.
//
// Picture.                 take / give (no sharing)
//      thread's stash  [n]->[n]->[n]          at most `most` nodes, in local<>()
//            |  ^
//      a batch of `batch` nodes, under a small lock
//            v  |
//      depot           [batch]->[batch]       in global<>()
//
// A node goes back to the stash of whichever thread releases it, and batches flow through the depot to where nodes are
// wanted, so a pair of threads of which one always locks and the other always unlocks needs no ever-growing memory.
// Nodes are type-stable: once made they stay nodes of this type for good and are never given back to the system, so a
// late look at a node that has been passed on is harmless. When a thread ends its stash goes to the depot; locks used
// after that, in the destructors of other thread-exit objects, deal with the depot directly.
//
//   access                              order     pairs with
//   depot lock: exchange until free     acquire   depot unlock (release): the chain and every node's link
//   depot unlock: store                 release   depot lock (acquire)
// Everything else is the calling thread's own.

#ifndef SYNCHRO_NODE_POOL_HPP
#define SYNCHRO_NODE_POOL_HPP

#include <cstdint>

#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/waiting.hpp"

namespace synchro {

/// A pool of `Node`s, one for each machine and node type. A Node offers `plain<Node*> pool_next` and
/// `plain<Node*> pool_batch`, which are the pool's while the node is in it; take() returns a node in whatever state it
/// was given back. Errors: take() may throw what the machine's make() throws.
template <class Machine, class Node>
class node_pool {
 public:
  static Node* take() {
    stash& mine = Machine::template local<stash>();
    if (mine.top == nullptr) [[unlikely]] {
      if (!refill(mine)) return Machine::template make<Node>();
    }
    Node* const node = mine.top;
    mine.top = node->pool_next;
    --mine.count;
    if (mine.leaving) [[unlikely]]
      hand_on(mine);
    return node;
  }

  static void give(Node* node) {
    stash& mine = Machine::template local<stash>();
    if (mine.count >= mine.room) [[unlikely]]
      make_room(mine);
    node->pool_next = mine.top;
    mine.top = node;
    ++mine.count;
    if (mine.leaving) [[unlikely]]
      hand_on(mine);
  }

 private:
  static constexpr std::uint32_t batch = 32;
  static constexpr std::uint32_t most = 2 * batch;

  struct stash {
    Node* top = nullptr;
    std::uint32_t count = 0;
    std::uint32_t room = 0;  // 0 until the thread's exit is watched
    bool leaving = false;    // the thread's exit has begun
  };

  struct depot {
    typename Machine::template atomic<std::uint32_t> locked{0};
    typename Machine::template plain<Node*> batches{nullptr};
  };

  class depot_guard {
   public:
    explicit depot_guard(depot& d) : depot_{d} {
      Machine::exchange_until(
          depot_.locked, 1,
          [](std::uint32_t old, std::uint32_t round) { return old == 0 ? look::content() : spin_yield::again(round); },
          memory_order::acquire);
    }
    ~depot_guard() { depot_.locked.store(0, memory_order::release); }
    depot_guard(const depot_guard&) = delete;
    depot_guard& operator=(const depot_guard&) = delete;

   private:
    depot& depot_;
  };

  /// Takes one batch from the depot into the empty stash; false if there is none.
  static bool refill(stash& mine) {
    depot& shared = Machine::template global<depot>();
    Node* first = nullptr;
    {
      const depot_guard guard{shared};
      first = shared.batches;
      if (first == nullptr) return false;
      shared.batches = static_cast<Node*>(first->pool_batch);
    }
    watch_exit(mine);
    mine.top = first;
    for (Node* node = first; node != nullptr; node = node->pool_next) ++mine.count;
    return true;
  }

  static void watch_exit(stash& mine) {
    if (mine.room != 0) return;
    mine.room = most;
    Machine::template at_thread_exit<leave>(&mine);
  }

  /// The stash is full, or this is the first node that this thread gives.
  static void make_room(stash& mine) {
    if (mine.room == 0) return watch_exit(mine);
    Node* last = mine.top;
    for (std::uint32_t i = 1; i < batch; ++i) last = last->pool_next;
    Node* const rest = last->pool_next;
    last->pool_next = nullptr;
    put(mine.top);
    mine.top = rest;
    mine.count -= batch;
  }

  static void put(Node* first) {
    depot& shared = Machine::template global<depot>();
    const depot_guard guard{shared};
    first->pool_batch = static_cast<Node*>(shared.batches);
    shared.batches = first;
  }

  static void hand_on(stash& mine) {
    if (mine.top != nullptr) put(mine.top);
    mine.top = nullptr;
    mine.count = 0;
  }

  static void leave(void* p) {
    auto& mine = *static_cast<stash*>(p);
    mine.leaving = true;
    hand_on(mine);
  }
};

}  // namespace synchro

#endif
