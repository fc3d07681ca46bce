#include "experiments/wakes/calls.hpp"

#include <memory>
#include <tuple>
#include <utility>

#include "experiments/wakes/host_run.hpp"
#include "platform/call_trace.hpp"
#include "platform/clock.hpp"

namespace synchro::experiments::wakes {

namespace {

enum section : unsigned { elsewhere, triggering, waiting };

/// More sleepers than this take too long to trace.
constexpr unsigned most_sleepers = 16;

/// Tells the tracer what is trigger and what is wait.
class marked_wake final : public any_wake {
 public:
  explicit marked_wake(std::unique_ptr<any_wake> inner) : inner_{std::move(inner)} {}

  void wait(unsigned i) override {
    platform::enter_section(waiting);
    inner_->wait(i);
    platform::enter_section(elsewhere);
  }
  void arm() override { inner_->arm(); }
  void trigger() override {
    platform::enter_section(triggering);
    inner_->trigger();
    platform::enter_section(elsewhere);
  }
  void trigger_each() override {
    platform::enter_section(triggering);
    inner_->trigger_each();
    platform::enter_section(elsewhere);
  }
  /// The first region makes the team, and is not counted.
  void region(const std::function<void(unsigned)>& body) override {
    if (std::exchange(team_is_made_, true)) platform::enter_section(triggering);
    inner_->region([&](unsigned i) {
      platform::enter_section(elsewhere);
      body(i);
      if (i != 0) platform::enter_section(waiting);
    });
    platform::enter_section(elsewhere);
  }

 private:
  std::unique_ptr<any_wake> inner_;
  bool team_is_made_ = false;
};

std::map<std::string, double> per_entry(const platform::call_trace& t, section which) {
  std::map<std::string, double> counts;
  const auto found = t.sections.find(which);
  if (found == t.sections.end() || found->second.entered == 0) return counts;
  for (const auto& [call, n] : found->second.calls)
    counts[call] = static_cast<double>(n) / static_cast<double>(found->second.entered);
  return counts;
}

call_counts count(const wake_row& row, unsigned sleepers, bool each) {
  if (!row.sleeps) return {"its sleepers make no call, or as many as there is time for", {}, {}};
  if (sleepers > most_sleepers)
    return {"calls are counted up to " + std::to_string(most_sleepers) + " sleepers", {}, {}};
  (void)platform::tick_clock::get();
  wake_task task;
  task.sleepers = sleepers;
  task.each = each;
  task.triggers = 4;
  const platform::call_trace seen = platform::trace_calls(
      [&] {
        const wake_result r = run_on_host(row, task, [&] { return std::make_unique<marked_wake>(row.make(sleepers)); });
        if (r.lost || r.rounds.empty()) throw std::runtime_error{"a sleeper did not wake"};
      },
      20);
  if (seen.failure) return {"system calls could not be counted: " + *seen.failure, {}, {}};
  return {std::nullopt, per_entry(seen, triggering), per_entry(seen, waiting)};
}

}  // namespace

const call_counts& calls_of(const wake_row& row, unsigned sleepers, bool each) {
  static std::map<std::tuple<std::string, unsigned, bool>, call_counts> known;
  const auto key = std::tuple{row.name, sleepers, each};
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, count(row, sleepers, each)).first->second;
}

}  // namespace synchro::experiments::wakes
