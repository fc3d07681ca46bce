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
        all.push_back({in_order("order 2x3", 2, 3, bound).done(), depth::as_far_as_fits});
        all.push_back({in_order("order 3x2", 3, 2, bound).done(), depth::as_far_as_fits});
        if constexpr (shared_lockable<Lock>) all.push_back({beside_a_reader(bound), depth::as_far_as_fits});
      }
      // With a limit that such few threads can reach: 2 passes in a row, and so (2 + 2) / 2 by one thread.
      const char* const limited = "order 3x2, pass limit 2";
      if constexpr (ways::limits_passes_of_tickets)
        all.push_back({in_order(limited, 3, 2, 2, shape{{0, 0, 1}}, first_ticket{}, 2U).done(), depth::as_far_as_fits});
      else if constexpr (ways::limits_passes)
        all.push_back({in_order(limited, 3, 2, 2, shape{{0, 0, 1}}, 2U).done(), depth::as_far_as_fits});
    }
  }

 private:
  static constexpr std::uint64_t asks = Lock::traits.fair == fairness::bounded ? marks::asks_strictly : marks::asks;

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

  template <class... Arguments>
  static stage<scene> in_order(const std::string& name, unsigned threads, unsigned times, std::uint32_t bound,
                               Arguments... arguments) {
    stage<scene> s = programs::base(name, threads, arguments...);
    s.does([times, bound](scene& it, unsigned t) {
      for (unsigned i = 0; i < times; ++i) {
        settle(i);
        once(it, t, bound);
      }
      settle(times);
    });
    s.with().watches_order = true;
    return s;
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
