// A spreadsheet file, written through libxlsxwriter: what this house needs of it, with exceptions in place of codes.

#ifndef SYNCHRO_VIEWS_EXPORTS_WORKBOOK_HPP
#define SYNCHRO_VIEWS_EXPORTS_WORKBOOK_HPP

#include <xlsxwriter.h>

#include <cstdint>
#include <string>
#include <vector>

#include "views/pivot.hpp"

namespace synchro::views {

/// How a cell of a sheet looks.
enum class look : std::uint8_t { plain, title, heading, number, noisy, bad, dim };

class workbook {
 public:
  /// Throws std::runtime_error.
  explicit workbook(const std::string& path);
  ~workbook();
  workbook(const workbook&) = delete;
  workbook& operator=(const workbook&) = delete;

  /// A sheet by a name that is made to suit: at most 31 characters, none of []:*?/\, not used before.
  lxw_worksheet* add_sheet(const std::string& name);
  [[nodiscard]] lxw_chart* add_chart(lxw_chart_type type);
  [[nodiscard]] lxw_format* format(look l) const { return formats_[static_cast<std::size_t>(l)]; }

  /// Writes the file; nothing may be added any more. Throws std::runtime_error.
  void close();

 private:
  [[nodiscard]] std::string fitting_name(const std::string& name) const;

  lxw_workbook* book_;
  std::vector<lxw_format*> formats_;
  std::vector<std::string> names_;  ///< The sheets' names, in lower case: Excel does not tell them apart by case.
};

/// Text that every reader of workbooks can show.
[[nodiscard]] std::string sheet_text(const std::string& text);

/// Where a table has been put: the rectangle of its values, and what names rows and columns.
struct placed {
  lxw_row_t name_row, first_row, last_row;
  lxw_col_t first_label, first_column, last_column;
};
/// A chart of a table that has been put into this sheet, beside it; nothing where there is nothing to draw.
void add_chart(workbook& book, lxw_worksheet* sheet, const laid_out& t, const placed& where, lxw_col_t beside);

}  // namespace synchro::views

#endif
