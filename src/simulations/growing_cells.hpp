// Simulated cells to which repetitions can be added; those that they have stay what they were.

#ifndef SYNCHRO_SIMULATIONS_GROWING_CELLS_HPP
#define SYNCHRO_SIMULATIONS_GROWING_CELLS_HPP

#include <vector>

#include "experiments/framework/runner.hpp"
#include "experiments/framework/trial.hpp"
#include "results/cell.hpp"

namespace synchro::simulations {

/// Simulates what lacks up to so many repetitions, each by a seed that follows from the setting's and its number.
void add_seeds(experiments::record& r, const experiments::setting& s, unsigned seeds);

/// The cells of a record that was simulated.
[[nodiscard]] std::vector<results::cell> cells_by_seeds(const experiments::record& r);

class growing_cells {
 public:
  growing_cells(experiments::plan p, experiments::setting s);
  growing_cells(const growing_cells&) = delete;
  growing_cells& operator=(const growing_cells&) = delete;
  ~growing_cells() = default;

  /// By the first so many seeds. Intervals of more than a plan has are of 99 %, for it was looked at before.
  [[nodiscard]] std::vector<results::cell> with(unsigned seeds);

 private:
  const experiments::plan plan_;
  const experiments::setting setting_;
  std::vector<experiments::record> records_;  // pointing into the plan
};

}  // namespace synchro::simulations

#endif
