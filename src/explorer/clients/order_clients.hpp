// The programs that look who overtakes whom, for locks whose traits state a bound.

#ifndef SYNCHRO_EXPLORER_CLIENTS_ORDER_CLIENTS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_ORDER_CLIENTS_HPP

#include <limits>
#include <string>
#include <vector>

#include "explorer/clients/lock_programs.hpp"

namespace synchro::explorer {

template <class Lock>
class order_clients {
  using programs = lock_programs<Lock>;
  using scene = typename programs::scene;
  using ways = ways_to_make<Lock>;

 public:
  static void add_to(std::vector<check>& all) {
    if constexpr (Lock::traits.bypass.has_value()) {
      constexpr std::uint32_t bound = *Lock::traits.bypass;
      if constexpr (bound < 4) {  // more, and so few threads cannot reach it
        all.push_back({in_order("order 2x3", {3, 3}, bound).done(), depth::as_far_as_fits});
        all.push_back({in_order("order 3x2", {2, 2, 2}, bound).done(), depth::as_far_as_fits});
        if constexpr (shared_lockable<Lock>) all.push_back({beside_a_reader(bound), depth::as_far_as_fits});
      }
      if constexpr (ways::limits_passes_of_tickets || ways::limits_passes)
        for (const std::uint32_t limit : {0U, 1U})
          all.push_back({with_pass_limit(limit, (limit + 2) / 2), depth::as_far_as_fits});
    }
  }

  /// Two threads of one domain pass the lock to each other while one of another waits, with a limit that they reach and
  /// turns enough to pass once more than it allows.
  static program with_pass_limit(std::uint32_t limit, std::uint32_t bound) {
    constexpr unsigned turns = 2;
    const std::string name = "order, pass limit " + std::to_string(limit);
    const shape team{{0, 0, 1}};
    if constexpr (ways::limits_passes_of_tickets)
      return in_order(name, {turns, turns, 1}, bound, team, first_ticket{}, limit).in_domains({0, 0, 1}).done();
    else
      return in_order(name, {turns, turns, 1}, bound, team, limit).in_domains({0, 0, 1}).done();
  }

  /// Thread 0 has the lock before the start. The others come one after the other, a turn each, and when the last is on
  /// its way in, thread 0 releases the lock and takes its turns.
  static program behind_a_holder(const std::string& name, unsigned turns, unsigned waiters, std::uint32_t bound) {
    struct in_a_row : scene {
      explored::atomic<std::uint32_t> next{1};
    };
    stage<in_a_row> s{name, waiters + 1};
    s.then_checks([](in_a_row& it) { programs::nobody_was_lost(it); });
    s.warms_up([](in_a_row& it, unsigned t) {
      if (t == 0) it.lock.lock();
    });
    s.does([turns, waiters, bound](in_a_row& it, unsigned t) {
      const unsigned mine = t == 0 ? waiters + 1 : t;
      explored::await(it.next, memory_order::relaxed, [mine](std::uint32_t n) { return n == mine; });
      if (t == 0)
        it.lock.unlock();
      else
        it.next.store(t + 1, memory_order::relaxed);
      for (unsigned i = 0; i < (t == 0 ? turns : 1); ++i) {
        settle(i);
        once(it, t, bound);
      }
      settle(turns);
    });
    s.with().watches_order = true;
    return s.done();
  }

  /// Each thread takes its turns; none is to pass a waiter more often than `bound`.
  template <class... Arguments>
  static stage<scene> in_order(const std::string& name, const std::vector<unsigned>& turns, std::uint32_t bound,
                               Arguments... arguments) {
    stage<scene> s = programs::base(name, static_cast<unsigned>(turns.size()), arguments...);
    s.does([turns, bound](scene& it, unsigned t) {
      for (unsigned i = 0; i < turns[t]; ++i) {
        settle(i);
        once(it, t, bound);
      }
      settle(turns[t]);
    });
    s.with().watches_order = true;
    return s;
  }

 private:
  static constexpr std::uint64_t asks = Lock::traits.domain_aware ? marks::asks_strictly : marks::asks;

  static void ask() {
    operation op = on_nothing(action::mark, asks);
    world::current().perform(op);
  }
  /// The thread may have passed each of those who wait so many times.
  static void enter(std::uint32_t bound) {
    operation op = on_nothing(action::mark, marks::has_entered);
    op.expected = bound;
    world::current().perform(op);
  }
  static void once(scene& it, unsigned t, std::uint32_t bound) {
    ask();
    it.lock.lock();
    enter(bound);
    programs::section(it, t);
    it.lock.unlock();
  }

  /// Writers pass neither each other nor a reader; a reader may pass any writer.
  static program beside_a_reader(std::uint32_t bound) {
    stage<scene> s = programs::base("order, 2 writers beside a reader 3x2", 3);
    s.does([bound](scene& it, unsigned t) {
      for (unsigned i = 0; i < 2; ++i) {
        settle(i);
        if (t != 2) {
          once(it, t, bound);
          continue;
        }
        ask();
        it.lock.lock_shared();
        enter(std::numeric_limits<std::uint32_t>::max());
        it.lock.unlock_shared();
      }
      settle(2);
    });
    s.with().watches_order = true;
    return s.done();
  }
};

}  // namespace synchro::explorer

#endif
