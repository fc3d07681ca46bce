// All of the library for a compiler to look at: every header, and every class with all of its members. Behind a class that owns
// nodes, tables or threads stands `owns memory`: of each other the tests have a variable that is there before any code runs.

#include "synchro/checked_team.hpp"
#include "synchro/domains.hpp"
#include "synchro/guard.hpp"
#include "synchro/lock_order.hpp"
#include "synchro/synchro.hpp"
#include "synchro/wakes/stop_token.hpp"

namespace synchro {

template class basic_tas_lock<>;
template class basic_ttas_lock<>;
template class basic_array_lock<>;    // owns memory
template class basic_hticket_lock<>;  // owns memory
template class basic_phase_fair_lock<>;
template class basic_big_reader_lock<>;  // owns memory
template class ticket_lock_with<hardware, spin, ticket_look::at_once>;
template class ticket_lock_with<hardware, spin, ticket_look::in_proportion>;
template class ticket_lock_with<hardware, spin, ticket_look::in_proportion_fetching>;
template class basic_mcs_lock<>;
template class basic_mcs_lock<hardware, spin_park>;
template class basic_clh_lock<>;                      // owns memory
template class basic_clh_lock<hardware, spin_park>;   // owns memory
template class basic_hclh_lock<>;                     // owns memory
template class basic_hclh_lock<hardware, spin_park>;  // owns memory
template class basic_hmcs_lock<>;                     // owns memory
template class basic_hmcs_lock<hardware, spin_park>;  // owns memory
template class basic_mutex_lock<>;
template class basic_fair_mutex_lock<>;
template class elided<basic_ttas_lock<>, hardware, spin>;
template class elided<basic_mutex_lock<>, hardware, spin_park>;
template class basic_shared_mutex_lock<>;

template class basic_event<>;
template class basic_event<hardware, spin>;
template class basic_auto_event<>;
template class basic_auto_event<hardware, spin>;
template class basic_event_group<>;                // owns memory
template class basic_event_group<hardware, spin>;  // owns memory
template class basic_cascade<>;                    // owns memory
template class basic_cascade<hardware, spin>;      // owns memory
template class basic_rendezvous<>;                 // owns memory
template class basic_rendezvous<hardware, spin>;   // owns memory
template class basic_flags<>;
template class basic_latch<>;
template class basic_event_count<>;
template class basic_condition_variable<>;
template class basic_counting_semaphore<>;
template class basic_barrier<>;
template class basic_once_flag<>;
template class basic_seqlock<long>;
template class basic_recursive<mutex>;

template class basic_message_barrier<>;                     // owns memory
template class basic_message_barrier<hardware, spin_park>;  // owns memory
template class basic_cc_synch<>;                            // owns memory
template class basic_cc_synch<hardware, spin_park>;         // owns memory
template class basic_dsm_synch<>;
template class basic_dsm_synch<hardware, spin_park>;
template class basic_flat_combining<>;
template class basic_delegation_server<>;
template class basic_ring<long>;                        // owns memory
template class basic_ring<long, hardware, spin_park>;   // owns memory
template class basic_queue<long>;                       // owns memory
template class basic_queue<long, hardware, spin_park>;  // owns memory
template class basic_channel<long>;
template class basic_channel<long, hardware, spin_park>;
template class basic_mailbox<long, 3>;
template class basic_broadcast<long, 3>;
template class basic_hash_table<long, long>;  // owns memory
template class basic_stm<>;                   // owns memory
template class basic_tvar<long>;
template class basic_fork_join_pool<>;  // owns memory

namespace {

/// What is a template of its own within those classes.
long called() {
  hash_table<long, long> table;
  table.insert(1, 2);
  stm memory;
  tvar<long> balance{3};
  fork_join_pool pool{2};
  std::array<long, 4> squares{};
  pool.parallel_for(std::size_t{0}, squares.size(), [&](std::size_t i) { squares[i] = static_cast<long>(i * i); });
  cc_synch combining;
  combining.execute([&] { ++squares[0]; });
  named<mutex> lock{"a name"};
  const std::lock_guard held{lock};
  const long left = memory.atomically([&](auto& t) {
    t.write(balance, t.read(balance) - 1);
    return t.read(balance);
  });
  return left + squares[3] + table.find(1).value_or(0);
}

}  // namespace
}  // namespace synchro

int main() { return synchro::called() == 13 ? 0 : 1; }
