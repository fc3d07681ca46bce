// The guided tour: which few measurements tell a newcomer most.

#ifndef SYNCHRO_CLI_TOUR_PLAN_HPP
#define SYNCHRO_CLI_TOUR_PLAN_HPP

#include <string>
#include <vector>

#include "experiments/framework/runner.hpp"

namespace synchro::cli {

/// The experiments that the tour visits.
[[nodiscard]] std::vector<std::string> tour_experiments();

/// A plan for this machine, short enough that the tour ends in under a minute.
[[nodiscard]] experiments::plan tour_plan(const experiments::setting& s);

}  // namespace synchro::cli

#endif
