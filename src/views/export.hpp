// A document handed on to other programs.

#ifndef SYNCHRO_VIEWS_EXPORT_HPP
#define SYNCHRO_VIEWS_EXPORT_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "views/presentation.hpp"

namespace synchro::views {

/// What was written, and what could not be.
struct exported {
  std::string content;
  std::vector<std::string> notes;  ///< Sentences: what was left out, and why.
};

/// Comma-separated values (quoted as RFC 4180 says, lines ended by LF, UTF-8): a line for each cell, headings on top.
/// Text that a spreadsheet would take for a formula begins with an apostrophe.
[[nodiscard]] exported to_csv(const results::document& d);
/// The tables that a terminal would show.
[[nodiscard]] exported to_markdown(const results::document& d, const presentations& how);
/// A workbook: what was measured where, a sheet of tables with a chart for each experiment, and all cells. Throws
/// std::runtime_error if it cannot be made (no room for temporary files, more cells than a sheet has rows).
[[nodiscard]] exported to_xlsx(const results::document& d, const presentations& how);
/// The JSON form of Google Benchmark: a benchmark for each cell that is a time or a rate, an entry for each repetition.
[[nodiscard]] exported to_gbench(const results::document& d);
/// Numbers only, a row for each processor "from", a column for each "to", blank where there is none. Throws
/// std::runtime_error with a sentence if the cells make no matrix, or several.
[[nodiscard]] exported to_matrix(const results::document& d);

}  // namespace synchro::views

#endif
