// Who meets whom. Each function adds its contests in one situation; one translation unit each.

#ifndef SYNCHRO_BENCH_PEERS_HPP
#define SYNCHRO_BENCH_PEERS_HPP

#include <vector>

#include "contest.hpp"

namespace synchro::bench {

void add_spin_locks(std::vector<contest>& all, const situation& where);    ///< tas, ttas, tickets, hticket
void add_shared_locks(std::vector<contest>& all, const situation& where);  ///< phase_fair, big_reader, shared_mutex
void add_queue_locks(std::vector<contest>& all, const situation& where);   ///< mcs, clh, array, hclh, hmcs
void add_mutexes(std::vector<contest>& all, const situation& where);       ///< mutex, fair_mutex

}  // namespace synchro::bench

#endif
