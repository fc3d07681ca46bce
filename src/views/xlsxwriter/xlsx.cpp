#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "results/file.hpp"
#include "results/held_signals.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "views/export.hpp"
#include "views/exports/tidy.hpp"
#include "views/table.hpp"
#include "views/xlsxwriter/workbook.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr lxw_row_t rows_of_a_chart = 22;

lxw_row_t as_row(std::size_t i) {
  if (i >= LXW_ROW_MAX) throw std::runtime_error("a sheet has 1,048,576 rows, and there are more cells: export as csv");
  return static_cast<lxw_row_t>(i);
}

lxw_col_t as_column(std::size_t i) {
  if (i >= LXW_COL_MAX)
    throw std::runtime_error("a sheet has 16,384 columns, and a table here has more: export as csv");
  return static_cast<lxw_col_t>(i);
}

void write(lxw_worksheet* sheet, std::size_t row, std::size_t col, const std::string& text, lxw_format* format) {
  if (!text.empty()) worksheet_write_string(sheet, as_row(row), as_column(col), sheet_text(text).c_str(), format);
}

void write(lxw_worksheet* sheet, std::size_t row, std::size_t col, double number, lxw_format* format) {
  if (std::isfinite(number)) worksheet_write_number(sheet, as_row(row), as_column(col), number, format);
}

/// A label that is a number is one in the sheet, too, so that it can lie along an axis.
void write_label(const workbook& book, lxw_worksheet* sheet, std::size_t row, std::size_t col, const std::string& text,
                 look l) {
  const bool digits_only =
      !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits_only)
    write(sheet, row, col, std::stod(text), book.format(l));
  else
    write(sheet, row, col, text, book.format(l));
}

look look_of(const entry& e) {
  return e.color == tone::warn  ? look::noisy
         : e.color == tone::bad ? look::bad
         : e.color == tone::dim ? look::dim
                                : look::number;
}

void write_entry(const workbook& book, lxw_worksheet* sheet, std::size_t row, std::size_t col, const entry& e) {
  if (e.value)
    write(sheet, row, col, *e.value, book.format(look_of(e)));
  else
    write(sheet, row, col, e.number, book.format(look_of(e)));
}

/// One table on a sheet: labels, values, and to their right how sure each is and what is remarked of it.
class table_writer {
 public:
  table_writer(workbook& book, lxw_worksheet* sheet, const laid_out& t, std::size_t row)
      : book_{book}, sheet_{sheet}, t_{t}, row_{row} {
    for (const auto* columns : {&t.labels, &t.values})
      for (const column& c : *columns) rows_ = std::max(rows_, c.entries.size());
  }

  /// The row behind the table and its chart.
  std::size_t write_all() {
    write(sheet_, row_++, 0, t_.title, book_.format(look::title));
    write(sheet_, row_++, 0, t_.caption, book_.format(look::plain));
    const std::size_t group_row = row_, name_row = row_ + 1, first_row = row_ + 2;
    std::size_t col = 0;
    for (const column& c : t_.labels) write_labels(c, name_row, col++);
    const std::size_t first_value = col;
    for (const column& c : t_.values)
      write_column(c, group_row, col++, [this](auto... a) { write_entry(book_, sheet_, a...); });
    const std::size_t last_value = col - 1;
    col = write_side(
        group_row, col + 1, "\u00b1 %, ", [](const entry& e) { return e.percent.has_value(); },
        [this](std::size_t r, std::size_t c, const entry& e) {
          if (e.percent) write(sheet_, r, c, *e.percent, book_.format(look::dim));
        });
    col = write_side(
        group_row, col, "remark, ", [](const entry& e) { return !e.mark.empty(); },
        [this](std::size_t r, std::size_t c, const entry& e) { write(sheet_, r, c, e.mark, book_.format(look::dim)); });
    const placed where{
        as_row(name_row),       as_row(first_row),    as_row(first_row + std::max<std::size_t>(rows_, 1) - 1), 0,
        as_column(first_value), as_column(last_value)};
    if (t_.kind == drawing::heat) colour(where);
    if (!t_.values.empty()) add_chart(book_, sheet_, t_, where, as_column(col + 1));
    std::size_t behind = std::max(first_row + rows_, name_row + rows_of_a_chart);  // Long notes would run under it.
    for (const std::string& note : t_.notes) write(sheet_, behind++, 0, note, book_.format(look::dim));
    return behind + 2;
  }

 private:
  void write_labels(const column& c, std::size_t name_row, std::size_t col) {
    write(sheet_, name_row, col, c.name, book_.format(look::heading));
    for (std::size_t i = 0; i < c.entries.size(); ++i)
      write_label(book_, sheet_, name_row + 1 + i, col, c.entries[i].number, look::plain);
  }

