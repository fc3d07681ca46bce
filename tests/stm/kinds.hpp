// The kinds of transactional memory that the tests try.

#ifndef SYNCHRO_TESTS_STM_KINDS_HPP
#define SYNCHRO_TESTS_STM_KINDS_HPP

#include <gtest/gtest.h>

#include "synchro/locks/clh.hpp"
#include "synchro/locks/hierarchical/hticket.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro {

template <class Manager>
using managed = basic_stm<hardware, spin_yield, versioned_locks<Manager>>;
template <class Lock>
using guarded = basic_stm<hardware, spin_yield, guarded_by<Lock>>;

/// Two slots: with more threads than that some transactions run irrevocably.
using stm_kinds =
    testing::Types<managed<back_off_retry>, managed<greedy>, managed<basic_greedy<2>>, managed<fair_commit>,
                   managed<wholly>, guarded<basic_mutex_lock<hardware>>, guarded<basic_clh_lock<hardware, spin_yield>>,
                   guarded<basic_ticket_lock<hardware, spin_yield>>, guarded<basic_hticket_lock<hardware, spin_yield>>>;

}  // namespace synchro

#endif
