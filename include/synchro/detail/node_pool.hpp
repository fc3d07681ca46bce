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
// A signal handler may run on top of take or give, and lock and unlock what it likes. The stash is closed meanwhile, as if it
// had no room, and the handler finds that: its nodes come from a second list, `aside`, and go there, and the depot, whose
// lock the thread below may hold, is left alone. (Nodes that come back need not be those that were taken, so that the list
// is as before: a clh cell is given back as another. A handler on top of a handler makes its nodes and drops them.)
//
// A fork may come while a thread that the child does not have is in the depot. The child then begins with an empty one:
// the batches that were there are lost to it, and nothing waits for that thread.
//
//   access                              order     pairs with
//   depot lock: exchange until free     acquire   depot unlock (release): the chain and every node's link
//   depot unlock: store                 release   depot lock (acquire)
//   after a fork: load, store           relaxed   nothing: there is one thread
// Everything else is the calling thread's own. What its handlers see of that is kept in order by fences for the compiler.

#ifndef SYNCHRO_DETAIL_NODE_POOL_HPP
#define SYNCHRO_DETAIL_NODE_POOL_HPP

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// A pool of `Node`s, one for each machine and node type. A Node offers `plain<Node*> pool_next` and
/// `plain<Node*> pool_batch`, which are the pool's while the node is in it; take() returns a node in whatever state it
/// was given back. Errors: take() may throw what the machine's make() throws.
template <class Machine, class Node>
class node_pool {
  static constexpr std::int32_t batch = 32;
  static constexpr std::int32_t most = 2 * batch;
  static constexpr std::int32_t closed = -1;

  /// A thread's own nodes. Unless its exit is watched and has not begun it has no room, and is empty.
  struct stash {
    Node* top = nullptr;
    std::int32_t count = 0;
    std::int32_t room = 0;  // or `closed`: the thread is about to change this, and was interrupted
    Node* aside = nullptr;  // for handlers
    bool aside_in_use = false;
    bool watched = false;
    bool leaving = false;
  };

 public:
  static Node* take() {
    stash& mine = Machine::template local<stash>();
    if (mine.room < 0) [[unlikely]]
      return take_aside(mine);
    close(mine);
    Node* const node = mine.top;
    if (node == nullptr) [[unlikely]]
      return fetch(mine);
    mine.top = node->pool_next;
    --mine.count;
    open(mine, most);  // who has nodes has that
    return node;
  }

  struct exchanged {
    Node* taken;  ///< Null if the thread has none at hand; then nothing has been done.
    Node* found;  ///< To be given when the caller may; null if it has been.
  };
  /// take() of a node that is at hand; `find` finds another with it, which is given in its place if `is_ours` already. In one step:
  /// they neither wait nor throw, for the stash is closed meanwhile.
  template <class Find, class IsOurs>
  static exchanged exchange(Find find, IsOurs is_ours) noexcept {
    stash& mine = Machine::template local<stash>();
    const std::int32_t room = mine.room;
    if (room < 0) [[unlikely]]
      return {};
    close(mine);
    Node* const node = mine.top;
    if (node == nullptr) [[unlikely]] {
      open(mine, room);
      return {};
    }
    Node* const rest = node->pool_next;
    Node* found = find(*node);
    if (is_ours(*found)) [[likely]] {
      found->pool_next = rest;
      mine.top = std::exchange(found, nullptr);
    } else {
      mine.top = rest;
      --mine.count;
    }
    open(mine, room);
    return {node, found};
  }

  static void give(Node* node) noexcept {
    stash& mine = Machine::template local<stash>();
    if (mine.count >= mine.room) [[unlikely]]
      return give_without_room(mine, node);
    close(mine);
    keep(mine, node);
    open(mine, most);
  }

 private:
  static void close(stash& mine) {
    mine.room = closed;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  static void open(stash& mine, std::int32_t room) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    mine.room = room;
  }

  static void keep(stash& mine, Node* node) {
    node->pool_next = mine.top;
    mine.top = node;
    ++mine.count;
  }

  struct depot {
    typename Machine::template atomic<std::uint32_t> locked{0};
    typename Machine::template plain<Node*> batches{nullptr};
  };

  class depot_guard {
   public:
    explicit depot_guard(depot& d) : depot_{d} {
      Machine::template at_fork<reopen>();
      Machine::exchange_until(
          depot_.locked, 1,
          [](std::uint32_t old, std::uint32_t round) { return old == 0 ? look::done() : spin_yield::retry(round); },
          memory_order::acquire);
    }
    ~depot_guard() { depot_.locked.store(0, memory_order::release); }
    depot_guard(const depot_guard&) = delete;
    depot_guard& operator=(const depot_guard&) = delete;

