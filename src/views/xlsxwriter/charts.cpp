#include <algorithm>
#include <cmath>
#include <limits>

#include "views/xlsxwriter/workbook.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr std::size_t most_series = 32;   ///< More lines than these nobody tells apart.
constexpr double logarithmic_from = 100;  ///< Largest to smallest value.

/// Columns of the unit that stands first, so that a chart has one axis; cycles where there are any, for these are what
/// the papers' columns are in.
std::vector<std::size_t> charted_columns(const laid_out& t) {
  const auto in_cycles = [](const column& c) { return c.unit == "cycles"; };
  const bool cycles = std::any_of(t.values.begin(), t.values.end(), in_cycles);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < t.values.size() && found.size() < most_series; ++i)
    if (cycles ? in_cycles(t.values[i]) : t.values[i].unit == t.values.front().unit) found.push_back(i);
  return found;
}

bool spreads_widely(const laid_out& t, const std::vector<std::size_t>& columns) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const std::size_t i : columns)
    for (const entry& e : t.values[i].entries)
      if (e.value) {
        low = std::min(low, *e.value);
        high = std::max(high, *e.value);
      }
  return low > 0 && high / low > logarithmic_from;
}

std::string axis_title(const laid_out& t, const column& c) {
  const bool of_rate = c.unit.ends_with("/s");
  const std::string what = of_rate ? "throughput" : c.unit == "cycles" || c.unit.ends_with("s") ? "time" : "value";
  return sheet_text(c.unit.empty() ? t.title : what + ", " + c.unit);
}

std::string name_of_series(const column& c) {
  if (c.group.empty()) return sheet_text(c.name);
  return sheet_text(c.group + " " + c.name);
}

std::string label_of_row(const laid_out& t, std::size_t row) {
  std::string name;
  for (const column& c : t.labels) name += (name.empty() ? "" : " ") + c.entries[row].number;
  return sheet_text(name.empty() ? t.title : name);
}

class drawer {
 public:
  drawer(workbook& book, lxw_worksheet* sheet, const laid_out& t, const placed& where)
      : sheet_{sheet}, t_{t}, where_{where}, columns_{charted_columns(t)} {
    const bool lines = t.kind == drawing::lines_across || t.kind == drawing::lines_down || t.kind == drawing::heat;
    chart_ = book.add_chart(t.kind == drawing::heat ? LXW_CHART_LINE
                            : lines                 ? LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS
                                                    : LXW_CHART_COLUMN);
  }

  lxw_chart* draw() {
    if (t_.kind == drawing::lines_across || t_.kind == drawing::heat)
      rows_as_series();
    else
      columns_as_series();
    finish();
    return chart_;
  }

 private:
  [[nodiscard]] lxw_row_t row(std::size_t i) const { return where_.first_row + static_cast<lxw_row_t>(i); }
  [[nodiscard]] lxw_col_t col(std::size_t i) const { return static_cast<lxw_col_t>(where_.first_column + i); }

  void series(const std::string& name, lxw_row_t category_row, lxw_col_t category_col, lxw_row_t category_last_row,
              lxw_col_t category_last_col, lxw_row_t r0, lxw_col_t c0, lxw_row_t r1, lxw_col_t c1) {
    lxw_chart_series* const s = chart_add_series(chart_, nullptr, nullptr);
    chart_series_set_categories(s, sheet_->name, category_row, category_col, category_last_row, category_last_col);
    chart_series_set_values(s, sheet_->name, r0, c0, r1, c1);
    chart_series_set_name(s, name.c_str());
  }

  void rows_as_series() {
    const std::size_t rows = std::min<std::size_t>(where_.last_row - where_.first_row + 1, most_series);
    for (std::size_t i = 0; i < rows; ++i)
      series(t_.kind == drawing::heat ? "from " + label_of_row(t_, i) : label_of_row(t_, i), where_.name_row,
             where_.first_column, where_.name_row, where_.last_column, row(i), where_.first_column, row(i),
             where_.last_column);
  }

  void columns_as_series() {
    const auto last_label = static_cast<lxw_col_t>(where_.first_column - 1);
    for (const std::size_t i : columns_)
      series(name_of_series(t_.values[i]), where_.first_row, where_.first_label, where_.last_row, last_label,
             where_.first_row, col(i), where_.last_row, col(i));
  }

  void finish() {
    chart_title_set_name(chart_, sheet_text(t_.title).c_str());
    chart_title_set_name_font(chart_, &title_font);
    const std::string value_title = axis_title(t_, t_.values[columns_.front()]);
    chart_axis_set_name(chart_->y_axis, value_title.c_str());
    if (spreads_widely(t_, columns_)) chart_axis_set_log_base(chart_->y_axis, 10);
    std::string along = t_.labels.empty() ? "" : t_.labels.front().name;
    for (std::size_t i = 1; i < t_.labels.size(); ++i) along += ", " + t_.labels[i].name;
    if (t_.kind == drawing::lines_across || t_.kind == drawing::heat) along = t_.values.front().group;
    if (!along.empty()) chart_axis_set_name(chart_->x_axis, sheet_text(along).c_str());
    chart_legend_set_position(chart_, LXW_CHART_LEGEND_BOTTOM);
  }

  inline static lxw_chart_font title_font = {nullptr, 11, LXW_TRUE, LXW_FALSE, 0, 0, 0, 0, 0, 0};

  lxw_worksheet* sheet_;
  const laid_out& t_;
  const placed& where_;
  std::vector<std::size_t> columns_;
  lxw_chart* chart_ = nullptr;
};

bool has_numbers(const laid_out& t) {
  return std::any_of(t.values.begin(), t.values.end(), [](const column& c) {
    return std::any_of(c.entries.begin(), c.entries.end(), [](const entry& e) { return e.value.has_value(); });
  });
}

}  // namespace

void add_chart(workbook& book, lxw_worksheet* sheet, const laid_out& t, const placed& where, lxw_col_t beside) {
  if (t.labels.empty() || !has_numbers(t)) return;
  lxw_chart_options options{};
  const std::size_t bars = t.kind == drawing::bars ? t.labels.front().entries.size() * t.values.size() : 0;
  options.x_scale = std::clamp(static_cast<double>(bars) / 100, 1.6, 6.0);
  options.y_scale = 1.4;
  worksheet_insert_chart_opt(sheet, where.name_row, beside, drawer{book, sheet, t, where}.draw(), &options);
}

}  // namespace synchro::views
