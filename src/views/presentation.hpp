// How an experiment is shown: its tables, what they come to in sentences, its charts, its headline number.
//
// Each experiment declares this once, beside itself; tables, the tour, exports and the report's page draw what is declared
// and know no experiment by its name. What is not declared is shown by what the cells have.

#ifndef SYNCHRO_VIEWS_PRESENTATION_HPP
#define SYNCHRO_VIEWS_PRESENTATION_HPP

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/document.hpp"
#include "views/pivot.hpp"

namespace synchro::views {

/// What one experiment has in a document.
class own_cells {
 public:
  own_cells(const results::document& d, const std::string& experiment) : document_{d}, experiment_{experiment} {}

  /// Cells of a metric in the near mode.
  [[nodiscard]] cells of(const std::string& metric) const;
  /// The cells with a value and an interval: of the near mode, or if it has none of the other one.
  [[nodiscard]] cells of_any_mode(const std::string& metric) const;
  /// The same place with another metric; nullptr if that is not known there.
  [[nodiscard]] const cell* beside(const cell& c, const std::string& metric) const;
  /// The same, and it is sure.
  [[nodiscard]] const cell* sure_beside(const cell& c, const std::string& metric) const;
  /// Cells that differ from this one on these axes only, have a value and are not sure: among those that are nobody asks them.
  [[nodiscard]] cells left_out(const cell& c, const std::vector<std::string>& axes) const;
  /// Processors that the run could use; 0 if the file does not say.
  [[nodiscard]] std::size_t processors() const;
  /// As a paper printed them: values without intervals.
  [[nodiscard]] bool published() const;

 private:
  const results::document& document_;
  const std::string& experiment_;
};

/// A chart of the page. `drawing` is what the page draws: see the functions below.
struct chart {
  std::string id;  ///< Tells apart the charts of one experiment.
  std::string title;
  std::string lead;  ///< For somebody who meets this for the first time.
  nlohmann::ordered_json drawing;
  std::string like = {};                  ///< The figures of the paper on synchronization that show the same.
  std::vector<std::string> metrics = {};  ///< What it is about; empty: all metrics of the experiment.
  std::vector<std::string> derived = {};  ///< Axes that follow from others and need no choice.
  results::coordinates prefer = {};       ///< What to begin with, where it was measured.
  std::string several = {};               ///< Drawn only where this axis has several values.
  bool own_scale = false;                 ///< Each machine has a scale of its own: their work is not the same.
  std::vector<std::string> spread = {};   ///< Metrics whose repetitions are shown as boxes first, not as medians alone.
  std::string simulated = {};  ///< What is to be said below it, pictures too, where it shows a simulated machine.
};

/// A matrix: columns `x`, rows `y`.
[[nodiscard]] nlohmann::ordered_json heat_map(const std::string& x, const std::string& y);
struct line_options {
  bool ideal = false;                                           ///< With a line for sharing that costs nothing.
  bool ordinal = false;                                         ///< All values of x equally far apart.
  std::vector<std::pair<std::string, std::string>> names = {};  ///< What values of the series need besides their name.
  /// Of an axis only these values; where none was measured there is no chart.
  std::vector<std::pair<std::string, std::vector<std::string>>> only = {};
  /// The series that are drawn first, where they were measured; the legend has the others. Without them: the best.
  std::vector<std::string> first = {};
  std::string called = {};  ///< What x is called, where the axis has another name elsewhere.
};
[[nodiscard]] nlohmann::ordered_json lines(const std::string& x, const std::vector<std::string>& series,
                                           const line_options& how = {});
struct bar_options {
  bool stacked = false;
  std::string compare = {};  ///< All metrics side by side, which have this in common.
  bool runs = false;         ///< A bar for each run; drawn only where there are several.
};
[[nodiscard]] nlohmann::ordered_json bars(const std::string& x, const std::vector<std::string>& series = {},
                                          const bar_options& how = {});
/// For each group the best contestant, and how its work grows with the `unit`.
[[nodiscard]] nlohmann::ordered_json best_of(const std::string& contestants, const std::vector<std::string>& groups,
                                             const std::string& unit, const std::vector<int>& paper = {});
/// Which thread ran when: a row for each value of an axis, between the moments that three metrics give.
struct gantt_options {
  std::string row;
  std::vector<std::string> moments, phases;
  std::string delay = {};
  std::vector<std::string> parallel = {};  ///< Metrics: begin, end and length of the time in which several ran.
};
[[nodiscard]] nlohmann::ordered_json gantt(const gantt_options& how);
/// A table beside published numbers.
[[nodiscard]] nlohmann::ordered_json beside_published(const std::vector<std::string>& rows, const std::string& column,
                                                      const std::string& caption);

/// One of the few numbers that matter most, with what it means.
struct headline {
  std::string figure;  ///< "26.3 ns"
  std::string text;    ///< What it is, without a full stop.
  std::string detail;  ///< The interval, the protocol.
  std::string chart;   ///< The id of the chart that shows more.
};

using table_maker = std::function<std::vector<laid_out>(const cells&, const style&)>;
using sentences = std::vector<std::string>;

struct presentation {
  /// Empty: a matrix where there are pairs of processors, else a table for each metric.
  table_maker tables = {};
  /// In plain ASCII, about what is known; what no measurement resolves is called so.
  std::function<sentences(const own_cells&)> findings = {};
  std::function<std::optional<views::headline>(const own_cells&)> headline = {};
  std::vector<chart> charts = {};  ///< Empty: one that suits the axes.
  /// What is measured to be compared with, such as an empty instruction: no range and no contest has it in.
  std::function<bool(const cell&)> is_baseline = {};
  /// What the sentences are about: the begin of a word that stands among the first five of each, as "lock" does in
  /// "Locking a free mutex takes". Empty: there are none.
  std::string about = {};
  /// What would be a finding if its interval were narrower, with the interval: see too_uncertain().
  std::function<sentences(const own_cells&)> doubts = {};
};

/// Without the baseline of this experiment, unless there is nothing else.
[[nodiscard]] cells without_baseline(cells all, const presentation* shown);

/// Presentations by the names of the experiments, in the order in which they are shown.
using presentations = std::vector<std::pair<std::string, presentation>>;
/// nullptr if there is none of this name.
[[nodiscard]] const presentation* find(const presentations& all, const std::string& experiment);

}  // namespace synchro::views

#endif
