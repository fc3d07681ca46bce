// What a wake primitive asks of the system: calls in a trigger, and in a sleeper's wait, counted in a traced process.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_CALLS_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_CALLS_HPP

#include <map>
#include <optional>
#include <string>

#include "experiments/wakes/wake_table.hpp"

namespace synchro::experiments::wakes {

struct call_counts {
  std::optional<std::string> unknown;         ///< Why they are not known, in one sentence.
  std::map<std::string, double> per_trigger;  ///< By the name of the call.
  std::map<std::string, double> per_wake;
};

/// Counted when first asked for.
[[nodiscard]] const call_counts& calls_of(const wake_row& row, unsigned sleepers, bool each);

}  // namespace synchro::experiments::wakes

#endif
