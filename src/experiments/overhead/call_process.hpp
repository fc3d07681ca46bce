// Where a call is measured: at the highest priority that a process may have, and nothing else with it.

#ifndef SYNCHRO_EXPERIMENTS_OVERHEAD_CALL_PROCESS_HPP
#define SYNCHRO_EXPERIMENTS_OVERHEAD_CALL_PROCESS_HPP

#include <chrono>
#include <optional>

#include "experiments/overhead/call_rows.hpp"

namespace synchro::experiments::overhead {

/// Of one round, which takes microseconds; on a machine that is busy, some turns of others.
inline constexpr std::chrono::seconds patience{10};

/// Nothing if a flow goes on for no round in that time; its threads are left behind.
[[nodiscard]] std::optional<call_result> measure_here(const call_row& row, const call_task& task);
/// The same at the highest priority allowed: where that is a whole process's, in a process of its own, which is bound to the
/// processor. Throws std::runtime_error if that cannot be had.
[[nodiscard]] std::optional<call_result> measure_alone(const call_row& row, const call_task& task);
/// What that takes besides, in seconds.
[[nodiscard]] double seconds_besides();

/// The row of that call by that primitive; null if there is none.
[[nodiscard]] const call_row* find_row(const std::string& call, const std::string& primitive);

}  // namespace synchro::experiments::overhead

#endif
