// What no simulation is needed for: closed forms that stand beside simulated curves.

#ifndef SYNCHRO_SIMULATIONS_BOUNDS_HPP
#define SYNCHRO_SIMULATIONS_BOUNDS_HPP

#include <vector>

#include "simulator/model.hpp"

namespace synchro::simulations {

/// Mean cycles of a transfer of a modified line between two different ones of these processors (one alone: an operation
/// on its own line).
[[nodiscard]] double mean_transfer(const simulator::model& m, simulator::operation o,
                                   const std::vector<unsigned>& processors);

/// Operations a second on one line whose successive operations are random threads'.
[[nodiscard]] double line_bound(const simulator::model& m, simulator::operation o,
                                const std::vector<unsigned>& processors);

/// When the last of n sleepers can be awake at the earliest if everybody who is awake wakes others, one after another:
/// the best broadcast in the postal model.
[[nodiscard]] simulator::ticks last_by_calls(const simulator::wake_costs& w, unsigned n);
/// The same by one call that interrupts 16 processors at a time.
[[nodiscard]] simulator::ticks last_by_interrupt(const simulator::wake_costs& w, unsigned n);

}  // namespace synchro::simulations

#endif
