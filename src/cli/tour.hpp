// The guided tour: which few measurements tell a newcomer most.

#ifndef SYNCHRO_CLI_TOUR_HPP
#define SYNCHRO_CLI_TOUR_HPP

#include "experiments/framework/runner.hpp"

namespace synchro::cli {

/// A plan for this machine that takes about so many seconds at most.
[[nodiscard]] experiments::plan tour_plan(const experiments::setting& s, double seconds);

}  // namespace synchro::cli

#endif
