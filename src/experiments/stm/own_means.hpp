// The library's means by name, in a laboratory. A unit that includes this compiles all their bodies.
//
// Not among them is what a user gets without any option: on this machine it has a unit of its own (on_demand/usual.cpp).

#ifndef SYNCHRO_EXPERIMENTS_STM_OWN_MEANS_HPP
#define SYNCHRO_EXPERIMENTS_STM_OWN_MEANS_HPP

#include <map>
#include <string>

#include "experiments/stm/bank.hpp"
#include "experiments/stm/means.hpp"
#include "experiments/stm/memories.hpp"
#include "experiments/stm/served.hpp"
#include "experiments/stm/set.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"

namespace synchro::experiments::transactions {

template <measure::laboratory Lab, class Memory>
bodies bodies_of() {
  return {play<bank<Memory, Lab>>, play<set<Memory, Lab>>};
}
template <measure::laboratory Lab, class Locks, bool Elides = false>
bodies by_locks() {
  using machine = typename Lab::machine;
  return bodies_of<Lab, by_stm<basic_stm<machine, spin_yield, Locks>, Elides, machine>>();
}
template <measure::laboratory Lab, class Manager>
bodies served() {
  return {use_served<Lab, Manager, bank>, use_served<Lab, Manager, set>};
}

template <measure::laboratory Lab>
std::map<std::string, bodies> own_means() {
  using machine = typename Lab::machine;
  return {
      {"stm/back_off_retry", by_locks<Lab, versioned_locks<back_off_retry>>()},
      {"stm/greedy", by_locks<Lab, versioned_locks<greedy>>()},
      {"stm/fair_commit", by_locks<Lab, versioned_locks<fair_commit>>()},
      {"stm/wholly", by_locks<Lab, versioned_locks<wholly>>()},
      {"stm/tas", by_locks<Lab, guarded_by<basic_tas_lock<machine, spin_yield>>>()},
      {"stm/ticket", by_locks<Lab, guarded_by<basic_ticket_lock<machine, spin_yield>>>()},
      {"stm/mcs", by_locks<Lab, guarded_by<basic_mcs_lock<machine, spin_yield>>>()},
      {"stm/mutex", by_locks<Lab, guarded_by<basic_mutex_lock<machine>>>()},
      {"messages", served<Lab, back_off_retry>()},
      {"messages/greedy", served<Lab, greedy>()},
      {"messages/fair_commit", served<Lab, fair_commit>()},
      {"messages/wholly", served<Lab, wholly>()},
  };
}

}  // namespace synchro::experiments::transactions

#endif
