// The guided tour: which few measurements tell a newcomer most, and what they come to in plain words.

#ifndef SYNCHRO_CLI_TOUR_HPP
#define SYNCHRO_CLI_TOUR_HPP

#include <string>

#include "experiments/framework/runner.hpp"
#include "results/document.hpp"
#include "results/grid.hpp"

namespace synchro::cli {

/// A plan for this machine that takes about so many seconds at most.
[[nodiscard]] experiments::plan tour_plan(const experiments::setting& s, double seconds);

/// What was measured, for people. Leaves out what the document does not hold.
[[nodiscard]] std::string summary(const results::document& d, const results::style& style);

}  // namespace synchro::cli

#endif
