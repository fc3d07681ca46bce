// The coherence experiments: what it costs to reach a cache line, by where it is and in which state.
//
// docs/coherence.md says how each state is brought about and what a number means.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_COHERENCE_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_COHERENCE_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment coherence_local();
[[nodiscard]] experiment coherence_states();
[[nodiscard]] experiment coherence_pairs();

}  // namespace synchro::experiments

#endif
