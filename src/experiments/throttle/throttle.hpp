// The experiments on admitting only some threads at a time.

#ifndef SYNCHRO_EXPERIMENTS_THROTTLE_THROTTLE_HPP
#define SYNCHRO_EXPERIMENTS_THROTTLE_THROTTLE_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment throttle_sum();

// What the tour asks of each, and how its cells are shown.
void present_throttle_sum(experiment& e);

namespace throttle {

struct crowd_result;

/// What a crowd came to, as observations: `share_ns` is what a part took alone, `slice_ns` the scheduler's time slice, if that is
/// known. Says so where a part is too short for the article's question.
void record(repetition& r, const crowd_result& seen, double share_ns, std::optional<double> slice_ns);

}  // namespace throttle

}  // namespace synchro::experiments

#endif
