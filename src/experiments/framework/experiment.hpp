// An experiment is axes and a body.
//
// It declares its name, one line, its source, its axes with their values at each level, and its metrics; its body
// measures one repetition of one cell. Beside it stands what the tour asks of it and how its cells are shown. The
// framework (runner.hpp) does the rest: enumerates the cells, estimates the time, interleaves repetitions in random order,
// tags them with modes, gathers noise evidence, journals, summarizes.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_EXPERIMENT_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_EXPERIMENT_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/topology.hpp"
#include "results/cell.hpp"
#include "statistics/statistics.hpp"
#include "views/presentation.hpp"

namespace synchro::experiments {

using results::better;
using results::coordinate;
using results::coordinates;

enum class level : std::uint8_t { quick, standard, full };

/// What a run is about: the machine as far as it may be used, the thoroughness, and the axes the user has set.
struct setting {
  platform::topology machine;
  level thoroughness = level::standard;
  std::uint64_t seed = 1;
  std::map<std::string, std::vector<coordinate>> chosen;  ///< Axis name to the user's values; absent: the experiment's.
  bool untried =
      false;  ///< Only to be described: nothing is tried out or calibrated, and what cannot be had counts, too.
};

/// An axis as the documentation tells it. Values that depend on the machine come from values(setting).
struct axis {
  std::string name;  ///< As under `at`: "threads", "lock", ...
  std::string line;  ///< One line on what it means, with the unit.
  std::function<std::vector<coordinate>(const setting&)> values;
  /// Why the experiment cannot take this value from a user, nothing if it can. If not given: a word must be among the
  /// values of some level; a number may be any from 1 on, or from the smallest of the experiment's own if that is less.
  std::function<std::optional<std::string>(const setting&, const coordinate&)> refuses = {};
};

struct metric {
  std::string name;
  std::string unit;
  better direction;
  std::string definition;  ///< One or two sentences: what exactly is timed, from where to where.
};

/// One metric of one repetition.
struct observation {
  std::string metric;
  double value;
  std::map<std::string, double> quantiles = {};  ///< Inside the repetition, already filtered by what may be told.
  bool clock_limited = false;                    ///< This metric alone was too short for the clock.
  /// Where inside the cell, for a metric that one repetition tells at several places ({"order", 3}): added to the
  /// coordinates of the cell. Names that no axis of the experiment has.
  coordinates within = {};
};

/// What one repetition came to.
struct repetition {
  std::vector<observation> observations;
  std::optional<std::string> broken;  ///< A self-check failed: the sentence. The cell becomes an error, never a number.
  std::optional<std::string>
      bounded;  ///< A remark that belongs to the cell ("stopped after 2 s: 16 threads spin on 2 processors").
  bool clock_limited = false;  ///< All metrics were too short for the clock.
  std::uint64_t involuntary_switches = 0;
  std::uint64_t run_delay_ns = 0;
  std::uint64_t migrations = 0;            ///< Threads that ended on another processor than they were pinned to.
  std::vector<std::string> warnings = {};  ///< E.g. a thread that could not be pinned.
  /// Why a declared metric has no observation here ("one thread hands over to nobody"), by the metric's name.
  std::map<std::string, std::string> unavailable = {};
  /// What the protocol set by itself, by name: {"pause_ns", 200}. Samples taken under different conditions are not one cell.
  std::map<std::string, double> conditions = {};
  /// Why what was measured is not what was asked for ("thread 1 could not be pinned"): the repetition does not count.
  std::optional<std::string> void_because = {};
};

/// What the guided tour asks of an experiment.
struct tour_stop {
  std::map<std::string, std::vector<coordinate>> axes = {};  ///< Axis to values; absent: those of the quick level.
  /// True for cells that the tour leaves out; empty: it leaves out none.
  std::function<bool(const setting&, const coordinates&)> skips = {};
};

struct experiment {
  std::string name;    ///< "layer.experiment"
  std::string line;    ///< What one cell measures, one line.
  std::string source;  ///< Paper section or article.
  std::vector<axis> axes;
  /// The first one decides whether a cell is repeated more often than planned, because its interval is too wide.
  std::vector<metric> metrics;

  /// Why this cell cannot be measured on this machine, in one sentence; nothing if it can. Such a cell appears in the
  /// results with that reason.
  std::function<std::optional<std::string>(const setting&, const coordinates&)> unavailable;
  /// True for points of the product of the axes that mean nothing and are left out altogether.
  std::function<bool(const setting&, const coordinates&)> skip = [](const setting&, const coordinates&) {
    return false;
  };
  /// Seconds that one repetition of this cell takes.
  std::function<double(const setting&, const coordinates&)> seconds;
  /// Processors the cell's threads run on; the mode probe and the noise evidence look at these. Empty: unpinned.
  std::function<std::vector<unsigned>(const setting&, const coordinates&)> processors;
  /// Finds out what all repetitions of the cell have in common and keeps it, if it is not kept yet. Called in the process
  /// of the run, of which each round's is a copy (run_control::apart). Empty: there is no such thing. What it throws,
  /// `measure` throws as well.
  std::function<void(const setting&, const coordinates&)> once = {};
  /// Measures one repetition on fresh threads and fresh memory. `seed` differs between repetitions. What it throws
  /// (no thread, no memory to be had) ends the cell with that sentence as its reason.
  std::function<repetition(const setting&, const coordinates&, std::uint64_t seed)> measure;

  /// Whether `measure` needs a body on demand for this cell (on_demand.hpp). Empty: for none.
  std::function<bool(const coordinates&)> on_demand = {};

  /// Repetitions at a level: 7, 11 and 21 unless the experiment has a reason.
  std::function<unsigned(level)> repetitions;

  /// Empty: the tour does not stop here.
  std::function<tour_stop(const setting&)> tour = {};
  /// Tables, sentences, charts.
  views::presentation view = {};
};

inline bool for_every_cell(const coordinates&) { return true; }

/// Every experiment of the house, in the order of the design.
[[nodiscard]] const std::vector<experiment>& all_experiments();

/// How their cells are shown, in the same order.
[[nodiscard]] const views::presentations& all_presentations();

/// A layer of the design, by the part of its experiments' names before the dot.
struct layer {
  std::string name, title;
};
/// Those whose names are not their titles, in the order of the design.
[[nodiscard]] const std::vector<layer>& all_layers();

}  // namespace synchro::experiments

#endif
