// The programs that try the ways into a lock that can fail, and those with a node of the caller's.

#ifndef SYNCHRO_EXPLORER_CLIENTS_TRY_CLIENTS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_TRY_CLIENTS_HPP

#include <chrono>
#include <vector>

#include "explorer/clients/lock_programs.hpp"

namespace synchro::explorer {

template <class Lock>
class try_clients {
  using programs = lock_programs<Lock>;
  using scene = typename programs::scene;

 public:
  static void add_to(std::vector<check>& all) {
    if constexpr (try_lockable<Lock>) {
      all.push_back({beside_lock(), depth::exhausted});
      all.push_back({three(), depth::as_far_as_fits});
      all.push_back({then_lock(false), depth::exhausted});
      if constexpr (Lock::traits.domain_aware) all.push_back({then_lock(true), depth::exhausted});
      all.push_back({after_lock(), depth::as_far_as_fits});
      if constexpr (takes_nodes<Lock>) all.push_back({new_nodes(), depth::exhausted});
      all.push_back({alone(), depth::exhausted});
    }
    if constexpr (timed_lockable<Lock>) {
      all.push_back({timed(), depth::exhausted});
      all.push_back({timed_three(), depth::as_far_as_fits});
      all.push_back({timed_between(), depth::as_far_as_fits});
      all.push_back({timed_late(), depth::exhausted});
      if constexpr (takes_nodes<Lock>) all.push_back({timed_in_a_crowd(), depth::as_far_as_fits});
    }
    if constexpr (node_lockable<Lock>) {
      all.push_back({own_node_once(), depth::exhausted});
      all.push_back({own_node_again(), depth::exhausted});
      if constexpr (requires(Lock & l, typename Lock::node & n) { l.try_lock(n); })
        all.push_back({own_node_tries(), depth::exhausted});
    }
  }

 private:
  static program beside_lock() {
    stage<scene> s = programs::base("try 2x2", 2);
    s.does([](scene& it, unsigned t) {
      for (unsigned i = 0; i < 2; ++i) {
        settle(i);
        if (t == 0)
          programs::once(it, t);
        else
          programs::try_once(it, t);
      }
      settle(2);
    });
    return s.done();
  }

  static program three() {
    stage<scene> s = programs::base("try 3x1", 3);
    s.does([](scene& it, unsigned t) {
      if (t != 0) programs::try_once(it, t);
      settle(1);
      if (t != 1) programs::once(it, t);
      settle(2);
    });
    return s.done();
  }

  static program then_lock(bool one_domain) {
    stage<scene> s = programs::base(one_domain ? "try, then lock, one domain" : "try, then lock", 2);
    if (one_domain) s.in_domains({0, 0});
    s.does([](scene& it, unsigned t) {
      if (t == 1) programs::try_once(it, t);
      settle(1);
      programs::once(it, t);
      settle(2);
    });
    return s.done();
  }

  static program after_lock() {
    stage<scene> s = programs::base("lock, then try 3x1", 3);
    s.does([](scene& it, unsigned t) {
      programs::once(it, t);
      settle(1);
      if (t == 0) programs::try_once(it, t);
      settle(2);
    });
    return s.done();
  }

  /// Nodes that the other has made just now.
  static program new_nodes() {
    stage<scene> s = programs::cold("try, with new nodes", 2);
    s.does([](scene& it, unsigned t) {
      if (t == 0)
        programs::once(it, t);
      else
        programs::try_once(it, t);
    });
    return s.done();
  }

  static program alone() {
    stage<scene> s = programs::base("try alone", 1);
    s.does([](scene& it, unsigned) {
      expect(it.lock.try_lock(), "try_lock fails though nobody else is there");
      expect(!it.lock.try_lock(), "try_lock succeeds though the lock is held");
      it.lock.unlock();
      expect(it.lock.try_lock(), "try_lock fails after the lock was released");
      it.lock.unlock();
    });
    return s.done();
  }

  // With a deadline.

  static program timed() {
    stage<scene> s = programs::base("timed 2x2", 2);
    s.does([](scene& it, unsigned t) {
      for (unsigned i = 0; i < 2; ++i) {
        settle(i);
        if (t == 0)
          programs::once(it, t);
        else
          programs::timed_once(it, t, programs::patience);
      }
      settle(2);
    });
    return s.done();
  }

  static program timed_three() {
    stage<scene> s = programs::base("timed 3x1", 3);
    s.does([](scene& it, unsigned t) {
      if (t == 0)
        programs::once(it, t);
      else
        programs::timed_once(it, t, programs::patience);
      settle(1);
    });
    return s.done();
  }

  static program timed_between() {
    stage<scene> s = programs::base("timed between two", 3);
    s.does([](scene& it, unsigned t) {
      if (t == 1)
        programs::timed_once(it, t, programs::patience);
      else
        programs::once(it, t);
      settle(1);
      if (t == 1) programs::once(it, t);
      settle(2);
    });
    return s.done();
  }

  static program timed_late() {
    stage<scene> s = programs::base("timed, too late", 2);
    s.does([](scene& it, unsigned t) {
      if (t == 0)
        programs::once(it, t);
      else
        programs::timed_once(it, t, std::chrono::nanoseconds{0});
      settle(1);
      programs::once(it, t);
      settle(2);
    });
    return s.done();
  }

  /// A lock that is held, with as many waiters behind the holder who have given up as a lock may put up with.
  struct crowded : scene {
    crowded() {
      constexpr unsigned many = 32;
      this->lock.lock();
      for (unsigned i = 0; i < many; ++i)
        expect(!this->lock.try_lock_for(std::chrono::nanoseconds{0}), "a held lock is taken");
    }
  };

  static program timed_in_a_crowd() {
    stage<crowded> s{"timed, beside many who gave up", 2};
    s.then_checks([](crowded& it) { programs::nobody_was_lost(it); });
    if (Lock::traits.domain_aware) s.in_domains({0, 0});
    s.does([](crowded& it, unsigned t) {
      if (t == 0) {
        programs::section(it, t);
        it.lock.unlock();
      }
      settle(1);
      programs::timed_once(it, t, programs::patience);
      settle(2);
    });
    return s.done();
  }

  // With a node of the caller's.

  template <class Node>
  static void with(Node& mine, scene& it, unsigned t) {
    it.lock.lock(mine);
    programs::section(it, t);
    it.lock.unlock(mine);
  }

  static program own_node_once() {
    stage<scene> s = programs::base("own node 3x1", 3);
    s.does([](scene& it, unsigned t) {
      typename Lock::node mine;
      with(mine, it, t);
    });
    return s.done();
  }

  static program own_node_again() {
    stage<scene> s = programs::base("own node 2x2", 2);
    s.does([](scene& it, unsigned t) {
      typename Lock::node mine;
      for (unsigned i = 0; i < 2; ++i) {
        settle(i);
        with(mine, it, t);
      }
    });
    return s.done();
  }

  static program own_node_tries() {
    stage<scene> s = programs::base("own node, try 2x2", 2);
    s.does([](scene& it, unsigned t) {
      typename Lock::node mine;
      for (unsigned i = 0; i < 2; ++i) {
        settle(i);
        if (t == 0) {
          programs::once(it, t);
        } else if (it.lock.try_lock(mine)) {
          programs::section(it, t);
          it.lock.unlock(mine);
        }
      }
    });
    return s.done();
  }
};

}  // namespace synchro::explorer

#endif
