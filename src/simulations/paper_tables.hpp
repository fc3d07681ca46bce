// The hash table of the paper (ssht.hpp) under each lock of libslock: "libslock/tas" and so on, beside the library's own tables.
// Claims about tables under locks are about these.

#ifndef SYNCHRO_SIMULATIONS_PAPER_TABLES_HPP
#define SYNCHRO_SIMULATIONS_PAPER_TABLES_HPP

#include <vector>

#include "experiments/hashtable/all_tables.hpp"

namespace synchro::simulations {

/// Rows for simulate with --full, or by name.
void add_paper_tables(std::vector<experiments::table_bodies>& rows);

}  // namespace synchro::simulations

#endif
