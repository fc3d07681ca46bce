// What the adapters share: the form without a node, and the names by which a peer tells what a compiler cannot see.
//
// An adapter puts the standard's names (lock, unlock, try_lock, lock_shared...) on a lock from elsewhere and adds
// nothing between: each call is one call, inlined where the original is inline. Besides `traits` it says
//
//   waits           how a waiter waits, in the words of the waiting policies: "spin", "yield" or "park"
//   parks           whether a waiter ever sleeps in the kernel
//   bytes_per_lock  the size of the original, where the adapter has members of its own
//   native_node     true where the original has no other form than the one with the caller's own node; experiments then
//                   measure that form, with one node for each thread and lock held, since that is how it is used

#ifndef SYNCHRO_PEERS_PEER_HPP
#define SYNCHRO_PEERS_PEER_HPP

#include <cstddef>

#include "synchro/detail/node_pool.hpp"
#include "synchro/hardware.hpp"
#include "synchro/traits.hpp"

namespace synchro::peers {

/// Adds lock() and unlock() without arguments to a lock that has only the form with a node. The nodes come from the
/// library's pool, so any number of such locks are held at once and released in any order or by another thread.
template <class NodeLock>
class with_pooled_nodes : public NodeLock {
 public:
  static constexpr bool native_node = true;
  static constexpr std::size_t bytes_per_lock = sizeof(NodeLock);
  static constexpr std::size_t bytes_per_held_lock = sizeof(typename NodeLock::node);

  using NodeLock::lock;
  using NodeLock::unlock;

  void lock() {
    entry* const mine = pool::take();
    NodeLock::lock(mine->node);
    holder_ = mine;
  }

  bool try_lock() requires requires(NodeLock& l, typename NodeLock::node& n) { l.try_lock(n); }
  {
    entry* const mine = pool::take();
    if (!NodeLock::try_lock(mine->node)) {
      pool::give(mine);
      return false;
    }
    holder_ = mine;
    return true;
  }

  void unlock() {
    entry* const mine = holder_;
    NodeLock::unlock(mine->node);
    pool::give(mine);
  }

 private:
  struct entry {
    typename NodeLock::node node;
    entry* pool_next = nullptr;
    entry* pool_batch = nullptr;
  };
  using pool = node_pool<hardware, entry>;

  entry* holder_ = nullptr;  // written by the holder only
};

}  // namespace synchro::peers

#endif
