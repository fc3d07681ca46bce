// The experiments on atomic operations.

#ifndef SYNCHRO_EXPERIMENTS_ATOMICS_ATOMICS_HPP
#define SYNCHRO_EXPERIMENTS_ATOMICS_ATOMICS_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

/// All threads on one location.
[[nodiscard]] experiment atomics_throughput();

/// Its operations as a compiler makes them, without the processor's own forms: those that a model has, too.
[[nodiscard]] axis compiled_operation_axis();

// What the tour asks of each, and how its cells are shown.
void present_atomics_throughput(experiment& e);

}  // namespace synchro::experiments

#endif
