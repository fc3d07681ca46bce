// Terminal tables of a document: what `synchroscope show` prints.

#ifndef SYNCHRO_VIEWS_TABLE_HPP
#define SYNCHRO_VIEWS_TABLE_HPP

#include <initializer_list>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "views/presentation.hpp"

namespace synchro::views {

/// Tables of all experiments in the order of the document, each line ended. Any experiment can be shown: what has
/// declared no tables gets rows and columns that follow from its coordinates. Names from the file cannot harm the terminal.
[[nodiscard]] std::string show(const results::document& d, const presentations& how, const style& s);

/// The same for some cells.
[[nodiscard]] std::string show(const std::vector<results::cell>& all, const presentations& how, const style& s);

/// How tables are laid out that no terminal shows: without colours or a bound, in Unicode.
inline const style off_terminal{false, 0, true};

/// All tables of an experiment.
struct experiment_tables {
  std::string experiment;
  std::vector<laid_out> tables;
};
/// In the order in which the experiments appear.
[[nodiscard]] std::vector<experiment_tables> lay_out(const std::vector<results::cell>& all, const presentations& how,
                                                     const style& s);

// For declarations of tables.
/// Each cell has all of these axes: files come from anywhere.
[[nodiscard]] bool all_have(const cells& of_experiment, std::initializer_list<const char*> axes);
/// Metrics that are read together side by side, a table for each group; the others as generic tables.
[[nodiscard]] table_maker grouped_tables(std::vector<std::vector<std::string>> groups);

}  // namespace synchro::views

#endif
