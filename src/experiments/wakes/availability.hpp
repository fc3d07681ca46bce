// Whether a wake primitive can be had here: found by trying it, in a process of its own, which a system may refuse a
// call, stop for asking, or leave asleep for good. One that loses a wake-up can be had: it is broken, which a run tells.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_AVAILABILITY_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_AVAILABILITY_HPP

#include <optional>
#include <string>

#include "experiments/wakes/wake_table.hpp"

namespace synchro::experiments::wakes {

struct availability {
  std::optional<std::string> unavailable;  ///< Why it cannot be had, in one clause; nothing if it can.
  std::optional<std::string> sleeps_in;    ///< The system call in which its sleepers were seen; nothing if in none.
};

/// Tried when first asked for.
[[nodiscard]] const availability& availability_of(const wake_row& row);

/// The same without remembering; for tests.
[[nodiscard]] availability try_out(const wake_row& row);

}  // namespace synchro::experiments::wakes

#endif
