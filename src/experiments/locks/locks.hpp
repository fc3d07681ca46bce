// The lock experiments. Each is a file of this folder; the protocols stand in contention.hpp and previous_holder.hpp.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_LOCKS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_LOCKS_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment locks_ticket();
[[nodiscard]] experiment locks_uncontested();
[[nodiscard]] experiment locks_throughput();

/// The lock that most programs have, beside which the others stand.
inline constexpr const char* usual_lock = "std/mutex";

/// Those of the paper's Figs. 5, 7 and 11. Its mutex is that of the system; on models it is ours.
[[nodiscard]] std::vector<std::string> papers_locks();

// What the tour asks of each, and how its cells are shown.
void present_locks_ticket(experiment& e);
void present_locks_uncontested(experiment& e);
void present_locks_throughput(experiment& e);

}  // namespace synchro::experiments

#endif
