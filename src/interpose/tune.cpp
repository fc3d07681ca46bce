#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>

#include "interpose/commands.hpp"
#include "interpose/preloaded.hpp"
#include "interpose/tune_race.hpp"
#include "interpose/tune_view.hpp"
#include "results/json_fields.hpp"
#include "results/of_others.hpp"
#include "terminal/console.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::interpose {

namespace {

struct tune_options {
  std::vector<std::string> command;                      ///< The program and its arguments.
  std::optional<std::string> locks;                      ///< A comma list of names and globs, or "all".
  std::optional<std::string> repeat, time, limit, seed;  ///< As typed.
  std::string metric = "wall";
  bool higher = false, lower = false;  ///< Which numbers of the metric are better.
  bool as_json = false;
  bool silent = false;  ///< No progress on standard error.
};

constexpr unsigned usual_rounds = 10;
constexpr unsigned most_rounds = 10'000;

/// Names and globs. Nothing is known about the program's threads: so by default no lock that only spins.
std::vector<std::string> chosen_locks(const std::optional<std::string>& text) {
  if (!text) return names_of_yielding_locks();
  const auto known = names_of_own_locks();
  if (*text == "all") return known;
  std::vector<std::string> locks;
  for (const std::string& part : split(*text)) {
    const auto found = matching(part, known);
    if (found.empty()) fail_usage(results::no_such_of_ours("lock", part, known));
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
  task.seed = options.seed ? parse_seed(*options.seed) : std::random_device{}();
  task.command = prepare_preloaded(options.command, "tune", "synchroscope tune -- COMMAND");
  return task;
}

status ends_with(const tuning& found) {
  if (found.interrupted) return interrupt_watch::ends_with();
  if (found.entries[0].failed || found.all_failed()) return status::cannot;
  return status::done;
}

status tune(const tune_options& options) {
  refuse_to_measure_under_an_emulator("tune");
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

deed declare_tune(options& its) {
  const auto typed = std::make_shared<tune_options>();
  its.values("command", typed->command, "The program and its arguments, after --").called("-- COMMAND");
  its.value("--locks", typed->locks, "Names and globs, or all; if not given, the locks whose waiters sleep or yield")
      .called("LIST");
  its.value("--repeat", typed->repeat,
            "At most this many rounds, with one run of each lock (10; with --time as many as fit)")
      .called("N");
  its.value("--time", typed->time, "Begin no round after this time: 60s, 5m").called("DURATION");
  its.value("--limit", typed->limit,
            "A run that takes longer counts as failed (ten times its longest run with its own locks, at least 10 s)")
      .called("DURATION");
  its.value("--metric", typed->metric,
            "wall: the time a run takes; regex:PATTERN: the first group, in the last line of its output that matches; "
            "command:COMMAND: the number that this shell command prints, given its output")
      .called("METRIC");
  its.flag("--higher,--higher-is-better", typed->higher, "Larger numbers of the metric are better");
  its.flag("--lower,--lower-is-better", typed->lower, "Smaller numbers of the metric are better");
  its.value("--seed", typed->seed, "Seed of the random order; chosen and printed if not given").called("NUMBER");
  its.flag("--json", typed->as_json, "Print a JSON object");
  its.flag("--no-progress", typed->silent, "No progress on standard error");
  its.ends_with(
      "Examples:\n"
      "  synchroscope tune -- ./batch input.dat\n"
      "  synchroscope tune --locks 'mcs*,ticket/yield,mutex' --metric 'regex:([0-9.]+) requests/s' --higher -- "
      "./load.sh\n"
      "Exit status: 0 a winner, or no difference resolved; 2 a mistake on the command line; 3 the command fails with "
      "its\n"
      "own locks or with every other, or its locks cannot be replaced; 130, 143 interrupted, with what there is.\n");
  return [typed](const words&) { return tune(*typed); };
}

}  // namespace

command tune_command() {
  return {"tune", "Run a program with each lock in turn and with its own, and say which is best", declare_tune};
}

}  // namespace synchro::interpose
