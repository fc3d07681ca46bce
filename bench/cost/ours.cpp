// The library's ticket and MCS locks as four functions, to be held against direct.cpp instruction by instruction.

#include "synchro/locks/mcs.hpp"
#include "synchro/locks/ticket_plain.hpp"

using ticket = synchro::basic_ticket_plain_lock<>;
using mcs = synchro::basic_mcs_lock<>;

extern "C" {
void ours_ticket_lock(ticket& lock) { lock.lock(); }
void ours_ticket_unlock(ticket& lock) { lock.unlock(); }
void ours_mcs_lock(mcs& lock, mcs::node& node) { lock.lock(node); }
bool ours_mcs_try_lock(mcs& lock, mcs::node& node) { return lock.try_lock(node); }
}
