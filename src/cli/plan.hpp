// The plan for what a user asked for. Planning measures nothing.

#ifndef SYNCHRO_CLI_PLAN_HPP
#define SYNCHRO_CLI_PLAN_HPP

#include "cli/request.hpp"
#include "experiments/framework/runner.hpp"

namespace synchro::cli {

/// All cells of what was asked, those of the tour if it was that. Throws failure (usage).
[[nodiscard]] experiments::plan plan_for(const resolved_request& what);

}  // namespace synchro::cli

#endif
