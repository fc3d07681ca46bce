// How often the line of a fair mutex is passed, with so few passes that a few turns use them up. Thread 0 looks before it
// stands in line, and so may pass; the others stand in line at once, so that whoever waits does so in line.

#include <string>
#include <vector>

#include "explorer/clients/order_clients.hpp"
#include "synchro/locks/fair_mutex.hpp"
#include "synchro/waiting.hpp"

namespace synchro::explorer {

namespace {

struct first_looks : explored {
  static looks spin_looks() { return looks{world::current().self() == 0 ? 1U : 0U}; }
};

template <class Machine, std::uint32_t Bypasses>
using fair_lock = basic_fair_mutex_lock<Machine, spin_park, Bypasses>;

template <std::uint32_t Bypasses>
program passed(const std::vector<unsigned>& turns) {
  std::string name =
      "passed at most " + std::to_string(Bypasses) + " times, " + std::to_string(turns[0]) + " turns beside";
  for (std::size_t t = 1; t < turns.size(); ++t) name += " " + std::to_string(turns[t]);
  return order_clients<fair_lock<first_looks, Bypasses>>::in_order(name, turns, Bypasses).done();
}

/// As many in line as are to be served at one go.
program passed_by_the_holder(unsigned waiters) {
  const std::string name = "passed at most 1 times, " + std::to_string(waiters) + " behind the holder";
  return order_clients<fair_lock<first_looks, 1>>::behind_a_holder(name, 2, waiters, 1);
}

/// However its threads left, a lock that nobody has or awaits can be had again and again: no waiter is counted who has
/// gone, nor is a line closed that is empty.
template <class Machine>
program left_free(const std::string& name, const parts& all) {
  using lock = fair_lock<Machine, 1>;
  using programs = lock_programs<lock>;
  stage<typename programs::scene> s = programs::play(name, all);
  s.then_checks([](typename programs::scene& it) {
    programs::nobody_was_lost(it);
    for (unsigned i = 0; i < 3; ++i) {
      expect(it.lock.try_lock(), "a lock that nobody has is not free");
      it.lock.unlock();
    }
  });
  return s.done();
}

}  // namespace

void add_fair_mutex(subjects& to);
void add_fair_mutex(subjects& to) {
  using enum deed;
  std::vector<check> all;
  all.push_back({passed<1>({3, 1}), depth::exhausted});
  all.push_back({passed<2>({4, 1}), depth::as_far_as_fits});
  all.push_back({passed<1>({3, 1, 1}), depth::widened});
  all.push_back({passed<1>({3, 2}), depth::as_far_as_fits});
  all.push_back({passed_by_the_holder(2), depth::widened});
  all.push_back({passed_by_the_holder(3), depth::one_preemption});
  all.push_back({left_free<first_looks>("passes and is passed", {{lock, lock, lock}, {lock}}), depth::exhausted});
  all.push_back({left_free<explored>("takes and tries", {{lock, lock}, {lock, try_lock}}), depth::exhausted});
  all.push_back(
      {left_free<explored>("tries beside a line", {{lock}, {lock}, {try_lock, try_lock}}), depth::as_far_as_fits});
  all.push_back({left_free<explored>("gives up in line", {{lock}, {timed}, {lock, try_lock}}), depth::widened});
  all.push_back({left_free<explored>("two give up", {{lock}, {timed}, {timed}}), depth::widened});
  to.push_back({"fair_mutex/bound", "synchro/locks/fair_mutex.hpp", std::move(all)});
}

}  // namespace synchro::explorer
