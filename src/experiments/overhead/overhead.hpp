// The experiments on what calls of the operating system cost.

#ifndef SYNCHRO_EXPERIMENTS_OVERHEAD_OVERHEAD_HPP
#define SYNCHRO_EXPERIMENTS_OVERHEAD_OVERHEAD_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment overhead_calls();

// What the tour asks of each, and how its cells are shown.
void present_overhead_calls(experiment& e);

}  // namespace synchro::experiments

#endif
