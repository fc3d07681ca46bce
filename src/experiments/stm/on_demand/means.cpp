#include "experiments/stm/means.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <string>

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

bodies called(const std::string& name) {
  static const std::map<std::string, std::optional<bodies>> all{
      {"stm", stm_bodies()},
      {"stm/back_off_retry", managed<back_off_retry>()},
      {"stm/greedy", managed<greedy>()},
      {"stm/fair_commit", managed<fair_commit>()},
      {"stm/wholly", managed<wholly>()},
      {"stm/tas", guarded<basic_tas_lock<hardware, spin_yield>>()},
      {"stm/ticket", guarded<basic_ticket_lock<hardware, spin_yield>>()},
      {"stm/mcs", guarded<basic_mcs_lock<hardware, spin_yield>>()},
      {"stm/mutex", guarded<basic_mutex_lock<hardware>>()},
      {"messages", served<back_off_retry>()},
      {"messages/greedy", served<greedy>()},
      {"messages/fair_commit", served<fair_commit>()},
      {"messages/wholly", served<wholly>()},
      {"std/mutex", bodies_of<by_one_lock<std::mutex>>()},
      {"gcc/libitm", libitm_bodies()},
  };
  return all.at(name).value();
}

const bool defined = bodies_of_means.is(called);

}  // namespace

}  // namespace synchro::experiments::transactions
