// The delegates that are compared, by name, in a laboratory: those of include/synchro/delegation, by each way to wait, and
// a few locks. A unit that includes this compiles all their bodies.

#ifndef SYNCHRO_EXPERIMENTS_DELEGATION_DELEGATES_HPP
#define SYNCHRO_EXPERIMENTS_DELEGATION_DELEGATES_HPP

#include <map>
#include <string>

#include "experiments/delegation/throughput.hpp"
#include "synchro/delegation/cc_synch.hpp"
#include "synchro/delegation/dsm_synch.hpp"
#include "synchro/delegation/flat_combining.hpp"
#include "synchro/delegation/locked.hpp"
#include "synchro/delegation/server.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"

namespace synchro::experiments::delegation {

struct delegate_bodies {
  execute_outcome (*run)(const execute_task&);
  bool served;
};

template <measure::laboratory Lab, class Delegate>
inline constexpr delegate_bodies bodies_of{[](const execute_task& t) { return execute_trial<Lab, Delegate>{t}.run(); },
                                           is_served<Delegate>};

template <class Delegate>
using as_it_is = Delegate;

/// `Wrapped`: what a laboratory makes of those that have calls run by others.
template <measure::laboratory Lab, template <class> class Wrapped = as_it_is>
const std::map<std::string, delegate_bodies>& delegates() {
  using machine = typename Lab::machine;
  static const std::map<std::string, delegate_bodies> all{
      {"tas", bodies_of<Lab, locked<basic_tas_lock<machine>>>},
      {"ticket", bodies_of<Lab, locked<basic_ticket_lock<machine>>>},
      {"mcs", bodies_of<Lab, locked<basic_mcs_lock<machine>>>},
      {"mcs/park", bodies_of<Lab, locked<basic_mcs_lock<machine, spin_park>>>},
      {"mutex", bodies_of<Lab, locked<basic_mutex_lock<machine>>>},
      {"cc_synch", bodies_of<Lab, Wrapped<basic_cc_synch<machine, spin>>>},
      {"cc_synch/park", bodies_of<Lab, Wrapped<basic_cc_synch<machine, spin_park>>>},
      {"dsm_synch", bodies_of<Lab, Wrapped<basic_dsm_synch<machine, spin>>>},
      {"dsm_synch/park", bodies_of<Lab, Wrapped<basic_dsm_synch<machine, spin_park>>>},
      {"flat_combining", bodies_of<Lab, Wrapped<basic_flat_combining<machine, spin>>>},
      {"flat_combining/yield", bodies_of<Lab, Wrapped<basic_flat_combining<machine, spin_yield>>>},
      {"delegation_server", bodies_of<Lab, Wrapped<basic_delegation_server<machine, spin>>>},
      {"delegation_server/yield", bodies_of<Lab, Wrapped<basic_delegation_server<machine, spin_yield>>>},
  };
  return all;
}

}  // namespace synchro::experiments::delegation

#endif
