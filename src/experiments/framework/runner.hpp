// Runs experiments: plan, order, repeat, watch, journal, summarize.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_RUNNER_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_RUNNER_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "results/document.hpp"

namespace synchro::experiments {

struct planned_cell {
  const experiment* what;
  coordinates at;
  unsigned repetitions;
  double seconds;  ///< All repetitions, by the experiment's own estimate, and what the runner does around them.
  std::optional<std::string> unavailable;
};

struct plan {
  std::vector<planned_cell> cells;  ///< In the order of the axes; running order is the runner's.
  [[nodiscard]] double seconds() const;
};

/// All cells of these experiments: the products of their axes, with the values that the user has chosen in place of the
/// experiment's own. Throws usage_error (usage_error.hpp) if none of the experiments has a chosen axis, or none can
/// take a chosen value; an experiment that cannot take a value that another can, leaves it out. Callers may drop cells.
[[nodiscard]] plan make_plan(const setting& s, const std::vector<const experiment*>& which);

/// Called between cells only, never while something is measured, from the coordinating thread.
struct progress {
  std::size_t repetitions_done, repetitions_all;  ///< Of those that were planned.
  double seconds_left;                            ///< As estimated; while cells are repeated, at most.
  bool repeats;                                   ///< Beyond the plan, for a cell is not yet sure.
  const planned_cell* now;                        ///< What comes next; nullptr at the end.
};

struct run_control {
  std::function<void(const progress&)> report = [](const progress&) {};
  std::function<bool()> stop = [] { return false; };  ///< Asked between repetitions: Ctrl-C.
  /// A repetition is appended as soon as it is measured. If that fails the run goes on without it and says so in a
  /// warning "journal", which is also told at once.
  results::journal* log = nullptr;
  std::function<void(const results::warning&)> journal_lost = [](const results::warning&) {};
  /// Entries of an earlier journal, or entries_of a results file: what they hold is not measured again. Entries that
  /// are no repetition, or of no planned cell, are ignored.
  std::vector<nlohmann::ordered_json> resumed = {};
  bool probe_modes = true;
  /// Each round is measured in a copy of this process that has its memory elsewhere (measure/layout.hpp), where the system
  /// copies processes. A cell whose copy the system ends has that as its reason, and the others are measured. The process
  /// must have no other thread then.
  bool apart = false;
  double max_seconds = 0;  ///< Stop early when this long has passed; 0: no bound.
  /// Seconds since some moment: by it `max_seconds` pass, and by it repetitions are found longer than they were estimated.
  std::function<double()> now = steady_seconds;
  /// How much longer than planned the run may take to repeat cells: this share of the plan. Those with too few
  /// repetitions in any mode come first, then those that are not clearly sure. Each is repeated three times as often as
  /// planned at most.
  double repair = 1.0;
  /// The one-way hand-off time between two processors, ns. Nothing: it cannot be told.
  std::function<std::optional<double>(unsigned, unsigned)> probe = default_probe;
  /// Joules spent so far by the machine. Empty: ask the machine's own meter.
  std::function<std::optional<double>()> joules = {};

  static std::optional<double> default_probe(unsigned a, unsigned b);
  static double steady_seconds();
};

struct run_outcome {
  std::vector<results::cell> cells;
  std::vector<results::warning> warnings;
  bool complete;                        ///< False if stopped early.
  bool broken;                          ///< A self-check failed somewhere.
  std::vector<std::string> unfinished;  ///< The experiments that lack a planned repetition.
};

/// Measures the plan. Blocks of cells that belong together (same experiment) have their repetitions interleaved: rounds
/// of one repetition of each, in random order (seed in the setting); experiments follow each other, so that a run that
/// time ends has some that are complete and sure. Of one that is too long for the time there is, as many cells as fit it are
/// measured as if they were all; what fits is judged by the time that repetitions took, as soon as there is one. Where
/// rounds are measured apart, what differs from process to process is within the scatter of the repetitions. Repetitions
/// are tagged with the mode of the processors in use; if there was more than one, a cell has the samples of the near mode, and those of each other mode
/// are a cell of their own with `mode` ("far") among its coordinates. What does not count stands in `noise.dropped`.
///
/// Every cell of the plan is in the outcome, with a value or a reason; of a run stopped early, those measured so far.
[[nodiscard]] run_outcome run(const plan& p, const setting& s, const run_control& control);

/// The samples of a results file as journal entries, so that an incomplete file can be resumed.
[[nodiscard]] std::vector<nlohmann::ordered_json> entries_of(const results::document& d);

/// How many of the cells in these entries the plan does not have: a run resumed from them would leave them out.
[[nodiscard]] std::size_t cells_outside(const plan& p, const std::vector<nlohmann::ordered_json>& entries);

}  // namespace synchro::experiments

#endif
