#include "experiments/wakes/host_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "experiments/framework/finish.hpp"
#include "experiments/wakes/host_watch.hpp"
#include "experiments/wakes/wake_region.hpp"
#include "experiments/wakes/wake_team.hpp"
#include "measure/host.hpp"
#include "platform/scheduling.hpp"

namespace synchro::experiments::wakes {

namespace {

/// All that the threads of a team touch: shared with them, for lost ones touch it for good.
template <class Team>
struct shared_run {
  template <class... Args>
  explicit shared_run(Args&&... args) : team(std::forward<Args>(args)...) {}
  Team team;
  measure::team_report report;
  ending end;
};

std::string in_seconds(double ns) { return fmt::format("{:.3g} s", ns * 1e-9); }

/// Runs the team in a thread of its own, which is left behind with it if it does not come to an end.
template <class Team>
wake_result run_team(const std::shared_ptr<shared_run<Team>>& run, const wake_row& row, const wake_task& task,
                     unsigned threads, urgency how) {
  const double step_ns = platform::cpu_time_step_ns();  // finding that out is not to disturb them
  start_detached(run, [run, cpus = task.cpus, threads, how] {
    run->report = measure::host::team(
        cpus, threads, [run](unsigned index) { run->team.run(index, [run] { run->end.reached(); }); }, how);
  });
  const double most_ns = task.budget_ns + 4 * task.deadline_ns + task.idle_ns.value_or(0) * task.triggers;
  if (!run->end.await(std::chrono::nanoseconds{static_cast<std::int64_t>(most_ns)})) {
    run->team.watch().put_sleepers_aside();
    wake_result result;  // its own may still be written to
    result.lost = fmt::format("{} lost a wake-up: a trigger did not finish within {}", row.name, in_seconds(most_ns));
    return result;
  }
  wake_result result = std::move(run->team.result());
  result.cpu_step_ns = step_ns;
  if (result.lost || result.refused) run->team.watch().put_sleepers_aside();
  if (result.refused) throw std::runtime_error{*result.refused};
  if (result.lost)
    result.lost = fmt::format("{} lost a wake-up: {} within {}", row.name, *result.lost, in_seconds(task.deadline_ns));
  else
    result.team = run->report;
  if (result.unseen)
    throw std::runtime_error{fmt::format("{} within {}", *result.unseen, in_seconds(task.deadline_ns))};
  return result;
}

}  // namespace

wake_result run_on_host(const wake_row& row, const wake_task& task, wake_maker make) {
  if (!make)
    make = [&row, n = task.sleepers, group = task.group] {
      return group == 0 || row.make_groups == nullptr ? row.make(n) : row.make_groups(n, group);
    };
  if (row.region)
    return run_team(std::make_shared<shared_run<wake_region>>(task, std::move(make)), row, task, 1, urgency::usual);
  using team = wake_team<measure::host, host_watch, any_wake>;
  return run_team(std::make_shared<shared_run<team>>(task, row.sleeps, std::move(make)), row, task, task.sleepers + 1,
                  task.priority);
}

}  // namespace synchro::experiments::wakes
