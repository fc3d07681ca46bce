// The experiment on letting other threads run critical sections.

#ifndef SYNCHRO_EXPERIMENTS_DELEGATION_DELEGATION_HPP
#define SYNCHRO_EXPERIMENTS_DELEGATION_DELEGATION_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

/// Threads that call execute on one object.
[[nodiscard]] experiment delegation_throughput();

// How its cells are shown.
void present_delegation_throughput(experiment& e);

}  // namespace synchro::experiments

#endif
