#include "experiments/overhead/call_process.hpp"

namespace synchro::experiments::overhead {

std::optional<call_result> measure_here(const call_row& row, const call_task& task) {
  return finish_unless_stuck<call_result>(patience, [act = row.measure, task](pulse& heart) {
    call_task watched = task;
    watched.heart = &heart;
    return act(watched);
  });
}

const call_row* find_row(const std::string& call, const std::string& primitive) {
  for (const call_row& row : call_rows())
    if (row.call == call && row.primitive == primitive) return &row;
  return nullptr;
}

}  // namespace synchro::experiments::overhead
