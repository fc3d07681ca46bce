// Hash tables under load on the simulated machine: a row for each lock and waiting policy of the catalog.

#ifndef SYNCHRO_SIMULATIONS_SIMULATED_TABLES_HPP
#define SYNCHRO_SIMULATIONS_SIMULATED_TABLES_HPP

#include <vector>

#include "experiments/hashtable/all_tables.hpp"

namespace synchro::simulations {

/// As generated, in the order of the catalog.
void add_simulated_tables(std::vector<experiments::table_bodies>& rows);

}  // namespace synchro::simulations

#endif
