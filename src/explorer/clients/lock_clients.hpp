// The programs that try a lock. Whatever a lock offers is tried; what it does not offer does not compile here, so no
// list of locks is kept.
//
// Critical sections count on a plain field. Two that are not ordered by the lock are a data race on it, in whatever
// order they happen to run, so a race is what mutual exclusion and every missing memory order come down to.

#ifndef SYNCHRO_EXPLORER_CLIENTS_LOCK_CLIENTS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_LOCK_CLIENTS_HPP

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "catalog/lock_line.hpp"
#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"
#include "synchro/first_ticket.hpp"
#include "synchro/traits.hpp"

namespace synchro::explorer {

template <class Lock>
struct guarded {
  guarded() : lock{catalog::make_lock<Lock>(explored::here())} {}
  template <class... Arguments>
  explicit guarded(const Arguments&... arguments) : lock(arguments...) {}

  Lock lock;
  explored::plain<std::uint32_t> count{0};
  std::array<explored::plain<std::uint32_t>, max_threads> entered{};  // each thread's own
};

template <class Lock>
class lock_clients {
  using scene = guarded<Lock>;
  static constexpr bool queues = requires { Lock::bytes_per_held_lock; }
  || requires { Lock::bytes_per_thread; };
  static constexpr bool has_order = Lock::traits.bypass.has_value();
  static constexpr bool counts = std::is_constructible_v<Lock, first_ticket>;
  static constexpr bool counts_in_shape = std::is_constructible_v<Lock, const shape&, first_ticket>;
  static constexpr bool limits_passes_of_tickets =
      std::is_constructible_v<Lock, const shape&, first_ticket, std::uint32_t>;
  static constexpr bool limits_passes = std::is_constructible_v<Lock, const shape&, std::uint32_t>;

 public:
  static std::vector<check> all() {
    lock_clients made;
    made.add_exclusion();
    made.add_try();
    made.add_timed();
    made.add_own_node();
    made.add_usage();
    made.add_shared();
    made.add_order();
    return std::move(made.checks_);
  }

  static std::vector<check> samples() { return {{exclusion("6x2", 6, 2).done(), depth::exhausted}}; }

 private:
  void add(const stage<scene>& s, depth how_far = depth::exhausted) { checks_.push_back({s.done(), how_far}); }

  // What threads do.

  static void section(scene& s, unsigned t) {
    s.count = s.count + 1;
    s.entered[t] = s.entered[t] + 1;
  }
  static void once(scene& s, unsigned t) {
    s.lock.lock();
    section(s, t);
    s.lock.unlock();
  }
  /// Takes the nodes that later operations will want from the pool, so that the pool is out of the picture; it is a
  /// subject of its own.
  static void warm(scene& s, unsigned) {
    s.lock.lock();
    s.lock.unlock();
  }
  static void nobody_was_lost(scene& s) {
    std::uint32_t sum = 0;
    for (auto& each : s.entered) sum += each;
    expect(s.count == sum, "the sections counted and those entered differ");
  }

  template <class... Arguments>
  static stage<scene> base(const std::string& name, unsigned threads, Arguments... arguments) {
    stage<scene> s{name, threads, arguments...};
    s.warms_up(warm).then_checks(nobody_was_lost);
    if (Lock::traits.domain_aware) s.in_domains(two_domains(threads));
    return s;
  }
  /// Domain 0, 0, 1, 0, 1, ...: with two threads one each, with three two and one.
  static std::vector<unsigned> two_domains(unsigned threads) {
    std::vector<unsigned> domains(threads);
    for (unsigned t = 0; t < threads; ++t) domains[t] = threads == 2 ? t : t == 0 ? 0 : (t + 1) % 2;
    return domains;
  }

  template <class... Arguments>
  static stage<scene> exclusion(const std::string& size, unsigned threads, unsigned times, Arguments... arguments) {
    stage<scene> s = base("lock " + size, threads, arguments...);
    s.does([times](scene& it, unsigned t) {
      for (unsigned i = 0; i < times; ++i) {
        settle(i);
        once(it, t);
      }
      settle(times);
    });
    return s;
  }

  // The programs.

