#include "views/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/text.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr std::size_t gap = 2;

std::string spaces(std::size_t n) { return std::string(n, ' '); }

struct widths {
  std::size_t number = 0, rest = 0, all = 0;
};

/// What follows the number.
std::string rest_of(const entry& e) {
  if (e.error.empty()) return e.mark.starts_with('(') ? " " + e.mark : e.mark;
  return " " + e.error + e.mark;
}

widths widths_of(const column& c) {
  widths w;
  for (const entry& e : c.entries) {
    w.number = std::max(w.number, width_of(e.number));
    w.rest = std::max(w.rest, width_of(rest_of(e)));
  }
  w.all = std::max(w.number + w.rest, width_of(c.name));
  return w;
}

struct fitted {
  const column* content;
  widths width;
  bool label;
};

std::string fill(const std::string& text, std::size_t width, bool left) {
  const std::size_t missing = width - std::min(width, width_of(text));
  return left ? text + spaces(missing) : spaces(missing) + text;
}

/// From cool to hot: colours of the 256-colour palette, and whether black or white is read on them.
std::string heated(const std::string& text, double heat) {
  static constexpr std::array<int, 10> ramp = {17, 18, 24, 30, 29, 35, 71, 107, 143, 185};
  const double bounded = std::clamp(heat, 0.0, 1.0);
  const auto step = std::min(static_cast<std::size_t>(bounded * ramp.size()), ramp.size() - 1);
  const char* ink = step >= 5 ? "16" : "231";
  return fmt::format("\033[38;5;{};48;5;{}m{}\033[0m", ink, ramp[step], text);
}

std::string body_of(const entry& e, const fitted& f, const style& s) {
  if (f.label) return painted(fill(e.number, f.width.all, true), e.color, s);
  const std::string number = fill(e.number, f.width.number, false);
  const std::string text = fill(number + fill(rest_of(e), f.width.rest, true), f.width.all, false);
  return s.color && e.heat ? heated(text, *e.heat) : painted(text, e.color, s);
}

/// Headings over groups of neighbouring columns; empty if no column has one.
std::string group_line(const std::vector<fitted>& columns) {
  std::string line;
  std::size_t begin = 0;
  const std::string* before = nullptr;
  for (const fitted& f : columns) {
    const std::string& group = f.content->group;
    if (!group.empty() && (before == nullptr || *before != group)) line = fill(line, begin, true) + group;
    before = &group;
    begin += f.width.all + gap;
  }
  return line;
}

/// A group's heading needs room: its last column becomes as wide as it takes.
void make_room_for_groups(std::vector<fitted>& columns) {
  for (std::size_t i = 0; i < columns.size();) {
    const std::string& group = columns[i].content->group;
    std::size_t width = 0;
    std::size_t end = i;
    for (; end < columns.size() && columns[end].content->group == group; ++end) width += columns[end].width.all + gap;
    const std::size_t needed = width_of(group) + gap;
    if (needed > width) columns[end - 1].width.all += needed - width;
    i = end;
  }
}

std::size_t total_width(std::vector<fitted> columns) {
  make_room_for_groups(columns);
  std::size_t width = 0;
  for (const fitted& f : columns) width += f.width.all + gap;
  return width - gap;
}

void add_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

/// Group headings, names and a rule, behind a margin.
std::string head_of(const std::vector<fitted>& columns, std::size_t margin, const style& s) {
  std::string out;
  const auto add = [&](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) out += painted(spaces(margin) + line, tone::heading, s) + "\n";
  };
  add(group_line(columns));
  std::string names;
  std::size_t width = margin;
  for (const fitted& f : columns) {
    names += fill(f.content->name, f.width.all, f.label) + spaces(gap);
    width += f.width.all + gap;
  }
  add(names);
  if (margin > 0) width = std::min(width, s.width + gap);
  std::string rule;
  for (std::size_t i = gap; i < width; ++i) rule += s.utf8 ? "\u2500" : "-";
  add_line(out, painted(rule, tone::dim, s));
  return out;
}

