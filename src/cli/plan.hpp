// The plan for what a user asked for. Planning measures nothing.

#ifndef SYNCHRO_CLI_PLAN_HPP
#define SYNCHRO_CLI_PLAN_HPP

#include <string>
#include <vector>

#include "cli/request.hpp"
#include "experiments/framework/runner.hpp"
#include "results/names.hpp"

namespace synchro::cli {

/// What is said of a value that is not there: of which axis, the value, and what could have been said.
using unknown_value = std::string (*)(const std::string&, const std::string&, const std::vector<std::string>&);

/// All cells of what was asked, those of the tour if it was that. Throws failure (usage).
[[nodiscard]] experiments::plan plan_for(const resolved_request& what, unknown_value says = results::no_such);

}  // namespace synchro::cli

#endif
