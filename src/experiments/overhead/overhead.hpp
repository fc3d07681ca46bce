// The experiments on what calls of the operating system cost.

#ifndef SYNCHRO_EXPERIMENTS_OVERHEAD_OVERHEAD_HPP
#define SYNCHRO_EXPERIMENTS_OVERHEAD_OVERHEAD_HPP

#include <optional>

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment overhead_calls();

/// What main() asks first: on some systems a call is measured in a process of its own, which is this program with other
/// words. If this process is such a one it measures, and this is its exit status.
[[nodiscard]] std::optional<int> measured_for_another_process(int argc, const char* const* argv);

// What the tour asks of each, and how its cells are shown.
void present_overhead_calls(experiment& e);

}  // namespace synchro::experiments

#endif
