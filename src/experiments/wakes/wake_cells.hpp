// What the wake experiments' cells have in common.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_WAKE_CELLS_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_WAKE_CELLS_HPP

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/wakes/tasks.hpp"
#include "experiments/wakes/wake_table.hpp"

namespace synchro::experiments::wakes {

/// The processors of the waker and of its sleepers, by the cell's `threads` (sleepers) and `placement`.
[[nodiscard]] std::vector<unsigned> cpus_of(const setting& s, const coordinates& at);
[[nodiscard]] std::vector<unsigned> distinct_cpus_of(const setting& s, const coordinates& at);

/// Whether sleepers and waker are more than the processors.
[[nodiscard]] bool crowded(const setting& s, const coordinates& at);

/// Why no cell of this primitive can be measured here.
[[nodiscard]] std::optional<std::string> unavailable_of(const setting& s, const coordinates& at);

/// The median over the rounds of something about each.
[[nodiscard]] double median_of(const wake_result& r, const std::function<double(const wake_round&)>& f);

/// In quick runs no more than an interval needs: there are many primitives.
[[nodiscard]] unsigned repetitions(level l);

/// What every repetition has to tell besides its numbers.
void add_to(repetition& out, const wake_result& r);

/// What the triggers of a repetition of wake.broadcast come to; `too_short` for the clock, in ns.
void record_broadcast(repetition& out, const wake_result& seen, bool (*too_short)(double));

/// The sizes of a group that wake.groups tries: 1 to 6, and every half octave beyond, up to all.
[[nodiscard]] std::vector<unsigned> group_sizes(unsigned sleepers);
/// A repetition of wake.groups: the task with groups of these sizes, in this order. `helped`: the woken wake others.
[[nodiscard]] repetition sweep_groups(wake_task task, const std::vector<unsigned>& order, bool helped,
                                      const std::function<wake_result(const wake_task&)>& run);

[[nodiscard]] double mean(const std::vector<double>& values);
[[nodiscard]] double first(const wake_round& r);
[[nodiscard]] double last(const wake_round& r);

}  // namespace synchro::experiments::wakes

#endif
