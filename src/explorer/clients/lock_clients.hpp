// The programs that try a lock. Whatever a lock offers is tried; what it does not offer does not compile here, so no
// list of locks is kept.

#ifndef SYNCHRO_EXPLORER_CLIENTS_LOCK_CLIENTS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_LOCK_CLIENTS_HPP

#include <string>
#include <vector>

#include "explorer/clients/order_clients.hpp"
#include "explorer/clients/shared_clients.hpp"
#include "explorer/clients/try_clients.hpp"

namespace synchro::explorer {

template <class Lock>
class lock_clients {
  using programs = lock_programs<Lock>;
  using scene = typename programs::scene;
  using ways = ways_to_make<Lock>;

 public:
  static std::vector<check> all() {
    std::vector<check> made;
    add_exclusion(made);
    try_clients<Lock>::add_to(made);
    add_usage(made);
    shared_clients<Lock>::add_to(made);
    order_clients<Lock>::add_to(made);
    return made;
  }

  static std::vector<check> samples() { return {{programs::play("lock 6x2", each(6, 2)).done(), depth::exhausted}}; }

 private:
  static constexpr bool queues = takes_nodes<Lock> || requires { Lock::bytes_per_thread; };

  static void add(std::vector<check>& all, const stage<scene>& s, depth how_far = depth::exhausted) {
    all.push_back({s.done(), how_far});
  }
  static void add_cold(std::vector<check>& all, const stage<scene>& s, depth how_far = depth::as_far_as_fits) {
    all.push_back({cold(s.done()), how_far});
  }

  static parts each(unsigned threads, unsigned times) { return parts(threads, std::vector<deed>(times, deed::lock)); }

  static void add_exclusion(std::vector<check>& all) {
    add(all, programs::play("lock 2x1", each(2, 1)));
    add(all, programs::play("lock 2x2", each(2, 2)));
    add(all, programs::play("lock 3x1", each(3, 1)));
    add_cold(all, programs::play("lock 2x1", each(2, 1)), depth::exhausted);
    add_cold(all, programs::play("lock 2x2", each(2, 2)));
    if constexpr (Lock::traits.domain_aware) {
      add(all, programs::play("lock 2x2, one domain", each(2, 2)).in_domains({0, 0}));
      stage<scene> moving = programs::play("lock 2x2, threads move", each(2, 2));
      moving.with().moves = true;
      add(all, moving, depth::as_far_as_fits);
    }
    add_wraps(all);
    if constexpr (queues) add(all, programs::play("lock 4x1", each(4, 1)), depth::as_far_as_fits);
    if constexpr (ways::limits_passes_of_tickets)
      add(all, programs::play("lock 3x1, pass limit 0", each(3, 1), shape{{0, 0, 1}}, first_ticket{}, 0U));
    else if constexpr (ways::limits_passes)
      add(all, programs::play("lock 3x1, pass limit 0", each(3, 1), shape{{0, 0, 1}}, 0U), depth::as_far_as_fits);
    add(all, programs::play("lock 3x2", each(3, 2)), depth::as_far_as_fits);
  }

  /// Numbers that wrap between the start line and the finish line: in threads that are warm, each of which has used up
  /// one number, the next is the largest there is.
  static void add_wraps(std::vector<check>& all) {
    using enum deed;
    if constexpr (ways::counts || ways::counts_in_shape) {
      add(all, wrapping("lock 2x2, numbers wrap", each(2, 2), ~0U - 2));
      add_cold(all, wrapping("lock 2x2, numbers wrap", each(2, 2), ~0U));
      add_cold(all, wrapping("lock 3x1, numbers wrap", each(3, 1), ~0U - 1));
      if constexpr (try_lockable<Lock>)
        add_cold(all, wrapping("try 2x2, numbers wrap", {{lock, lock}, {try_lock, try_lock}}, ~0U));
      if constexpr (timed_lockable<Lock>) {
        add(all, wrapping("timed 2x2, numbers wrap", {{lock, lock}, {timed, timed}}, ~0U - 2), depth::as_far_as_fits);
        add_cold(all, wrapping("timed 2x2, numbers wrap", {{lock, lock}, {timed, timed}}, ~0U));
      }
      if constexpr (shared_lockable<Lock>)
        add_cold(all, wrapping("shared 2x2, numbers wrap", {{lock, read}, {read, lock}}, ~0U));
    }
  }

  static stage<scene> wrapping(const std::string& name, const parts& some, std::uint32_t first) {
    if constexpr (ways::counts)
      return programs::play(name, some, first_ticket{first});
    else
      return programs::play(name, some, some.size() == 2 ? shape{{0, 1}} : shape{{0, 0, 1}}, first_ticket{first});
  }

  static void add_usage(std::vector<check>& all) {
    if constexpr (takes_nodes<Lock>) {
      all.push_back({used_nodes(), depth::as_far_as_fits});
      all.push_back({ends_early(), depth::as_far_as_fits});
    }
    all.push_back({two_locks(), depth::as_far_as_fits});
    all.push_back({released_by_another(), depth::as_far_as_fits});
    if constexpr (!requires { Lock::unlock_ends_late; }) {
      all.push_back({destroyed_by_the_last(2), depth::exhausted});
      all.push_back({destroyed_by_the_last(3), depth::as_far_as_fits});
    }
  }

