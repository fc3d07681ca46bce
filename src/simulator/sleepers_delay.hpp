// By how much woken sleepers of one object delay each other, from mean wake times by the size of a group.

#ifndef SYNCHRO_SIMULATOR_SLEEPERS_DELAY_HPP
#define SYNCHRO_SIMULATOR_SLEEPERS_DELAY_HPP

#include <optional>
#include <utility>
#include <vector>

namespace synchro::simulator {

struct mean_wake {
  unsigned group = 1;  ///< So many sleepers share an object.
  double mean = 0;     ///< Of all sleepers.
};

struct delay_fit {
  double value = 0, low = 0, high = 0;  ///< With the 95 % interval of a straight line's slope.
};

/// A sleeper's own call is the g-th, and `i` sleepers of its object are woken before it: it is late by g calls and by i
/// delays, besides what the groups do not change. So the mean less that of the calls is a straight line in the mean of
/// i, whose slope is the delay: by least squares. Nothing below four sizes of a group.
[[nodiscard]] std::optional<delay_fit> delay_of(unsigned sleepers, double call, const std::vector<mean_wake>& by_group);

}  // namespace synchro::simulator

#endif
