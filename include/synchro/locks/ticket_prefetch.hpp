// Ticket, prefetch: the ticket lock whose waiters ask for the line in a writable state before each look. Essay and
// memory orders: synchro/locks/ticket.hpp.
//
// Problem. On machines whose directory does not know the sharers of a line, a store to a line that others read goes to
// every core. A waiter that fetches the line for writing is its only owner when its turn has come, and its release is a
// local store.
//
// Choose it where measuring says so (docs/locks/README.md). Do not choose it elsewhere: it only takes the
// line from the holder, who needs it to release.
//
// Source: `traits.citation`, and what synchro/locks/ticket.hpp names for the prefetch.

#ifndef SYNCHRO_LOCKS_TICKET_PREFETCH_HPP
#define SYNCHRO_LOCKS_TICKET_PREFETCH_HPP

#include "synchro/locks/ticket.hpp"
#include "synchro/offered.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin>
using basic_ticket_prefetch_lock = ticket_lock_with<Machine, Waiting, ticket_look::in_proportion_fetching>;

using ticket_prefetch_lock = offered<basic_ticket_prefetch_lock<>>;
using ticket_prefetch_yield_lock = offered<basic_ticket_prefetch_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
