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

/// The probes of a run. Pairs of processors that the topology says are equally far apart have their modes in common: in
/// whichever the machine was when one of them was probed, another may be later.
class probe_log {
 public:
  void add(const probed_pair& p, double one_way_ns) { probes_[p.apart].push_back({one_way_ns, p.first, p.second}); }
  /// Two trials share the probe between them, and each brings it along: it is taken once.
  void take_over(const probed_pair& p, double one_way_ns) {
    if (taken_over_[p.apart].insert(one_way_ns).second) add(p, one_way_ns);
  }
  [[nodiscard]] const measure::mode_map& modes_of(platform::distance apart) const;

  struct probe {
    double one_way_ns;
    unsigned first, second;
  };
  [[nodiscard]] const std::map<platform::distance, std::vector<probe>>& all() const { return probes_; }

 private:
  std::map<platform::distance, std::vector<probe>> probes_;
  std::map<platform::distance, std::set<double>> taken_over_;

  struct known_modes {
    std::size_t probes;
    measure::mode_map modes;
  };
  mutable std::map<platform::distance, known_modes> known_;  // as of so many probes
};

/// The trials of a cell by mode, near to far, without those that do not count. With a single mode, or none, all trials
/// are in the first group.
struct by_mode {
  std::vector<std::string> names;                        ///< Empty if there was one mode only.
  std::vector<std::vector<const trial*>> groups;         ///< One at least.
  std::map<std::string, std::vector<unsigned>> dropped;  ///< Repetitions in no group, by the reason.

  /// The group with most trials; of equals the nearest.
  [[nodiscard]] const std::vector<const trial*>& largest() const;
};
[[nodiscard]] by_mode sort_by_mode(const record& r, const probe_log& probes);

/// The confidence of the interval of a cell with so many samples. Cells that are not clearly sure after the planned
/// repetitions are repeated. Some of these then look sure by chance, so that their intervals have to be wider.
[[nodiscard]] double confidence_of(const planned_cell& cell, std::size_t samples);

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