   private:
    depot& depot_;
  };

  static void reopen() {
    depot& shared = Machine::template global<depot>();
    if (shared.locked.load(memory_order::relaxed) == 0) return;  // one thread, so no order matters
    shared.batches = nullptr;
    shared.locked.store(0, memory_order::relaxed);  // one thread, so no order matters
  }

  // Apart from take and give, which need no stack.

  /// Closes the stash where more is done than to take or give one node.
  class closing {
   public:
    explicit closing(stash& mine) : mine_{mine} { close(mine_); }
    ~closing() { open(mine_, mine_.watched ? most : 0); }
    closing(const closing&) = delete;
    closing& operator=(const closing&) = delete;

   private:
    stash& mine_;
  };

  /// The stash is empty: a batch from the depot, what handlers left aside, or a new node. All that the system is asked for is
  /// asked for here, before the caller holds its lock: the system's own locks may be held by a thread that waits for that
  /// one (by a constructor of a library that is being loaded).
  [[gnu::noinline]] static Node* fetch(stash& mine) {
    const closing hold{mine};
    const bool keeps_nodes = watches_exit(mine);
    Node* first = take_batch();
    if (first == nullptr) first = take_all_aside(mine);  // last: handlers would need new ones
    if (first == nullptr) return Machine::template make<Node>();
    Node* const rest = first->pool_next;
    if (keeps_nodes) {
      mine.top = rest;
      for (Node* node = rest; node != nullptr; node = node->pool_next) ++mine.count;
    } else if (rest != nullptr) {
      put_batch(rest);
    }
    return first;
  }

  [[gnu::noinline]] static void give_without_room(stash& mine, Node* node) {
    if (mine.room < 0) return give_aside(mine, node);
    const closing hold{mine};
    if (make_room(mine))
      keep(mine, node);
    else
      put_alone(node);
  }

  /// Gives the stash room for one more; false if this thread must not keep nodes, for nobody would take them over.
  static bool make_room(stash& mine) {
    if (mine.count < most) return watches_exit(mine);
    Node* last = mine.top;
    for (std::int32_t i = 1; i < batch; ++i) last = last->pool_next;
    Node* const rest = last->pool_next;
    last->pool_next = nullptr;
    put_batch(mine.top);
    mine.top = rest;
    mine.count -= batch;
    return true;
  }

  static bool watches_exit(stash& mine) {
    if (!mine.watched && !mine.leaving) mine.watched = Machine::template at_thread_exit<leave>(&mine);
    return mine.watched;
  }

  /// Unless the caller is a handler on top of one that does it.
  template <class Change>
  static void change_aside(stash& mine, Change change) {
    if (mine.aside_in_use) return;
    mine.aside_in_use = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    change(mine.aside);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    mine.aside_in_use = false;
  }

  [[gnu::noinline]] static Node* take_aside(stash& mine) {
    Node* node = nullptr;
    change_aside(mine, [&](Node*& aside) {
      node = aside;
      if (node != nullptr) aside = node->pool_next;
    });
    return node != nullptr ? node : Machine::template make<Node>();
  }

  static void give_aside(stash& mine, Node* node) {
    change_aside(mine, [&](Node*& aside) {
      node->pool_next = aside;
      aside = node;
    });
  }

  static Node* take_all_aside(stash& mine) {
    Node* all = nullptr;
    if (mine.aside != nullptr) change_aside(mine, [&](Node*& aside) { all = std::exchange(aside, nullptr); });
    return all;
  }

  static Node* take_batch() {
    depot& shared = Machine::template global<depot>();
    const depot_guard guard{shared};
    Node* const first = shared.batches;
    if (first != nullptr) shared.batches = static_cast<Node*>(first->pool_batch);
    return first;
  }

  static void put_batch(Node* first) {
    depot& shared = Machine::template global<depot>();
    const depot_guard guard{shared};
    first->pool_batch = static_cast<Node*>(shared.batches);
    shared.batches = first;
  }

  static void put_alone(Node* node) {
    node->pool_next = nullptr;
    put_batch(node);
  }

  static void leave(void* p) {
    auto& mine = *static_cast<stash*>(p);
    const closing hold{mine};
    for (Node* const all : {std::exchange(mine.top, nullptr), take_all_aside(mine)})
      if (all != nullptr) put_batch(all);
    mine.count = 0;
    mine.watched = false;
    mine.leaving = true;
  }
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
