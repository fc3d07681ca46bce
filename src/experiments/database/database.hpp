// The experiments on whole databases, MonetDB and MariaDB, with their mutexes replaced by each lock.

#ifndef SYNCHRO_EXPERIMENTS_DATABASE_DATABASE_HPP
#define SYNCHRO_EXPERIMENTS_DATABASE_DATABASE_HPP

#include <optional>

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment database_tpch();
[[nodiscard]] experiment database_sysbench();

/// What main() asks first: if this process is one that answers queries for another, it does so, and this is its exit status.
[[nodiscard]] std::optional<int> answered_for_another_process(int argc, const char* const* argv);

// How their cells are shown.
void present_database_tpch(experiment& e);
void present_database_sysbench(experiment& e);

namespace database {

/// Quick: the system's and three of ours; standard: seven; full: and three that only spin.
[[nodiscard]] axis lock_axis();

}  // namespace database
}  // namespace synchro::experiments

#endif
