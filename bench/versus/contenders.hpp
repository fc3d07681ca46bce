// The contenders: our locks and their peers under one interface, each in its cheapest form.
//
// A queue lock is entered in the form with the caller's own node, ours as well as theirs; the plain form of ours, with
// nodes from the pool, stands beside it in a row of its own.

#ifndef SYNCHRO_BENCH_CONTENDERS_HPP
#define SYNCHRO_BENCH_CONTENDERS_HPP

#include <type_traits>

namespace synchro::bench {

/// A lock whose lock() and unlock() take nothing.
template <class Lock>
struct plain_form {
  struct context {
    explicit context(plain_form&) {}
  };
  void lock(context&) { inner.lock(); }
  void unlock(context&) { inner.unlock(); }
  Lock inner;
};

/// A queue lock of ours with the caller's own node.
template <class Lock>
struct node_form {
  struct context {
    explicit context(node_form&) {}
    typename Lock::node node;
  };
  void lock(context& c) { inner.lock(c.node); }
  void unlock(context& c) { inner.unlock(c.node); }
  Lock inner;
};

/// The shared side of a reader-writer lock.
template <class Lock>
struct shared_form {
  struct context {
    explicit context(shared_form&) {}
  };
  void lock(context&) { inner.lock_shared(); }
  void unlock(context&) { inner.unlock_shared(); }
  Lock inner;
};

}  // namespace synchro::bench

#endif
