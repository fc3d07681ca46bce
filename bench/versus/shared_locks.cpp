#include <shared_mutex>

#include "contenders.hpp"
#include "peers.hpp"
#include "peers_ck.hpp"
#include "peers_tbb.hpp"
#include "synchro/locks/big_reader.hpp"
#include "synchro/locks/phase_fair.hpp"
#include "synchro/locks/shared_mutex.hpp"

namespace synchro::bench {

namespace {

template <class Ours, class Theirs>
void meet_twice(std::vector<contest>& all, const std::string& ours, const std::string& theirs, const situation& where) {
  meet<plain_form<Ours>, plain_form<Theirs>>(all, ours + " write", theirs, where);
  meet<shared_form<Ours>, shared_form<Theirs>>(all, ours + " read", theirs, where);
}

}  // namespace

void add_shared_locks(std::vector<contest>& all, const situation& where) {
  meet<plain_form<basic_phase_fair_lock<>>, ck::pflock_write>(all, "phase_fair write", "ck/pflock", where);
  meet<shared_form<basic_phase_fair_lock<>>, ck::pflock_read>(all, "phase_fair read", "ck/pflock", where);
  meet<plain_form<basic_big_reader_lock<>>, ck::brlock_write>(all, "big_reader write", "ck/brlock", where);
  meet<shared_form<basic_big_reader_lock<>>, ck::brlock_read>(all, "big_reader read", "ck/brlock", where);
  meet_twice<basic_shared_mutex_lock<>, std::shared_mutex>(all, "shared_mutex", "std/shared_mutex", where);
}

}  // namespace synchro::bench
