// The locks that whole databases are given.

#ifndef SYNCHRO_EXPERIMENTS_DATABASE_LOCKS_HPP
#define SYNCHRO_EXPERIMENTS_DATABASE_LOCKS_HPP

#include <optional>
#include <string>

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments::database {

/// Quick: the system's and three of ours; standard: seven; full: and three that only spin.
[[nodiscard]] axis lock_axis();

/// The system's does not.
[[nodiscard]] bool only_spins(const std::string& lock);

/// Why no lock of ours can be given to another program here, found out once for a run; nothing if it can.
[[nodiscard]] const std::optional<std::string>& interposer_obstacle();

}  // namespace synchro::experiments::database

#endif