  void add_exclusion() {
    add(exclusion("2x1", 2, 1));
    add(exclusion("2x2", 2, 2));
    add(exclusion("3x1", 3, 1));
    if constexpr (Lock::traits.domain_aware) add(exclusion("2x2, one domain", 2, 2).in_domains({0, 0}));
    if constexpr (counts)
      add(exclusion("2x2, numbers wrap", 2, 2, first_ticket{~0U}));
    else if constexpr (counts_in_shape)
      add(exclusion("2x2, numbers wrap", 2, 2, shape{{0, 1}}, first_ticket{~0U}));
    if constexpr (queues) add(exclusion("4x1", 4, 1), depth::as_far_as_fits);
    if constexpr (limits_passes_of_tickets)
      add(exclusion("3x1, pass limit 0", 3, 1, shape{{0, 0, 1}}, first_ticket{}, 0U));
    else if constexpr (limits_passes)
      add(exclusion("3x1, pass limit 0", 3, 1, shape{{0, 0, 1}}, 0U), depth::as_far_as_fits);
    add(exclusion("3x2", 3, 2), depth::as_far_as_fits);
  }

  void add_try() {
    if constexpr (try_lockable<Lock>) {
      const auto attempt_once = [](scene& s, unsigned t) {
        if (!s.lock.try_lock()) return;
        section(s, t);
        s.lock.unlock();
      };
      stage<scene> two = base("try 2x2", 2);
      two.does([attempt_once](scene& s, unsigned t) {
        for (unsigned i = 0; i < 2; ++i) {
          settle(i);
          if (t == 0)
            once(s, t);
          else
            attempt_once(s, t);
        }
        settle(2);
      });
      add(two);
      stage<scene> three = base("try 3x1", 3);
      three.does([attempt_once](scene& s, unsigned t) {
        if (t != 0) attempt_once(s, t);
        settle(1);
        if (t != 1) once(s, t);
        settle(2);
      });
      add(three, depth::as_far_as_fits);
      stage<scene> first = base("try, then lock", 2);
      first.does([attempt_once](scene& s, unsigned t) {
        if (t == 1) attempt_once(s, t);
        settle(1);
        once(s, t);
        settle(2);
      });
      add(first);
      if constexpr (Lock::traits.domain_aware) {
        first.with().name = "try, then lock, one domain";
        add(first.in_domains({0, 0}));
      }
      stage<scene> after = base("lock, then try 3x1", 3);
      after.does([attempt_once](scene& s, unsigned t) {
        once(s, t);
        settle(1);
        if (t == 0) attempt_once(s, t);
        settle(2);
      });
      add(after, depth::as_far_as_fits);
      stage<scene> alone = base("try alone", 1);
      alone.does([](scene& s, unsigned) {
        expect(s.lock.try_lock(), "try_lock fails though nobody else is there");
        expect(!s.lock.try_lock(), "try_lock succeeds though the lock is held");
        s.lock.unlock();
        expect(s.lock.try_lock(), "try_lock fails after the lock was released");
        s.lock.unlock();
      });
      add(alone);
    }
  }

  static constexpr std::chrono::nanoseconds patience{1};

  static void timed_once(scene& s, unsigned t, std::chrono::nanoseconds how_long) {
    if (!s.lock.try_lock_for(how_long)) return;
    section(s, t);
    s.lock.unlock();
  }

  void add_timed() {
    if constexpr (timed_lockable<Lock>) {
      stage<scene> two = base("timed 2x2", 2);
      two.does([](scene& s, unsigned t) {
        for (unsigned i = 0; i < 2; ++i) {
          settle(i);
          if (t == 0)
            once(s, t);
          else
            timed_once(s, t, patience);
        }
        settle(2);
      });
      add(two);
      stage<scene> three = base("timed 3x1", 3);
      three.does([](scene& s, unsigned t) {
        if (t == 0)
          once(s, t);
        else
          timed_once(s, t, patience);
        settle(1);
      });
      add(three, depth::as_far_as_fits);
      stage<scene> between = base("timed between two", 3);
      between.does([](scene& s, unsigned t) {
        if (t == 1)
          timed_once(s, t, patience);
        else
          once(s, t);
        settle(1);
        if (t == 1) once(s, t);
        settle(2);
      });
      add(between, depth::as_far_as_fits);
      stage<scene> late = base("timed, too late", 2);
      late.does([](scene& s, unsigned t) {
        if (t == 0)
          once(s, t);
        else
          timed_once(s, t, std::chrono::nanoseconds{0});
        settle(1);
        once(s, t);
        settle(2);
      });
      add(late);
      if constexpr (requires { Lock::bytes_per_held_lock; }) add_timed_beside_many();
    }
  }

