// What is common to axes, and what most experiments share: the axes `threads` and `placement`, and the processors that
// follow from them.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_AXES_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_AXES_HPP

#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "measure/laboratory.hpp"

namespace synchro::experiments {

/// The experiment's axis of this name; nullptr if it has none.
[[nodiscard]] const axis* find_axis(const experiment& e, const std::string& name);
/// The experiment's own values on an axis, those of the quick level first, then what other levels add.
[[nodiscard]] std::vector<coordinate> known_values(const axis& a, setting s);
/// Adds a value that is not there yet.
void add_new(std::vector<coordinate>& values, const coordinate& value);

/// Numbers of threads. Quick: 1, 2 and the processors; standard: 1, 2, 4, 8, ..., the processors and twice as many;
/// full: every number up to 8, quarters of powers of two beyond, the processors, two and eight times as many.
[[nodiscard]] std::vector<coordinate> thread_counts(const setting& s);
[[nodiscard]] axis threads_axis();

/// The axis, which takes from a user the whole numbers from `least` to `most`.
[[nodiscard]] axis bounded(axis a, std::int64_t least, std::int64_t most);

/// Quick: compact; standard: and spread; full: and unpinned.
[[nodiscard]] axis placement_axis();

/// An axis of words with the same values at every level.
[[nodiscard]] axis word_axis(std::string name, std::string line, std::vector<std::string> words);

/// The processor of each thread of the cell, by its `threads` (1 if it has none) and `placement` (compact if it has
/// none). Empty: unpinned.
[[nodiscard]] std::vector<unsigned> team_of(const setting& s, const coordinates& at);
/// The same without repetitions: for experiment::processors.
[[nodiscard]] std::vector<unsigned> processors_of(const setting& s, const coordinates& at);
/// True for a `spread` cell whose team stands on the same processors as the `compact` one, unless the user asked for
/// that placement: for experiment::skip.
[[nodiscard]] bool same_as_compact(const setting& s, const coordinates& at);
[[nodiscard]] bool more_threads_than_processors(const setting& s, const coordinates& at);

/// Adds what a team's threads saw to the repetition they were part of.
void add_to(repetition& r, const measure::team_report& team);

}  // namespace synchro::experiments

#endif