  template <class WriteEntry>
  void write_column(const column& c, std::size_t group_row, std::size_t col, WriteEntry write_one) {
    write(sheet_, group_row, col, c.group, book_.format(look::plain));
    write_label(book_, sheet_, group_row + 1, col, c.name, look::heading);
    for (std::size_t i = 0; i < c.entries.size(); ++i) write_one(group_row + 2 + i, col, c.entries[i]);
  }

  /// Columns beside the values, one for each that has something of this kind. The next free column.
  template <class Has, class WriteEntry>
  std::size_t write_side(std::size_t group_row, std::size_t col, const std::string& what, Has has,
                         WriteEntry write_one) {
    bool any = false;
    for (const column& c : t_.values) {
      if (std::none_of(c.entries.begin(), c.entries.end(), has)) continue;
      column side = c;
      side.group = what + joined(c.group, " ", c.name);
      side.name = c.name;
      write_column(side, group_row, col++, write_one);
      any = true;
    }
    return any ? col + 1 : col;
  }

  void colour(const placed& where) {
    lxw_conditional_format scale{};
    scale.type = LXW_CONDITIONAL_3_COLOR_SCALE;
    scale.min_color = 0x2C7BB6;
    scale.mid_color = 0xFFFFBF;
    scale.max_color = 0xD7191C;
    worksheet_conditional_format_range(sheet_, where.first_row, where.first_column, where.last_row, where.last_column,
                                       &scale);
  }

  workbook& book_;
  lxw_worksheet* sheet_;
  const laid_out& t_;
  std::size_t row_;
  std::size_t rows_ = 0;
};

void add_facts(workbook& book, lxw_worksheet* sheet, std::size_t& row, const char* name, const json& facts) {
  write(sheet, row++, 0, name, book.format(look::heading));
  for (const auto& [fact, value] : facts.items()) {
    if (value.is_object() || value.is_array()) continue;
    write(sheet, row, 0, fact, book.format(look::plain));
    if (value.is_number())
      write(sheet, row, 1, value.get<double>(), nullptr);
    else
      write(sheet, row, 1,
            value.is_null()     ? "unknown"
            : value.is_string() ? value.get<std::string>()
                                : dump(value),
            book.format(look::plain));
    ++row;
  }
  ++row;
}

void add_run(workbook& book, const document& d) {
  lxw_worksheet* const sheet = book.add_sheet("run");
  worksheet_set_column(sheet, 0, 0, 26, nullptr);
  worksheet_set_column(sheet, 1, 1, 60, nullptr);
  std::size_t row = 0;
  write(sheet, row++, 0, d.label.value_or("Synchroscope"), book.format(look::title));
  if (!d.complete)
    write(sheet, row++, 0, "The run was stopped early: cells are missing or have fewer repetitions.", nullptr);
  for (const warning& w : d.warnings) write(sheet, row++, 0, "Warning: " + w.advice, book.format(look::noisy));
  ++row;
  add_facts(book, sheet, row, "machine", d.machine);
  add_facts(book, sheet, row, "os", d.os);
  add_facts(book, sheet, row, "clock", d.clock);
  add_facts(book, sheet, row, "tool", d.tool);
  add_facts(book, sheet, row, "invocation", d.invocation);
}

void add_cells(workbook& book, const document& d) {
  const tidy_table table{d};
  lxw_worksheet* const sheet = book.add_sheet("cells");
  std::size_t row = 0;
  for (std::size_t col = 0; col < table.headings().size(); ++col)
    write(sheet, row, col, table.headings()[col], book.format(look::heading));
  for (const cell& c : d.cells) {
    ++row;
    std::size_t col = 0;
    for (const tidy_value& v : table.row(c)) {
      if (const auto* text = std::get_if<std::string>(&v)) write(sheet, row, col, *text, nullptr);
      if (const auto* number = std::get_if<double>(&v)) write(sheet, row, col, *number, nullptr);
      if (const auto* whole = std::get_if<std::int64_t>(&v))
        write(sheet, row, col, static_cast<double>(*whole), nullptr);
      ++col;
    }
  }
  worksheet_freeze_panes(sheet, 1, 0);
  worksheet_autofilter(sheet, 0, 0, as_row(row), as_column(table.headings().size() - 1));
}

}  // namespace

exported to_xlsx(const document& d, const presentations& how) {
  const held_signals held;
  const temporary_folder folder;
  const std::string path = folder.file("book.xlsx");
  workbook book{path};
  add_run(book, d);
  for (const experiment_tables& e : lay_out(d.cells, how, off_terminal)) {
    lxw_worksheet* const sheet = book.add_sheet(e.experiment);
    worksheet_set_column(sheet, 0, 0, 20, nullptr);
    worksheet_set_landscape(sheet);
    worksheet_fit_to_pages(sheet, 1, 0);
    std::size_t row = 0;
    for (const laid_out& t : e.tables) row = table_writer{book, sheet, t, row}.write_all();
  }
  add_cells(book, d);
  book.close();
  return {read_file(path), {}};
}

}  // namespace synchro::views
