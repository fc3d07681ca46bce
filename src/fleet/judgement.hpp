// Which hosts of a fleet differ from those that are alike, and in what.
//
// Hosts with the same model of processor and as many processors are alike. Each is held against them in everything it has
// measured: as a whole, in each experiment, in each cell, in how much its own repetitions scatter, and in what has changed since its
// first file. What is called is bounded over all of these comparisons together:
//
//   * A host's p-value is the least of its comparisons' p-values times how many there are (Bonferroni), half of the level for the few
//     broad ones and half for the cells. That holds however cells depend on each other, and those of one host do.
//   * Over the hosts Benjamini and Hochberg's rule decides who is called: where nobody is ill, the chance that anybody is called is at
//     most the rate; otherwise, of those called a share of at most the rate is called wrongly, on average.
//   * Of a host that is called, what it differs in is told by Bonferroni at the rate times the share of hosts that are called, which
//     keeps that bound for what is told, too (Benjamini and Bogomolov 2014).

#ifndef SYNCHRO_FLEET_JUDGEMENT_HPP
#define SYNCHRO_FLEET_JUDGEMENT_HPP

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fleet/gathered.hpp"
#include "fleet/outliers.hpp"

namespace synchro::fleet {

struct rules {
  double rate = 0.05;     ///< The rate of false alarms, over all comparisons.
  double allowed = 0.05;  ///< Hosts may differ by this without being ill: 0.05 is 5 %.
};

enum class subject : std::uint8_t {
  everything,  ///< The median of a host's experiments.
  experiment,  ///< The median of its cells of an experiment, those counting more in which hosts differ less.
  scatter,     ///< The median of what half the width of a cell's interval is, in parts of the value.
  change,      ///< The median of its cells, in its newest file beside its oldest.
  cell
};
[[nodiscard]] std::string to_string(subject s);

/// One thing in which hosts are compared. Values are logarithms, and larger is worse; where neither is better, larger is higher.
struct column {
  subject of = subject::cell;
  std::string experiment = {};  ///< Empty: of all.
  std::uint32_t place = 0;      ///< A cell's.
  /// Its values are medians of so many that their tails are not those of their parts.
  bool of_many = false;
  std::vector<std::pair<std::size_t, double>> values = {};  ///< Each with a host's place among the group's.
  peers likes = {};
};

/// One comparison that came out so far from the others that it is told.
struct deviation {
  subject of;
  std::string experiment;
  std::uint32_t place;
  double by;     ///< From the middle of its like, as a logarithm; above 0: worse.
  double value;  ///< As a logarithm, as in the column,
  double middle;
  double p;
  std::size_t peers;
};

struct unlike_fact {
  std::string name, value;
  std::string usual;       ///< What more than half of the group have;
  std::size_t have_usual;  ///< how many have it, and how many what this host has.
  std::size_t have_this;
  bool rare;  ///< At most a fifth of the group has what this host has: it may be a cause.
};

struct host_verdict {
  std::size_t host;  ///< Its place in gathered::hosts.
  double p = 1;
  bool called = false;
  std::size_t comparisons = 0;
  std::size_t farther =
      0;  ///< Cells that were left out, for its processors were at another distance than those of most others.
  std::vector<deviation> deviations;  ///< A called host's; the largest of each kind first.
  std::vector<unlike_fact> facts;
  double severity = 0;  ///< The largest distance that is told.
};

struct group {
  std::string model;
  std::size_t processors = 0;
  bool judged = false;  ///< There are enough of them.
  std::vector<host_verdict> hosts;
  std::vector<column> columns;  ///< Columns of experiments and of everything, which a page draws.
  std::size_t cells = 0;        ///< How many cells were compared.
};

struct judgement {
  rules by;
  std::size_t comparisons = 0, judged = 0;                  ///< Over how many comparisons and hosts the rate is kept.
  std::vector<group> groups;                                ///< The largest first.
  std::vector<std::pair<std::size_t, std::size_t>> called;  ///< Group and place in it; the most severe first.
};

/// For a host with several files, by how much its newest is worse than its oldest, as a logarithm: the median of an experiment's cells.
[[nodiscard]] std::map<std::string, double> changes_since_the_first(const gathered& all, const host& h);

[[nodiscard]] judgement judge(const gathered& all, const rules& by);

}  // namespace synchro::fleet

#endif
