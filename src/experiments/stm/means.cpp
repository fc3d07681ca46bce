#include "experiments/stm/means.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "experiments/stm/bank.hpp"
#include "experiments/stm/memories.hpp"
#include "experiments/stm/served.hpp"
#include "experiments/stm/set.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"

namespace synchro::experiments::transactions {

namespace {

template <class Memory>
bodies bodies_of() {
  return {play<bank<Memory>>, play<set<Memory>>};
}
template <class Manager>
bodies managed() {
  return bodies_of<by_stm<basic_stm<hardware, spin_yield, versioned_locks<Manager>>, false>>();
}
template <class Lock>
bodies guarded() {
  return bodies_of<by_stm<basic_stm<hardware, spin_yield, guarded_by<Lock>>, false>>();
}
template <class Manager>
bodies served() {
  return {use_served<Manager, bank>, use_served<Manager, set>};
}

}  // namespace

const std::vector<means>& all_means() {
  static const std::vector<means> all{
      {"stm", true, stm_bodies()},
      {"stm/back_off_retry", true, managed<back_off_retry>()},
      {"stm/greedy", false, managed<greedy>()},
      {"stm/fair_commit", false, managed<fair_commit>()},
      {"stm/wholly", false, managed<wholly>()},
      {"stm/tas", false, guarded<basic_tas_lock<hardware, spin_yield>>()},
      {"stm/ticket", false, guarded<basic_ticket_lock<hardware, spin_yield>>()},
      {"stm/mcs", false, guarded<basic_mcs_lock<hardware, spin_yield>>()},
      {"stm/mutex", true, guarded<basic_mutex_lock<hardware>>()},
      {"messages", true, served<back_off_retry>()},
      {"messages/greedy", false, served<greedy>()},
      {"messages/fair_commit", false, served<fair_commit>()},
      {"messages/wholly", false, served<wholly>()},
      {"std/mutex", true, bodies_of<by_one_lock<std::mutex>>()},
      {"gcc/libitm", true, libitm_bodies()},
  };
  return all;
}

const means& means_of(const std::string& name) {
  const auto it = std::find_if(all_means().begin(), all_means().end(), [&](const means& m) { return m.name == name; });
  if (it == all_means().end()) throw std::invalid_argument("there is no means '" + name + "'");
  return *it;
}

}  // namespace synchro::experiments::transactions
