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
[[nodiscard]] experiment coherence_bandwidth();

/// Under the charts that stand beside the paper's tables.
inline constexpr const char* beside_the_paper =
    "In cycles of each machine’s own clock. The paper: David, Guerraoui, Trigonakis, “Everything You Always Wanted to "
    "Know About Synchronization but Were Afraid to Ask”, SOSP 2013.";

// What the tour asks of each, and how its cells are shown.
void present_coherence_local(experiment& e);
void present_coherence_states(experiment& e);
void present_coherence_pairs(experiment& e);
void present_coherence_bandwidth(experiment& e);

}  // namespace synchro::experiments

#endif
