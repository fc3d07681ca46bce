#include "experiments/wakes/availability.hpp"

#include <map>
#include <mutex>

#include "experiments/wakes/host_run.hpp"
#include "platform/child_process.hpp"
#include "platform/clock.hpp"

namespace synchro::experiments::wakes {

namespace {

/// In the child: nothing, or the call that its sleeper sleeps in. Throws what the system says. A lost wake-up is no
/// refusal: the primitive is there, and whoever measures it must be told that it is broken.
std::string wake_one(const wake_row& row) {
  wake_task task;
  task.triggers = 2;
  task.deadline_ns = 1e9;
  const wake_result seen = run_on_host(row, task);
  return seen.sleeps_in.empty() ? "" : seen.sleeps_in.begin()->first;
}

}  // namespace

availability try_out(const wake_row& row) {
  if (row.unavailable != nullptr)
    if (auto why = row.unavailable()) return {std::move(why), std::nullopt};
  (void)platform::tick_clock::get();  // made here, so that no child has to
  platform::child_outcome tried = platform::run_in_child([&row] { return wake_one(row); }, 10);
  if (tried.failure) return {std::move(tried.failure), std::nullopt};
  return {std::nullopt, tried.said.empty() ? std::nullopt : std::optional{std::move(tried.said)}};
}

const availability& availability_of(const wake_row& row) {
  static std::mutex one_at_a_time;
  static std::map<std::string, availability> known;
  const std::lock_guard hold{one_at_a_time};
  const auto found = known.find(row.name);
  return found != known.end() ? found->second : known.emplace(row.name, try_out(row)).first->second;
}

}  // namespace synchro::experiments::wakes
