#include "contenders.hpp"
#include "peers.hpp"
#include "peers_ck.hpp"
#include "peers_tbb.hpp"
#include "synchro/locks/array.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/hierarchical/hclh.hpp"
#include "synchro/locks/mcs.hpp"

namespace synchro::bench {

void add_queue_locks(std::vector<contest>& all, const situation& where) {
  all.push_back(make_contest<node_form<basic_mcs_lock<>>, ck::mcs>("mcs, own node", "ck/mcs", where));
  all.push_back(make_contest<plain_form<basic_mcs_lock<>>, ck::mcs>("mcs", "ck/mcs, own node", where));
  all.push_back(
      make_contest<node_form<basic_mcs_lock<>>, tbb::queuing_mutex>("mcs, own node", "tbb/queuing_mutex", where));
  all.push_back(make_contest<node_form<basic_clh_lock<>>, ck::clh>("clh, own node", "ck/clh", where));
  all.push_back(make_contest<plain_form<basic_clh_lock<>>, ck::clh>("clh", "ck/clh, own node", where));
  all.push_back(make_contest<plain_form<basic_array_lock<>>, ck::anderson>("array", "ck/anderson", where));
  all.push_back(make_contest<plain_form<basic_hclh_lock<>>, ck::hclh>("hclh", "ck/hclh, own node", where));
}

}  // namespace synchro::bench
