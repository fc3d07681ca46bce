// Hash tables under load on the simulated machine: a row for each lock and waiting policy of the catalog.

#ifndef SYNCHRO_SIMULATIONS_SIMULATED_TABLES_HPP
#define SYNCHRO_SIMULATIONS_SIMULATED_TABLES_HPP

#include <vector>

#include "experiments/hashtable/all_tables.hpp"

namespace synchro::simulations {

/// In the order of the catalog.
[[nodiscard]] const std::vector<experiments::table_bodies>& simulated_lock_tables();

}  // namespace synchro::simulations

#endif
