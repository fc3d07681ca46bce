// From trials to cells: what a run has measured, sorted by modes and summarized.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_OUTCOME_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_OUTCOME_HPP

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/trial.hpp"
#include "measure/mode.hpp"

namespace synchro::experiments {

/// The probes of a run, by the pair of processors.
class probe_log {
 public:
  using pair = std::pair<unsigned, unsigned>;

  void add(pair p, double one_way_ns) { probes_[p].push_back(one_way_ns); }
  /// Two trials share the probe between them, and each brings it along: it is taken once.
  void take_over(pair p, double one_way_ns) {
    if (taken_over_[p].insert(one_way_ns).second) add(p, one_way_ns);
  }
  [[nodiscard]] const measure::mode_map& modes_of(pair p) const;
  [[nodiscard]] const std::map<pair, std::vector<double>>& all() const { return probes_; }

 private:
  std::map<pair, std::vector<double>> probes_;
  std::map<pair, std::set<double>> taken_over_;

  struct known_modes {
    std::size_t probes;
    measure::mode_map modes;
  };
  mutable std::map<pair, known_modes> known_;  // as of so many probes
};

/// The trials of a cell by mode, near to far. With a single mode, or none, all trials are in the first group.
struct by_mode {
  std::vector<std::string> names;                 ///< Empty if the processors were not probed.
  std::vector<std::vector<const trial*>> groups;  ///< One at least.
  std::size_t flipped = 0;                        ///< Trials in no group: the mode changed in their course.
};
[[nodiscard]] by_mode sort_by_mode(const record& r, const probe_log& probes);

/// The samples of one metric, in the order of the repetitions.
[[nodiscard]] std::vector<double> samples_of(const std::vector<const trial*>& trials, const std::string& metric);

/// The cells of a record: one per metric and mode; none if nothing is known of it.
[[nodiscard]] std::vector<results::cell> cells_of(const record& r, const probe_log& probes);

/// One warning if some processors were seen in more than one mode.
[[nodiscard]] std::optional<results::warning> warning_about_modes(const probe_log& probes);
/// What repetitions had to say, each sentence once.
[[nodiscard]] std::vector<results::warning> warnings_of(const std::vector<record>& records);

}  // namespace synchro::experiments

#endif
