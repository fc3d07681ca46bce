#include "contenders.hpp"
#include "peers.hpp"
#include "peers_ck.hpp"
#include "peers_tbb.hpp"
#include "synchro/locks/array.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/hierarchical/hclh.hpp"
#include "synchro/locks/hierarchical/hmcs.hpp"
#include "synchro/locks/mcs.hpp"

namespace synchro::bench {

void add_queue_locks(std::vector<contest>& all, const situation& where) {
  meet<node_form<basic_mcs_lock<>>, ck::mcs>(all, "mcs, own node", "ck/mcs", where);
  meet<plain_form<basic_mcs_lock<>>, ck::mcs>(all, "mcs", "ck/mcs, own node", where);
  meet<node_form<basic_mcs_lock<>>, tbb::queuing_mutex>(all, "mcs, own node", "tbb/queuing_mutex", where);
  meet<node_form<basic_clh_lock<>>, ck::clh>(all, "clh, own node", "ck/clh", where);
  meet<plain_form<basic_clh_lock<>>, ck::clh>(all, "clh", "ck/clh, own node", where);
  meet<plain_form<basic_array_lock<>>, ck::anderson>(all, "array", "ck/anderson", where);
  meet<plain_form<basic_hclh_lock<>>, ck::hclh>(all, "hclh", "ck/hclh, own node", where);
  meet<plain_form<basic_hmcs_lock<>>, ck::mcs_cohort>(all, "hmcs", "ck/cohort of mcs", where);
}

}  // namespace synchro::bench
