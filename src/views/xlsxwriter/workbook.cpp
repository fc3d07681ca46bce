#include "views/xlsxwriter/workbook.hpp"

#include <algorithm>
#include <stdexcept>

#include "results/text.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr std::size_t longest_sheet_name = LXW_SHEETNAME_MAX;
constexpr std::size_t longest_text = 32000;  // Excel's limit is 32,767.

void check(lxw_error e) {
  if (e != LXW_NO_ERROR) throw std::runtime_error(std::string{"the workbook cannot be made: "} + lxw_strerror(e));
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

std::string sheet_text(const std::string& text) { return printable(text, longest_text); }

workbook::workbook(const std::string& path) : book_{workbook_new(path.c_str())} {
  if (book_ == nullptr) throw std::runtime_error("the workbook cannot be made: there is not enough memory");
  for (int i = 0; i <= static_cast<int>(look::dim); ++i) formats_.push_back(workbook_add_format(book_));
  const char* const three_digits = "[<0.9995]0.000;[<99.95]0.00;#,##0";
  for (const look l : {look::number, look::noisy, look::bad, look::dim}) format_set_num_format(format(l), three_digits);
  format_set_bold(format(look::title));
  format_set_font_size(format(look::title), 13);
  format_set_bold(format(look::heading));
  format_set_bottom(format(look::heading), LXW_BORDER_THIN);
  format_set_font_color(format(look::noisy), 0x9C5700);
  format_set_font_color(format(look::bad), 0xC00000);
  format_set_font_color(format(look::dim), 0x595959);
}

workbook::~workbook() {
  if (book_ != nullptr) lxw_workbook_free(book_);
}

std::string workbook::fitting_name(const std::string& name) const {
  std::string clean = printable_ascii(name, longest_sheet_name);
  for (char& c : clean)
    if (std::string_view{"[]:*?/\\'"}.find(c) != std::string_view::npos) c = '_';
  if (clean.empty()) clean = "_";
  if (lower(clean) == "history") clean += "_";  // Excel keeps this name to itself.
  std::string candidate = clean;
  for (unsigned i = 2; std::find(names_.begin(), names_.end(), lower(candidate)) != names_.end(); ++i) {
    const std::string number = "_" + std::to_string(i);
    candidate = clean.substr(0, longest_sheet_name - number.size()) + number;
  }
  return candidate;
}

lxw_worksheet* workbook::add_sheet(const std::string& name) {
  const std::string fitting = fitting_name(name);
  names_.push_back(lower(fitting));
  lxw_worksheet* const sheet = workbook_add_worksheet(book_, fitting.c_str());
  if (sheet == nullptr) throw std::runtime_error("the workbook cannot be made: no sheet " + fitting);
  return sheet;
}

lxw_chart* workbook::add_chart(lxw_chart_type type) {
  lxw_chart* const chart = workbook_add_chart(book_, static_cast<std::uint8_t>(type));
  if (chart == nullptr) throw std::runtime_error("the workbook cannot be made: no chart");
  return chart;
}

void workbook::close() {
  lxw_workbook* const book = book_;
  book_ = nullptr;  // Freed by closing, also if that fails.
  check(workbook_close(book));
}

}  // namespace synchro::views
