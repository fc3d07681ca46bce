// The guided tour: which few measurements tell a newcomer most.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_TOUR_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_TOUR_HPP

#include <vector>

#include "experiments/framework/runner.hpp"

namespace synchro::experiments {

/// Those at which the tour stops.
[[nodiscard]] std::vector<const experiment*> tour_experiments(const std::vector<experiment>& all = all_experiments());

/// A plan for this machine, short enough that the tour ends in under a minute.
[[nodiscard]] plan tour_plan(const setting& s, const std::vector<experiment>& all = all_experiments());

/// One thread, all processors, and four times as many: alone, crowded, overcrowded.
[[nodiscard]] std::vector<coordinate> tour_crowds(const setting& s);

}  // namespace synchro::experiments

#endif
