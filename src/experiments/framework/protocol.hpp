// How hard threads press on what they share: the axis `protocol` of the throughput experiments.
//
//   saturated   each thread goes on at once. Whoever has the line has it in its cache, and may go on for long: the share
//               of hand-offs and the time of one tell.
//   paused      as in SSYNC (5.4, 6.1.2): after each operation a pause, longer than the longest transfer between
//               processors of the team, so that runs of one thread are short. Threads that pause cannot do more than the
//               pause allows; this ceiling is reported beside the figure.
//
// In both, teams of one thread do what teams of two neighbours do.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_PROTOCOL_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_PROTOCOL_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

/// Both.
[[nodiscard]] axis protocol_axis();
[[nodiscard]] metric ceiling_metric();

/// Saturated where the coordinates do not say.
[[nodiscard]] bool is_paused(const coordinates& at);

/// The pause of one repetition, ns: found afresh, for it belongs to the mode that the processors are in. 0: none.
[[nodiscard]] double pause_of(const setting& s, const coordinates& at);

/// Says what the pause was, and what it allows so many threads on so many processors.
void record_pause(repetition& r, double pause_ns, std::size_t threads, std::size_t processors);

}  // namespace synchro::experiments

#endif
