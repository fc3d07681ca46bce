#include <map>
#include <string>

#include "experiments/delegation/throughput.hpp"
#include "measure/host.hpp"
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

namespace {

struct delegate_bodies {
  execute_outcome (*run)(const execute_task&);
  bool served;
};

template <class Delegate>
constexpr delegate_bodies bodies_of{
    [](const execute_task& t) { return execute_trial<measure::host, Delegate>{t}.run(); }, is_served<Delegate>};

/// Those of include/synchro/delegation, under a few locks and by each way to wait.
const std::map<std::string, delegate_bodies>& bodies() {
  static const std::map<std::string, delegate_bodies> all{
      {"tas", bodies_of<locked<basic_tas_lock<>>>},
      {"ticket", bodies_of<locked<basic_ticket_lock<>>>},
      {"mcs", bodies_of<locked<basic_mcs_lock<>>>},
      {"mcs/park", bodies_of<locked<basic_mcs_lock<hardware, spin_park>>>},
      {"mutex", bodies_of<locked<basic_mutex_lock<>>>},
      {"cc_synch", bodies_of<basic_cc_synch<hardware, spin>>},
      {"cc_synch/park", bodies_of<basic_cc_synch<hardware, spin_park>>},
      {"dsm_synch", bodies_of<basic_dsm_synch<hardware, spin>>},
      {"dsm_synch/park", bodies_of<basic_dsm_synch<hardware, spin_park>>},
      {"flat_combining", bodies_of<basic_flat_combining<hardware, spin>>},
      {"flat_combining/yield", bodies_of<basic_flat_combining<hardware, spin_yield>>},
      {"delegation_server", bodies_of<basic_delegation_server<hardware, spin>>},
      {"delegation_server/yield", bodies_of<basic_delegation_server<hardware, spin_yield>>},
  };
  return all;
}

const bool defined = execute_by.is([](const std::string& delegate, const execute_task& t) {
  return bodies().at(delegate).run(t);
}) && is_served_by.is([](const std::string& delegate) { return bodies().at(delegate).served; });

}  // namespace

}  // namespace synchro::experiments::delegation
