#include "contenders.hpp"
#include "peers.hpp"
#include "peers_ck.hpp"
#include "peers_tbb.hpp"
#include "synchro/locks/hierarchical/hticket.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/locks/ticket_plain.hpp"
#include "synchro/locks/ticket_prefetch.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::bench {

void add_spin_locks(std::vector<contest>& all, const situation& where) {
  using tbb_spin = plain_form<oneapi::tbb::spin_mutex>;
  meet<plain_form<basic_tas_lock<>>, tbb_spin>(all, "tas", "tbb/spin_mutex", where);
  meet<plain_form<basic_tas_lock<>>, ck::fas>(all, "tas", "ck/fas", where);
  meet<plain_form<basic_ttas_lock<>>, ck::fas>(all, "ttas", "ck/fas", where);
  meet<plain_form<basic_ttas_lock<>>, ck::cas>(all, "ttas", "ck/cas", where);
  meet<plain_form<basic_ticket_plain_lock<>>, ck::ticket>(all, "ticket_plain", "ck/ticket", where);
  meet<plain_form<basic_ticket_lock<>>, ck::ticket_backoff>(all, "ticket", "ck/ticket_pb", where);
  meet<plain_form<basic_ticket_prefetch_lock<>>, ck::ticket_backoff>(all, "ticket_prefetch", "ck/ticket_pb", where);
  meet<plain_form<basic_hticket_lock<>>, ck::ticket_cohort>(all, "hticket", "ck/cohort of tickets", where);
}

}  // namespace synchro::bench