  /// Waiters that have given up stand in the queue, as many as a lock may put up with; then somebody releases.
  void add_timed_beside_many() {
    constexpr unsigned many = 32;
    stage<scene> s = base("timed, beside many who gave up", 2);
    s.warms_up([](scene& it, unsigned t) {
      if (t != 0) return;
      it.lock.lock();
      for (unsigned i = 0; i < many; ++i)
        expect(!it.lock.try_lock_for(std::chrono::nanoseconds{0}), "a held lock is taken");
    });
    s.does([](scene& it, unsigned t) {
      if (t == 0) {
        section(it, t);
        it.lock.unlock();
      }
      settle(1);
      timed_once(it, t, patience);
      settle(2);
    });
    if (Lock::traits.domain_aware) s.in_domains({0, 0});
    add(s, depth::as_far_as_fits);
  }

  void add_own_node() {
    if constexpr (node_lockable<Lock>) {
      stage<scene> s = base("own node 3x1", 3);
      s.does([](scene& it, unsigned t) {
        typename Lock::node mine;
        it.lock.lock(mine);
        section(it, t);
        it.lock.unlock(mine);
      });
      add(s);
      stage<scene> again = base("own node 2x2", 2);
      again.does([](scene& it, unsigned t) {
        typename Lock::node mine;
        for (unsigned i = 0; i < 2; ++i) {
          settle(i);
          it.lock.lock(mine);
          section(it, t);
          it.lock.unlock(mine);
        }
      });
      add(again);
      stage<scene> tries = base("own node, try 2x2", 2);
      tries.does([](scene& it, unsigned t) {
        typename Lock::node mine;
        for (unsigned i = 0; i < 2; ++i) {
          settle(i);
          if (t == 0) {
            once(it, t);
          } else if (it.lock.try_lock(mine)) {
            section(it, t);
            it.lock.unlock(mine);
          }
        }
      });
      add(tries);
    }
  }

  /// Two locks, taken in one order and released in the same.
  struct pair_of {
    pair_of() : a{catalog::make_lock<Lock>(explored::here())}, b{catalog::make_lock<Lock>(explored::here())} {}
    Lock a;
    Lock b;
    explored::plain<std::uint32_t> count_a{0};
    explored::plain<std::uint32_t> count_b{0};
  };

  /// A lock made of nodes that another lock has left in whatever state.
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

