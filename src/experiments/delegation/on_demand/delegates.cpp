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

using body = execute_outcome (*)(const execute_task&);

template <class Delegate>
execute_outcome execute(const execute_task& t) {
  return execute_trial<measure::host, Delegate>{t}.run();
}

/// Those of include/synchro/delegation, under a few locks and by each way to wait.
const std::map<std::string, body>& bodies() {
  static const std::map<std::string, body> all{
      {"tas", execute<locked<basic_tas_lock<>>>},
      {"ticket", execute<locked<basic_ticket_lock<>>>},
      {"mcs", execute<locked<basic_mcs_lock<>>>},
      {"mcs/park", execute<locked<basic_mcs_lock<hardware, spin_park>>>},
      {"mutex", execute<locked<basic_mutex_lock<>>>},
      {"cc_synch", execute<basic_cc_synch<hardware, spin>>},
      {"cc_synch/park", execute<basic_cc_synch<hardware, spin_park>>},
      {"dsm_synch", execute<basic_dsm_synch<hardware, spin>>},
      {"dsm_synch/park", execute<basic_dsm_synch<hardware, spin_park>>},
      {"flat_combining", execute<basic_flat_combining<hardware, spin>>},
      {"flat_combining/yield", execute<basic_flat_combining<hardware, spin_yield>>},
      {"delegation_server", execute<basic_delegation_server<hardware, spin>>},
      {"delegation_server/yield", execute<basic_delegation_server<hardware, spin_yield>>},
  };
  return all;
}

const bool defined =
    execute_by.is([](const std::string& delegate, const execute_task& t) { return bodies().at(delegate)(t); });

}  // namespace

}  // namespace synchro::experiments::delegation
