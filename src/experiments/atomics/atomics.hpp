// The experiments on atomic operations.

#ifndef SYNCHRO_EXPERIMENTS_ATOMICS_ATOMICS_HPP
#define SYNCHRO_EXPERIMENTS_ATOMICS_ATOMICS_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

/// All threads on one location.
[[nodiscard]] experiment atomics_throughput();

}  // namespace synchro::experiments

#endif