  /// A lock made of nodes that another lock has left in whatever state.
  static program used_nodes() {
    struct successor {
      successor()
          : before{catalog::make_lock<Lock>(explored::here())},
            used{use(before)},
            lock{catalog::make_lock<Lock>(explored::here())} {}
      static bool use(Lock& lock) {
        lock.lock();
        if constexpr (timed_lockable<Lock>)
          expect(!lock.try_lock_for(std::chrono::nanoseconds{0}), "a held lock is taken");
        lock.unlock();
        return true;
      }
      Lock before;
      bool used;
      Lock lock;
      explored::plain<std::uint32_t> count{0};
    };
    stage<successor> s{"made of used nodes", 2};
    s.does([](successor& it, unsigned) {
      it.lock.lock();
      it.count = it.count + 1;
      it.lock.unlock();
    });
    if (Lock::traits.domain_aware) s.in_domains({0, 1});
    return s.done();
  }

  /// A thread ends while others still look at its node, and one takes over what it leaves.
  static program ends_early() {
    using enum deed;
    stage<scene> s = programs::play(
        "a thread ends", timed_lockable<Lock> ? parts{{lock}, {timed}, {lock}} : parts{{lock}, {lock}, {lock}});
    s.with().explores_exits = true;
    return s.done();
  }

  /// Two locks, taken in one order and released in the same.
  static program two_locks() {
    struct pair_of {
      pair_of() : a{catalog::make_lock<Lock>(explored::here())}, b{catalog::make_lock<Lock>(explored::here())} {}
      Lock a;
      Lock b;
      explored::plain<std::uint32_t> count_a{0};
      explored::plain<std::uint32_t> count_b{0};
    };
    stage<pair_of> s{"two locks 2x1", 2};
    s.warms_up([](pair_of& it, unsigned) {
      it.a.lock();
      it.b.lock();
      it.a.unlock();
      it.b.unlock();
    });
    s.does([](pair_of& it, unsigned) {
      it.a.lock();
      it.count_a = it.count_a + 1;
      it.b.lock();
      it.count_b = it.count_b + 1;
      it.a.unlock();
      it.count_b = it.count_b + 1;
      it.b.unlock();
    });
    s.then_checks([](pair_of& it) { expect(it.count_a == 2 && it.count_b == 4, "a section was lost"); });
    s.with().counts_nodes = true;
    if (Lock::traits.domain_aware) s.in_domains({0, 1});
    return s.done();
  }

  static program released_by_another() {
    struct passed_on : scene {
      explored::atomic<std::uint32_t> taken{0};
    };
    stage<passed_on> s{"released by another", 3};
    s.warms_up(programs::warm).then_checks([](passed_on& it) { programs::nobody_was_lost(it); });
    if (Lock::traits.domain_aware) s.in_domains({0, 1, 0});
    s.does([](passed_on& it, unsigned t) {
      if (t == 0) {
        it.lock.lock();
        programs::section(it, t);
        it.taken.store(1, memory_order::release);
      } else if (t == 1) {
        explored::await(it.taken, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
        it.lock.unlock();
      } else {
        programs::once(it, t);
      }
      settle(1);
      if (t != 2) programs::once(it, t);
      settle(2);
    });
    return s.done();
  }

  /// Who finds that all others have been inside destroys the lock: to let the next one in is the last that an unlock
  /// does with it.
  static program destroyed_by_the_last(unsigned threads) {
    struct scene_of_it {
      mortal<Lock> it;
      explored::plain<std::uint32_t> been{0};
      explored::plain<bool> destroyed{false};
    };
    stage<scene_of_it> s{"destroyed by the last " + std::to_string(threads) + "x1", threads};
    if (Lock::traits.domain_aware) {
      std::vector<unsigned> domains{0, 1, 0};
      domains.resize(threads);
      s.in_domains(domains);
    }
    s.warms_up([](scene_of_it& all, unsigned) {
      all.it.lock.lock();
      all.it.lock.unlock();
    });
    s.does([threads](scene_of_it& all, unsigned) {
      all.it.lock.lock();
      all.been = all.been + 1;
      const bool last = all.been == threads;
      all.it.lock.unlock();
      if (!last) return;
      all.destroyed = true;
      all.it.destroy();
    });
    s.then_checks([](scene_of_it& all) { expect(all.destroyed, "nobody was the last"); });
    return s.done();
  }
};

/// The subjects of one line of the catalog.
template <class Line>
void add_line(subjects& to) {
  add_variants<Line>(to, [&]<class Variant>(const Variant& variant) {
    using lock = typename Variant::template lock<explored>;
    return subject{variant.name, Line::header(), lock_clients<lock>::all(), lock_clients<lock>::samples()};
  });
}

}  // namespace synchro::explorer

#endif
