// The experiments on dividing work among threads that must be started first.

#ifndef SYNCHRO_EXPERIMENTS_FORKJOIN_FORKJOIN_HPP
#define SYNCHRO_EXPERIMENTS_FORKJOIN_FORKJOIN_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment forkjoin_timeline();
[[nodiscard]] experiment forkjoin_breakeven();
[[nodiscard]] experiment forkjoin_balance();

/// What the tour asks of those whose search for a size of work or a share takes long.
inline tour_stop two_threads(const setting&) { return {{{"primitive", {"event"}}, {"threads", {std::int64_t{2}}}}}; }

// What the tour asks of each, and how its cells are shown.
void present_forkjoin_timeline(experiment& e);
void present_forkjoin_breakeven(experiment& e);
void present_forkjoin_balance(experiment& e);

}  // namespace synchro::experiments

#endif
