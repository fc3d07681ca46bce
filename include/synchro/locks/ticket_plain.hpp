// Ticket, plain: the ticket lock without back-off. Essay and memory orders: synchro/locks/ticket.hpp.
//
// Problem. What is back-off worth? Here waiters look again at once, so with n waiters every release fetches the line n
// times; comparing this lock with `ticket` shows it on a machine.
//
// Choose it to measure that. For all else choose `ticket`.
//
// Source: `traits.citation`.

#ifndef SYNCHRO_LOCKS_TICKET_PLAIN_HPP
#define SYNCHRO_LOCKS_TICKET_PLAIN_HPP

#include "synchro/locks/ticket.hpp"
#include "synchro/offered.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin>
using basic_ticket_plain_lock = ticket_lock_with<Machine, Waiting, ticket_look::at_once>;

using ticket_plain_lock = offered<basic_ticket_plain_lock<>>;
using ticket_plain_yield_lock = offered<basic_ticket_plain_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
