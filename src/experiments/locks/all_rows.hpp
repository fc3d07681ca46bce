// The generated list of all rows; lock_table.cpp keeps them.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_ALL_ROWS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_ALL_ROWS_HPP

#include <vector>

#include "experiments/locks/lock_table.hpp"

namespace synchro::experiments {

[[nodiscard]] std::vector<lock_bodies> all_rows();

}  // namespace synchro::experiments

#endif
