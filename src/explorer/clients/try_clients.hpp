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
    if constexpr (try_lockable<Lock>) add_tries(all);
    if constexpr (timed_lockable<Lock>) add_timed(all);
    if constexpr (node_lockable<Lock>) {
      all.push_back({own_node_once(), depth::exhausted});
      all.push_back({own_node_again(), depth::exhausted});
      if constexpr (requires(Lock & l, typename Lock::node & n) { l.try_lock(n); }) {
        all.push_back({own_node_tries(), depth::exhausted});
        all.push_back({own_node_after_a_try(), depth::exhausted});
      }
    }
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

  /// Thread 0 has the lock from before the start until after the finish: who waits with a deadline gives up.
  static program timed_beside_a_keeper() {
    stage<scene> s = programs::base("timed, beside one who keeps it", 3);
    s.warms_up([](scene& it, unsigned t) {
      if (t == 0) it.lock.lock();
    });
    s.does([](scene& it, unsigned t) {
      if (t == 0) return;
      expect(!it.lock.try_lock_for(programs::patience), "a held lock is taken");
      settle(1);
      // Not all look again: that may clean up what others who gave up have left.
      if (t == 2) expect(!it.lock.try_lock(), "a held lock is taken");
      settle(2);
    });
    s.cools_down([](scene& it, unsigned t) {
      if (t == 0) {
        it.lock.unlock();
        expect(it.lock.try_lock(), "a free lock is not taken");
        it.lock.unlock();
      }
      programs::once(it, t);
    });
    s.with().counts_nodes = true;
    return s.done();
  }

  static void give_up(scene& it) { expect(!it.lock.try_lock_for(std::chrono::nanoseconds{0}), "a held lock is taken"); }

  /// A lock that is held, with as many waiters behind the holder who have given up as a lock may put up with.
  struct crowded : scene {
    crowded() {
      constexpr unsigned many = 32;
      this->lock.lock();
      for (unsigned i = 0; i < many; ++i) give_up(*this);
    }
  };

  /// Whoever gives up beside a holder, however often, makes do with a bounded number of nodes.
  struct more_and_more : crowded {
    more_and_more() {
      give_up(*this);
      const std::size_t before = world::current().blocks();
      for (unsigned i = 0; i < 4; ++i) give_up(*this);
      expect(world::current().blocks() == before, "each time that a waiter gives up it makes a node");
    }
  };
  static program gives_up_often() {
    stage<more_and_more> s{"timed, gives up often", 1};
    s.does([](more_and_more& it, unsigned t) {
      programs::section(it, t);
      it.lock.unlock();
    });
    s.with().counts_nodes = true;
    return s.done();
  }

 private:
  static void add(std::vector<check>& all, const char* name, const parts& some, depth how_far = depth::exhausted) {
    all.push_back({programs::play(name, some).done(), how_far});
  }

  static void add_tries(std::vector<check>& all) {
    using enum deed;
    add(all, "try 2x2", {{lock, lock}, {try_lock, try_lock}});
    add(all, "try 3x1", {{lock}, {try_lock}, {try_lock, lock}}, depth::as_far_as_fits);
    add(all, "try, then lock", {{lock}, {try_lock, lock}});
    if constexpr (Lock::traits.domain_aware)
      all.push_back({programs::play("try, then lock, one domain", {{lock}, {try_lock, lock}}).in_domains({0, 0}).done(),
                     depth::exhausted});
    add(all, "lock, then try 3x1", {{lock, try_lock}, {lock}, {lock}}, depth::as_far_as_fits);
    all.push_back({cold(programs::play("try 2x1", {{lock}, {try_lock}}).done()), depth::exhausted});
    all.push_back({alone(), depth::exhausted});
  }

  static void add_timed(std::vector<check>& all) {
    using enum deed;
    add(all, "timed 2x2", {{lock, lock}, {timed, timed}});
    add(all, "timed 3x1", {{lock}, {timed}, {timed}}, depth::as_far_as_fits);
    add(all, "timed between two", {{lock}, {timed, lock}, {lock}}, depth::as_far_as_fits);
    add(all, "timed, too late", {{lock, lock}, {late, lock}});
    add(all, "timed and not, in turns", {{lock, timed, lock}, {timed, lock}}, depth::as_far_as_fits);
    add(all, "timed without end", {{lock, lock}, {endless, endless}}, depth::as_far_as_fits);
    all.push_back({cold(programs::play("timed 2x2", {{lock, lock}, {timed, timed}}).done()), depth::as_far_as_fits});
    all.push_back({timed_alone(), depth::exhausted});
    all.push_back({timed_beside_a_keeper(), depth::as_far_as_fits});
    if constexpr (takes_nodes<Lock>) {
      all.push_back({timed_in_a_crowd(), depth::widened});
      all.push_back({gives_up_often(), depth::exhausted});
    }
  }

  // With a deadline.

  static program timed_alone() {
    stage<scene> s = programs::base("timed alone", 1);
    s.does([](scene& it, unsigned) {
      for (const auto how_long : {std::chrono::nanoseconds{0}, programs::patience}) {
        expect(it.lock.try_lock_for(how_long), "a timed lock fails though nobody else is there");
        expect(!it.lock.try_lock_for(how_long), "a held lock is taken");
        it.lock.unlock();
      }
      programs::once(it, 0);
    });
    s.with().counts_nodes = true;
    return s.done();
  }

  static program timed_in_a_crowd() {
    stage<crowded> s{"timed, beside many who gave up", 2};
    s.then_checks([](crowded& it) { programs::nobody_was_lost(it); });
    s.with().counts_nodes = true;
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

  /// A node with which a try has failed is as good as another, and nobody else's.
  static program own_node_after_a_try() {
    stage<scene> s = programs::base("own node after a try 2x1", 2);
    s.does([](scene& it, unsigned t) {
      if (t == 0) return programs::once(it, t);
      typename Lock::node mine;
      if (it.lock.try_lock(mine)) {
        programs::section(it, t);
        it.lock.unlock(mine);
      }
      settle(1);
      programs::once(it, t);
      settle(2);
      with(mine, it, t);
    });
    return s.done();
  }
};

}  // namespace synchro::explorer

#endif
