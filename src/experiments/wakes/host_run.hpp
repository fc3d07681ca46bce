// A wake experiment's repetition on this machine, for any row of the table.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_HOST_RUN_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_HOST_RUN_HPP

#include <functional>
#include <memory>

#include "experiments/wakes/any_wake.hpp"
#include "experiments/wakes/tasks.hpp"
#include "experiments/wakes/wake_table.hpp"

namespace synchro::experiments::wakes {

/// Makes the primitive that the task is about, if it is not that of the row.
using wake_maker = std::function<std::unique_ptr<any_wake>()>;

/// Comes back in any case: where sleepers are lost their threads are left behind, at the lowest priority, with all that
/// they still touch. Throws std::runtime_error with one sentence if the team cannot be had, the system refuses a call or
/// the sleepers cannot be seen asleep.
[[nodiscard]] wake_result run_on_host(const wake_row& row, const wake_task& task, wake_maker make = {});

}  // namespace synchro::experiments::wakes

#endif
