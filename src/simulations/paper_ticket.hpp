// The ticket lock with the back-off that the paper measured: the shipped lock under another way of looking.

#ifndef SYNCHRO_SIMULATIONS_PAPER_TICKET_HPP
#define SYNCHRO_SIMULATIONS_PAPER_TICKET_HPP

#include "experiments/locks/lock_table.hpp"
#include "simulator/model.hpp"

namespace synchro::simulations {

/// Names of the two beside the library's ticket locks.
inline constexpr const char* paper_ticket_name = "ticket_paper";
inline constexpr const char* paper_ticket_prefetch_name = "ticket_paper_prefetch";

/// All threads on one lock, in the simulated world that there is.
[[nodiscard]] experiments::locks::contention_result paper_ticket(bool prefetching,
                                                                 const experiments::locks::contention_task& task);

/// A load and then a store of a line that a core of the same die has modified, with or without a prefetch for writing
/// before.
[[nodiscard]] double read_then_write_cycles(const simulator::model& m, bool prefetching);

}  // namespace synchro::simulations

#endif