std::size_t height_of(const std::vector<fitted>& columns) {
  std::size_t rows = 0;
  for (const fitted& f : columns) rows = std::max(rows, f.content->entries.size());
  return rows;
}

std::string drawn_row(const std::vector<fitted>& columns, std::size_t row, const style& s) {
  std::string line;
  for (const fitted& f : columns)
    line += body_of(row < f.content->entries.size() ? f.content->entries[row] : entry{}, f, s) + spaces(gap);
  return line;
}

std::string strip(std::vector<fitted> columns, const style& s) {
  make_room_for_groups(columns);
  std::string out = head_of(columns, 0, s);
  for (std::size_t row = 0; row < height_of(columns); ++row) add_line(out, drawn_row(columns, row, s));
  return out;
}

/// Words of all labels in a line of their own, which is longer only than a terminal narrower than one of them.
std::string label_line(const std::vector<column>& labels, const style& s, const auto& word_of) {
  std::string text;
  for (const column& c : labels) text = joined(text, ", ", word_of(c));
  return text.empty() ? "" : wrapped(text, s.width, gap);
}

/// A text of one column that is wider than the terminal, in several lines.
std::string cut(const entry& e, const style& s) {
  std::string out;
  for (const std::string& line : split(wrapped(e.number + rest_of(e), s.width - gap), '\n'))
    if (!line.empty()) add_line(out, spaces(gap) + painted(line, e.color, s));
  return out;
}

/// The values below the labels, where these leave no room beside them.
std::string strip_below(const std::vector<column>& labels, std::vector<fitted> columns, const style& s) {
  make_room_for_groups(columns);
  const bool too_wide = total_width(columns) + gap > s.width;
  std::string out = label_line(labels, s, [](const column& c) { return c.name; });
  if (!out.empty()) out = painted(out.substr(0, out.size() - 1), tone::heading, s) + "\n";
  out += head_of(columns, gap, s);
  for (std::size_t row = 0; row < height_of(columns); ++row) {
    out += label_line(labels, s, [&](const column& c) { return row < c.entries.size() ? c.entries[row].number : ""; });
    if (too_wide)
      out += cut(columns.front().content->entries[row], s);
    else
      add_line(out, spaces(gap) + drawn_row(columns, row, s));
  }
  return out;
}

}  // namespace

std::string painted(const std::string& text, tone t, const style& s) {
  static constexpr std::array<const char*, 5> codes = {"", "1", "2", "33", "1;31"};
  const std::string code = codes.at(static_cast<std::size_t>(t));
  const bool blank = text.find_first_not_of(' ') == std::string::npos;
  if (!s.color || code.empty() || blank) return text;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

std::string render(const std::vector<column>& labels, const std::vector<column>& values, const style& s) {
  std::vector<fitted> left;
  for (const column& c : labels) left.push_back({&c, widths_of(c), true});
  if (values.empty()) return strip(left, s);
  const auto fits = [&](const std::vector<fitted>& columns, std::size_t margin) {
    return s.width == 0 || total_width(columns) + margin <= s.width;
  };
  std::string out;
  for (std::size_t i = 0; i < values.size();) {
    std::vector<fitted> columns = left;
    columns.push_back({&values[i], widths_of(values[i]), false});
    const bool beside = left.empty() || fits(columns, 0);
    if (!beside) columns.erase(columns.begin(), columns.end() - 1);
    for (++i; i < values.size(); ++i) {
      columns.push_back({&values[i], widths_of(values[i]), false});
      if (fits(columns, beside ? 0 : gap)) continue;
      columns.pop_back();
      break;
    }
    out = joined(out, "\n", beside ? strip(std::move(columns), s) : strip_below(labels, std::move(columns), s));
  }
  return out;
}

}  // namespace synchro::views
