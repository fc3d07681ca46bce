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
  double seconds;  ///< All repetitions, by the experiment's own estimate.
  std::optional<std::string> obstacle;
};

struct plan {
  std::vector<planned_cell> cells;  ///< In the order of the axes; running order is the runner's.
  [[nodiscard]] double seconds() const;
};

/// All cells of these experiments. A `fixed` function may leave cells out (the guided tour keeps few).
[[nodiscard]] plan make_plan(const setting& s, const std::vector<const experiment*>& which);

/// Called between cells only, never while something is measured, from the coordinating thread.
struct progress {
  std::size_t repetitions_done, repetitions_all;
  double seconds_left;
  const planned_cell* now;  ///< What comes next; nullptr at the end.
};

struct run_control {
  std::function<void(const progress&)> report = [](const progress&) {};
  std::function<bool()> stop = [] { return false; };  ///< Asked between repetitions: Ctrl-C.
  results::journal* log = nullptr;
  std::vector<nlohmann::ordered_json> resumed = {};  ///< Entries of an earlier journal, or {} .
  bool probe_modes = true;
  double max_seconds = 0;  ///< Stop early when this long has passed; 0: no bound.
};

struct run_outcome {
  std::vector<results::cell> cells;
  std::vector<results::warning> warnings;
  bool complete;  ///< False if stopped early.
  bool broken;    ///< A self-check failed somewhere.
};

/// Measures the plan. Blocks of cells that belong together (same experiment) have their repetitions interleaved in
/// random order (seed in the setting).
[[nodiscard]] run_outcome run(const plan& p, const setting& s, const run_control& control);

/// The samples of a results file as journal entries, so that an incomplete file can be resumed.
[[nodiscard]] std::vector<nlohmann::ordered_json> entries_of(const results::document& d);

}  // namespace synchro::experiments

#endif
