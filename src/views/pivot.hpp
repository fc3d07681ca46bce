// From cells to tables: which coordinates become rows, which become columns, and what is said beside the numbers.

#ifndef SYNCHRO_VIEWS_PIVOT_HPP
#define SYNCHRO_VIEWS_PIVOT_HPP

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/cell.hpp"
#include "results/units.hpp"
#include "views/grid.hpp"

namespace synchro::views {

using results::better;
using results::cell;
using results::coordinate;
using results::flag;
using results::scale;

using cells = std::vector<const cell*>;

struct axis_values {
  std::string name;
  std::vector<coordinate> values;  ///< Numbers rising, then words in the order of their appearance.
};

/// The axes on which these cells lie, in order of appearance. A cell without the coordinate has the word "" there.
/// "event", the name that ccbench gives a combination of other coordinates, is left out unless it tells cells apart.
[[nodiscard]] std::vector<axis_values> axes_of(const cells& all);

/// The coordinate, or the word "". A cell that was measured in the near mode does not say so: "near".
[[nodiscard]] coordinate at_or_blank(const cell& c, const std::string& axis);
/// The same of several axes: what tells a row of a table from the others.
using row_key = std::vector<coordinate>;
[[nodiscard]] row_key row_of(const cell& c, const std::vector<std::string>& axes);
/// The cells that have this value there.
[[nodiscard]] cells where(const cells& all, const std::string& axis, const coordinate& value);

/// How a table is best drawn where there are charts.
enum class drawing : std::uint8_t {
  bars,          ///< Rows are categories, columns of one unit are series.
  lines_down,    ///< Rows are numbers along the axis, columns are series.
  lines_across,  ///< Columns are numbers along the axis, rows are series.
  heat,          ///< A matrix.
};

/// A table and what is said around it, for whatever draws it: a terminal, a document, a spreadsheet.
struct laid_out {
  std::string title, caption;
  std::vector<column> labels, values;
  std::vector<std::string> notes;  ///< Sentences below it; footnotes begin with their letter: "(a) ...".
  drawing kind = drawing::bars;
  std::vector<std::string> instead = {};  ///< Sentences that a terminal shows in place of a table too large for it.
};

/// The table as text.
[[nodiscard]] std::string render(const laid_out& t, const style& s);
/// Sentences, each in lines of its own.
[[nodiscard]] std::string lines_of(const std::vector<std::string>& notes, const style& s);

/// What a table says beside its numbers: marks, and reasons as footnotes.
class remarks {
 public:
  explicit remarks(const style& s) : style_{s} {}

  /// The place in a table for the cells that stand there: none, one or, with a footnote, several.
  [[nodiscard]] entry entry_for(const cells& there, const scale& shown_in, bool with_error = true);
  /// "(a)" for a sentence; the same sentence has the same letter.
  [[nodiscard]] std::string footnote(const std::string& sentence);
  /// The footnotes and what the marks mean, a sentence each.
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  std::string mark_of(const cell& c);

  style style_;
  std::vector<std::string> footnotes_;
  std::set<flag> flags_;
  bool errors_ = false, without_interval_ = false;
};

/// Text of a document on this terminal.
[[nodiscard]] std::string shown(const std::string& text, const style& s, std::size_t columns = 40);
/// "locks 1, placement compact": the coordinates that are the same in all cells.
[[nodiscard]] std::string common_coordinates(const std::vector<axis_values>& axes, const style& s);
/// ", lower is better"; empty if neither is.
[[nodiscard]] std::string direction_words(better b);
/// The scale that suits all these cells.
[[nodiscard]] scale scale_of(const cells& all, const style& s);

/// Title and caption above a table.
[[nodiscard]] std::string heading(const std::string& title, const std::string& caption, const style& s);

/// Columns of labels for rows, one for each axis; a label that repeats the one above it is left out.
[[nodiscard]] std::vector<column> label_columns(const std::vector<std::string>& names,
                                                const std::vector<std::vector<coordinate>>& rows, const style& s);

/// Tables of any experiment: the most telling axis as columns, the others as rows; with one axis, metrics as columns.
[[nodiscard]] std::vector<laid_out> generic_tables(const cells& of_experiment, const style& s);
/// Some metrics side by side, a row for each place; no columns if there are none of them.
[[nodiscard]] laid_out side_by_side(const cells& of_experiment, const std::vector<std::string>& metrics,
                                    const style& s);
/// Rows "from", columns "to", one matrix for each combination of the other coordinates.
[[nodiscard]] std::vector<laid_out> matrices(const cells& of_experiment, const style& s);
/// SSYNC's Tables 2 and 3 with this machine's columns in front.
[[nodiscard]] laid_out states_table(const cells& of_experiment, const style& s);
[[nodiscard]] laid_out local_table(const cells& of_experiment, const style& s);
/// The overhead paper's Table 1 with this machine's columns in front.
[[nodiscard]] laid_out calls_table(const cells& of_experiment, const style& s);

}  // namespace synchro::views

#endif
