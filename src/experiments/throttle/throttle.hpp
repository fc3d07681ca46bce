// The experiments on admitting only some threads at a time.

#ifndef SYNCHRO_EXPERIMENTS_THROTTLE_THROTTLE_HPP
#define SYNCHRO_EXPERIMENTS_THROTTLE_THROTTLE_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment throttle_sum();

// What the tour asks of each, and how its cells are shown.
void present_throttle_sum(experiment& e);

}  // namespace synchro::experiments

#endif
