#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/preloaded.hpp"
#include "cli/tune_race.hpp"
#include "cli/tune_view.hpp"
#include "cli/words.hpp"
#include "experiments/locks/lock_table.hpp"
#include "results/json_fields.hpp"

namespace synchro::cli {

namespace {

constexpr unsigned usual_rounds = 10;
constexpr unsigned most_rounds = 10'000;

/// Names and globs. Of the program's threads nothing is known: so none that only spins, if nothing is said.
std::vector<std::string> chosen_locks(const std::optional<std::string>& text) {
  if (!text) return names_of_own_locks([](const experiments::lock_bodies& lock) { return !lock.only_spins(); });
  const auto known = names_of_own_locks();
  if (*text == "all") return known;
  std::vector<std::string> locks;
  for (const std::string& part : split(*text)) {
    const auto found = matching(part, known);
    if (found.empty()) fail_usage(no_such("lock", part, known));
    for (const std::string& name : found)
      if (std::find(locks.begin(), locks.end(), name) == locks.end()) locks.push_back(name);
  }
  return locks;
}

unsigned rounds_of(const tune_options& options) {
  if (!options.repeat) return options.time ? most_rounds : usual_rounds;
  return parse_number(*options.repeat, "--repeat", "whole number", 1U, most_rounds);
}

tuning_task task_of(const tune_options& options) {
  const auto locks = chosen_locks(options.locks);
  tuning_task task{{}, locks, run_metric{options.metric, options.higher, options.lower}};
  task.rounds = rounds_of(options);
  if (options.time) task.seconds = parse_duration(*options.time, "--time");
  if (options.limit) task.limit = parse_duration(*options.limit, "--limit");
  task.seed = options.seed ? *options.seed : std::random_device{}();
  task.command = prepare_preloaded(options.command, "tune", "synchroscope tune -- COMMAND");
  return task;
}

status ends_with(const tuning& found) {
  if (found.interrupted) return interrupt_watch::ends_with();
  if (found.entries[0].failed || found.all_failed()) return status::cannot;
  return status::done;
}

}  // namespace

status tune(const tune_options& options) {
  tuning_task task = task_of(options);
  task.stop = interrupt_watch::raised;
  task.tell = [&](const std::string& line) {
    if (!options.silent) say(line);
  };
  const tuning found = [&] {
    const interrupt_watch watch;
    return tune_in_rounds(task);
  }();
  print(options.as_json ? results::dump(json_of(found, task), 2) + "\n" : text_of(found, task));
  return ends_with(found);
}

}  // namespace synchro::cli
