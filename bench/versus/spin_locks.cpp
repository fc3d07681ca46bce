#include "contenders.hpp"
#include "peers.hpp"
#include "peers_ck.hpp"
#include "peers_tbb.hpp"
#include "synchro/locks/phase_fair.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/locks/ticket_plain.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::bench {

void add_spin_locks(std::vector<contest>& all, const situation& where) {
  using tbb_spin = plain_form<oneapi::tbb::spin_mutex>;
  all.push_back(make_contest<plain_form<basic_tas_lock<>>, tbb_spin>("tas", "tbb/spin_mutex", where));
  all.push_back(make_contest<plain_form<basic_ttas_lock<>>, ck::fas>("ttas", "ck/fas", where));
  all.push_back(make_contest<plain_form<basic_ttas_lock<>>, ck::cas>("ttas", "ck/cas", where));
  all.push_back(make_contest<plain_form<basic_ticket_plain_lock<>>, ck::ticket>("ticket_plain", "ck/ticket", where));
  all.push_back(make_contest<plain_form<basic_ticket_lock<>>, ck::ticket_backoff>("ticket", "ck/ticket_pb", where));
  all.push_back(
      make_contest<plain_form<basic_phase_fair_lock<>>, ck::pflock_write>("phase_fair write", "ck/pflock", where));
  all.push_back(
      make_contest<shared_form<basic_phase_fair_lock<>>, ck::pflock_read>("phase_fair read", "ck/pflock", where));
}

}  // namespace synchro::bench
