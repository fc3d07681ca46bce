// The experiments on admitting only some threads at a time.

#ifndef SYNCHRO_EXPERIMENTS_THROTTLE_THROTTLE_HPP
#define SYNCHRO_EXPERIMENTS_THROTTLE_THROTTLE_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment throttle_sum();

}  // namespace synchro::experiments

#endif
