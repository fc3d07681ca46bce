// The library's wake primitives on the simulated machine: a row for each one and waiting policy of the catalog, and one
// that no system offers.

#ifndef SYNCHRO_SIMULATIONS_SIMULATED_WAKES_HPP
#define SYNCHRO_SIMULATIONS_SIMULATED_WAKES_HPP

#include <vector>

#include "experiments/wakes/wake_table.hpp"

namespace synchro::simulations {

/// As generated.
void add_simulated_wakes(std::vector<experiments::wake_row>& rows);

/// In the order of the catalog; the broadcast interrupt is last.
[[nodiscard]] const std::vector<experiments::wake_row>& simulated_wakes();

void add_broadcast_interrupt(std::vector<experiments::wake_row>& rows);

}  // namespace synchro::simulations

#endif