  void add_usage() {
    if constexpr (requires { Lock::bytes_per_held_lock; }) {
      stage<successor> next{"made of used nodes", 2};
      next.does([](successor& s, unsigned) {
        s.lock.lock();
        s.count = s.count + 1;
        s.lock.unlock();
      });
      if (Lock::traits.domain_aware) next.in_domains({0, 1});
      checks_.push_back({next.done(), depth::as_far_as_fits});
    }
    stage<pair_of> two{"two locks 2x1", 2};
    two.warms_up([](pair_of& s, unsigned) {
      s.a.lock();
      s.b.lock();
      s.a.unlock();
      s.b.unlock();
    });
    two.does([](pair_of& s, unsigned) {
      s.a.lock();
      s.count_a = s.count_a + 1;
      s.b.lock();
      s.count_b = s.count_b + 1;
      s.a.unlock();
      s.count_b = s.count_b + 1;
      s.b.unlock();
    });
    two.then_checks([](pair_of& s) { expect(s.count_a == 2 && s.count_b == 4, "a section was lost"); });
    if (Lock::traits.domain_aware) two.in_domains({0, 1});
    checks_.push_back({two.done(), depth::as_far_as_fits});

    struct passed_on : scene {
      explored::atomic<std::uint32_t> taken{0};
    };
    stage<passed_on> hand{"released by another", 3};
    hand.warms_up(warm).then_checks([](passed_on& s) { nobody_was_lost(s); });
    if (Lock::traits.domain_aware) hand.in_domains({0, 1, 0});
    hand.does([](passed_on& s, unsigned t) {
      if (t == 0) {
        s.lock.lock();
        section(s, t);
        s.taken.store(1, memory_order::release);
      } else if (t == 1) {
        explored::await(s.taken, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
        s.lock.unlock();
      } else {
        once(s, t);
      }
      settle(1);
      if (t != 2) once(s, t);
      settle(2);
    });
    checks_.push_back({hand.done(), depth::as_far_as_fits});
  }

  static void read_once(scene& s) {
    s.lock.lock_shared();
    expect(s.count + 1 != 0, "");
    s.lock.unlock_shared();
  }

  void add_shared() {
    if constexpr (shared_lockable<Lock>) {
      for (const unsigned writers : {1U, 2U}) {
        stage<scene> mixed = base(writers == 1 ? "shared, 2 readers 1 writer" : "shared, 1 reader 2 writers", 3);
        mixed.does([writers](scene& s, unsigned t) {
          if (t < writers)
            once(s, t);
          else
            read_once(s);
          settle(1);
        });
        add(mixed, depth::as_far_as_fits);
      }
      stage<scene> twice = base("shared 2x2", 2);
      twice.does([](scene& s, unsigned t) {
        for (unsigned i = 0; i < 2; ++i) {
          settle(i);
          if (t == 0)
            once(s, t);
          else
            read_once(s);
        }
        settle(2);
      });
      add(twice);
      add_shared_turns();
      add_shared_together();
    }
  }

  /// Who writes, reads next, and the other way round.
  void add_shared_turns() {
    stage<scene> turns = base("shared, in turns 2x2", 2);
    turns.does([](scene& s, unsigned t) {
      for (unsigned i = 0; i < 2; ++i) {
        settle(i);
        if (t == i)
          once(s, t);
        else
          read_once(s);
      }
      settle(2);
    });
    add(turns);
    if constexpr (requires(Lock & l) { l.try_lock_shared(); }) {
      stage<scene> tries = base("shared, try 3x1", 3);
      tries.does([](scene& s, unsigned t) {
        if (t == 0) {
          once(s, t);
        } else if (t == 1) {
          if (s.lock.try_lock()) {
            section(s, t);
            s.lock.unlock();
          }
        } else if (s.lock.try_lock_shared()) {
          expect(s.count + 1 != 0, "");
          s.lock.unlock_shared();
        }
        settle(1);
        if (t == 1) read_once(s);
        settle(2);
      });
      add(tries, depth::as_far_as_fits);
    }
  }

  /// Readers are inside together: each waits there for the other.
  void add_shared_together() {
    struct meeting : scene {
      explored::atomic<std::uint32_t> inside{0};
    };
    stage<meeting> s{"shared, readers meet inside", 2};
    if (Lock::traits.domain_aware) s.in_domains({0, 1});
    s.does([](meeting& it, unsigned) {
      it.lock.lock_shared();
      it.inside.fetch_add(1, memory_order::relaxed);
      explored::await(it.inside, memory_order::relaxed, [](std::uint32_t v) { return v == 2; });
      it.lock.unlock_shared();
    });
    checks_.push_back({s.done(), depth::exhausted});
  }

  // Order.

  static constexpr std::uint64_t asks = Lock::traits.fair == fairness::bounded ? marks::asks_strictly : marks::asks;

  template <class... Arguments>
  static stage<scene> in_order(const std::string& name, unsigned threads, unsigned times, std::uint32_t bound,
                               Arguments... arguments) {
    stage<scene> s = base(name, threads, arguments...);
    s.does([times, bound](scene& it, unsigned t) {
      for (unsigned i = 0; i < times; ++i) {
        settle(i);
        operation ask = on_nothing(action::mark, asks);
        world::current().perform(ask);
        it.lock.lock();
        operation enter = on_nothing(action::mark, marks::has_entered);
        enter.expected = bound;
        world::current().perform(enter);
        section(it, t);
        it.lock.unlock();
      }
      settle(times);
    });
    s.with().watches_order = true;
    return s;
  }

  void add_order() {
    if constexpr (has_order) {
      constexpr std::uint32_t bound = *Lock::traits.bypass;
      if constexpr (bound < 4) {  // more, and so few threads cannot reach it
        add(in_order("order 2x3", 2, 3, bound), depth::as_far_as_fits);
        add(in_order("order 3x2", 3, 2, bound), depth::as_far_as_fits);
      }
      // With a limit that such few threads can reach: 2 passes in a row, and so (2 + 2) / 2 by one thread.
      if constexpr (limits_passes_of_tickets)
        add(in_order("order 3x2, pass limit 2", 3, 2, 2, shape{{0, 0, 1}}, first_ticket{}, 2U), depth::as_far_as_fits);
      else if constexpr (limits_passes)
        add(in_order("order 3x2, pass limit 2", 3, 2, 2, shape{{0, 0, 1}}, 2U), depth::as_far_as_fits);
    }
  }

  std::vector<check> checks_;
};

/// The subjects of one line of the catalog.
template <class Line>
void add_lock_line(subjects& to, const char* header) {
  Line::each([&](const auto& variant) {
    using lock = typename std::decay_t<decltype(variant)>::template lock<explored>;
    to.push_back({variant.name, header, lock_clients<lock>::all(), lock_clients<lock>::samples()});
  });
}

}  // namespace synchro::explorer

#endif
