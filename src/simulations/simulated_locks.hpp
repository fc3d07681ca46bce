// The lock experiments' bodies on the simulated machine: a row for each lock and waiting policy of the catalog.

#ifndef SYNCHRO_SIMULATIONS_SIMULATED_LOCKS_HPP
#define SYNCHRO_SIMULATIONS_SIMULATED_LOCKS_HPP

#include <vector>

#include "experiments/locks/lock_table.hpp"

namespace synchro::simulations {

/// As generated.
void add_simulated_locks(std::vector<experiments::lock_bodies>& rows);

/// In the order of the catalog.
[[nodiscard]] const std::vector<experiments::lock_bodies>& simulated_locks();

/// Takes these in as well, as experiments::take_locks() does, which gets them, too: for the names on its axes.
void take_locks(const std::vector<experiments::lock_bodies>& more);

}  // namespace synchro::simulations

#endif
