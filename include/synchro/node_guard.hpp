// A guard with a queue node of its own: what std::lock_guard is to lock() and unlock(), this is to lock(node) and
// unlock(node).
//
//   synchro::node_guard guard{lock};   // locked; the node is on this stack
//
// Nothing is looked up and nothing allocated: the pool of nodes is not touched. The node is destroyed when the guard is, so
// the guard stays where it was made: it is neither copied nor moved, and gives the lock back before it goes.

#ifndef SYNCHRO_NODE_GUARD_HPP
#define SYNCHRO_NODE_GUARD_HPP

#include <mutex>

#include "synchro/traits.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <node_lockable Lock>
class [[nodiscard]] node_guard {
 public:
  explicit node_guard(Lock& lock) noexcept : lock_{lock}, owns_{true} { lock_.lock(node_); }
  /// Only if the lock is free at once; ask owns_lock().
  node_guard(Lock& lock, std::try_to_lock_t /*unused*/) noexcept requires requires(Lock& l, typename Lock::node& n) {
    l.try_lock(n);
  } : lock_{lock}, owns_{lock.try_lock(node_)} {
  }
  ~node_guard() {
    if (owns_) lock_.unlock(node_);
  }
  node_guard(const node_guard&) = delete;
  node_guard& operator=(const node_guard&) = delete;

  [[nodiscard]] bool owns_lock() const noexcept { return owns_; }
  explicit operator bool() const noexcept { return owns_; }

  /// Before the guard goes. The guard owns the lock.
  void unlock() noexcept {
    owns_ = false;
    lock_.unlock(node_);
  }

 private:
  Lock& lock_;
  typename Lock::node node_;
  bool owns_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
