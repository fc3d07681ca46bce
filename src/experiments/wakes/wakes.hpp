// The wake experiments. Each is a file of this folder; the protocol stands in wake_team.hpp.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_WAKES_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_WAKES_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment wake_broadcast();
[[nodiscard]] experiment wake_groups();
[[nodiscard]] experiment wake_idle();

// What the tour asks of each, and how its cells are shown.
void present_wake_broadcast(experiment& e);
void present_wake_groups(experiment& e);
void present_wake_idle(experiment& e);

}  // namespace synchro::experiments

#endif
