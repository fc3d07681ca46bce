#include "house.hpp"

#include <stdexcept>

#include "experiments/locks/lock_body_rows.hpp"
#include "peers/pthread.hpp"
#include "peers/std.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"

using namespace synchro;

namespace {

/// The same lock once more: whatever is made for it gets a copy of the code of its own.
template <class Lock>
class placed : public Lock {};

template <class Lock>
experiments::lock_bodies row_of(const std::string& name) {
  auto row = experiments::row_of<placed<Lock>>(name);
  experiments::give_bodies<measure::host, placed<Lock>>(row);
  return row;
}

}  // namespace

template <>
experiments::lock_bodies house::row<PLACE>(const std::string& lock) {
  if (lock == "tas") return row_of<tas_lock>(lock);
  if (lock == "ticket") return row_of<ticket_lock>(lock);
  if (lock == "mcs") return row_of<mcs_lock>(lock);
  if (lock == "mutex") return row_of<synchro::mutex>(lock);
  if (lock == "std/mutex") return row_of<peers::std_mutex>(lock);
  if (lock == "pthread/spin") return row_of<peers::pthread_spin>(lock);
  throw std::invalid_argument("there is no lock '" + lock + "'");
}
