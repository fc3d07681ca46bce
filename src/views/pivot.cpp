#include "views/pivot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "results/text.hpp"
#include "views/values.hpp"

namespace synchro::views {

using namespace results;

namespace {

bool is_word(const coordinate& c) { return std::holds_alternative<std::string>(c); }

/// Whether two cells of one metric differ in nothing but this axis.
bool varies(const cells& all, const std::string& axis) {
  std::set<std::string> seen;
  for (const cell* c : all) {
    coordinates rest;
    rest.set("metric of the cell", c->metric);
    for (const auto& [name, value] : c->at.entries())
      if (name != axis) rest.set(name, value);
    if (!seen.insert(rest.to_string()).second) return true;
  }
  return false;
}

}  // namespace

coordinate at_or_blank(const cell& c, const std::string& axis) {
  if (const coordinate* found = c.at.find(axis)) return *found;
  return axis == "mode" ? "near" : "";
}

row_key row_of(const cell& c, const std::vector<std::string>& axes) {
  row_key row;
  for (const std::string& axis : axes) row.push_back(at_or_blank(c, axis));
  return row;
}

std::vector<axis_values> axes_of(const cells& all) {
  std::vector<axis_values> axes;
  std::set<std::string> known;
  for (const cell* c : all)
    for (const auto& [name, value] : c->at.entries())
      if (known.insert(name).second) axes.push_back({name, {}});
  const auto event = std::find_if(axes.begin(), axes.end(), [](const axis_values& a) { return a.name == "event"; });
  if (event != axes.end() && !varies(all, "event")) axes.erase(event);
  for (axis_values& axis : axes) {
    std::set<coordinate> seen;
    for (const cell* c : all)
      if (const coordinate v = at_or_blank(*c, axis.name); seen.insert(v).second) axis.values.push_back(v);
    std::stable_sort(axis.values.begin(), axis.values.end(), [](const coordinate& a, const coordinate& b) {
      return is_word(a) != is_word(b) ? is_word(b) : !is_word(a) && a < b;
    });
  }
  return axes;
}

cells where(const cells& all, const std::string& axis, const coordinate& value) {
  cells found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](const cell* c) { return at_or_blank(*c, axis) == value; });
  return found;
}

std::string shown(const std::string& text, const style& s, std::size_t columns) {
  return s.utf8 ? printable(text, columns) : printable_ascii(text, columns);
}

std::string value_words(const std::string& axis, const coordinate& value, const style& s, std::size_t columns) {
  const auto* const number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || *number <= 0 || (axis != "idle" && axis != "work"))
    return shown(to_string(value), s, columns);
  const std::array<const char*, 4> units{"ns", s.utf8 ? "\u00b5s" : "us", "ms", "s"};
  std::int64_t count = *number;
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && count % 1000 == 0; ++unit) count /= 1000;
  return fmt::format("{} {}", count, units[unit]);
}

std::string common_coordinates(const std::vector<axis_values>& axes, const style& s) {
  std::string out;
  for (const axis_values& axis : axes)
    if (axis.values.size() == 1)
      out = joined(out, ", ", shown(axis.name, s) + " " + value_words(axis.name, axis.values.front(), s));
  return out;
}

std::string direction_words(better b) {
  return b == better::higher ? ", higher is better" : b == better::lower ? ", lower is better" : "";
}

scale scale_of(const cells& all, const style& s) {
  std::vector<double> values;
  for (const cell* c : all)
    if (c->value) values.push_back(*c->value);
  return scale_for(all.empty() ? "1" : shown(all.front()->unit, s, 12), values, s.utf8);
}

std::string remarks::footnote(const std::string& sentence) {
  auto found = std::find(footnotes_.begin(), footnotes_.end(), sentence);
  if (found == footnotes_.end()) found = footnotes_.insert(footnotes_.end(), sentence);
  auto number = static_cast<unsigned>(found - footnotes_.begin());
  std::string letters;
  for (++number; number > 0; number = (number - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('a' + (number - 1) % 26));
  return "(" + letters + ")";
}

namespace {

struct flag_mark {
  flag of;
  const char* mark;
  const char* legend;
};
constexpr std::array<flag_mark, 4> marks{
    {{flag::noisy, "~", "~ noisy: 5 % or more"},
     {flag::unreliable, "!", "! unreliable: 10 % or more, or no interval"},
     {flag::clock_limited, "<", "< shorter than the clock can resolve"},
     {flag::emulated, "#", "# an emulator's figure, which says nothing about any processor"}}};

}  // namespace

std::string remarks::mark_of(const cell& c) {
  std::string mark;
  if (c.value && c.quality != flag::ok) {
    flags_.insert(c.quality);
    mark = std::find_if(marks.begin(), marks.end(), [&](const flag_mark& m) { return m.of == c.quality; })->mark;
  }
  return c.reason ? mark + footnote(*c.reason) : mark;
}

namespace {

/// Half the interval, relative to the value. Infinite for a value of 0 that is not sure.
std::optional<double> percent_of(const cell& c) {
  if (!c.ci) return std::nullopt;
  const double half = c.ci->second / 2 - c.ci->first / 2;
  return half == 0 ? 0 : 100 * half / std::abs(*c.value);
}

std::string error_of(const std::optional<double>& percent, const style& s) {
  const std::string sign = s.utf8 ? "\u00b1" : "+-";
  if (!percent) return sign + "?";
  if (!(*percent < 999.5)) return sign + ">999%";
  return fmt::format("{}{:.{}f}%", sign, *percent, *percent > 0 && *percent < 0.95 ? 1 : 0);
}

}  // namespace

entry remarks::entry_for(const cells& there, const scale& shown_in, bool with_error) {
  if (there.empty()) return {};
  const cell& c = *there.front();
  entry e;
  if (!c.valid) return {"BROKEN", "", footnote(c.reason.value_or("a self-check failed")), tone::bad};
  if (!c.value) return {"-", "", c.reason ? footnote(*c.reason) : "", tone::dim};
  e.number = digits(*c.value / shown_in.factor);
  e.value = *c.value / shown_in.factor;
  e.percent = percent_of(c);
  if (with_error) e.error = error_of(e.percent, style_);
  e.mark = mark_of(c);
  if (there.size() > 1) e.mark += footnote("Several cells belong here; the first is shown.");
  e.color = c.quality == flag::ok ? tone::plain : c.quality == flag::noisy ? tone::warn : tone::bad;
  errors_ = errors_ || (with_error && c.ci);
  without_interval_ = without_interval_ || (with_error && !c.ci);
  return e;
}

std::vector<std::string> remarks::sentences() const {
  std::vector<std::string> out;
  for (const std::string& sentence : footnotes_) {
    remarks lettered = *this;
    out.push_back(lettered.footnote(sentence) + " " + shown(sentence, style_, 300));
  }
  std::string legend;
  const auto add = [&legend](const std::string& text) { legend = joined(legend, "; ", text); };
  const std::string sign = style_.utf8 ? "\u00b1" : "+-";
  if (errors_) add(sign + " half the 95 % interval");
  if (without_interval_) add(sign + "? no interval, fewer than 6 repetitions");
  for (const flag_mark& m : marks)
    if (flags_.contains(m.of)) add(m.legend);
  if (!legend.empty()) out.push_back(legend);
  return out;
}

std::string lines_of(const std::vector<std::string>& notes, const style& s) {
  std::string out;
  for (const std::string& sentence : notes) out += wrapped(sentence, s.width, sentence.starts_with('(') ? 4 : 0);
  return out;
}

std::string render(const laid_out& t, const style& s) {
  if (!t.instead.empty()) return heading(t.title, t.caption, s) + lines_of(t.instead, s);
  return heading(t.title, t.caption, s) + render(t.labels, t.values, s) + lines_of(t.notes, s);
}

std::string heading(const std::string& title, const std::string& caption, const style& s) {
  std::string lines = wrapped(title, s.width);
  lines.pop_back();
  return painted(lines, tone::heading, s) + "\n" + (caption.empty() ? "" : wrapped(caption, s.width)) + "\n";
}

std::vector<column> label_columns(const std::vector<std::string>& names,
                                  const std::vector<std::vector<coordinate>>& rows, const style& s) {
  std::vector<column> columns;
  for (const std::string& name : names) columns.push_back({"", shown(name, s, 24), {}});
  const std::vector<coordinate>* before = nullptr;
  for (const auto& row : rows) {
    bool same = before != nullptr;
    for (std::size_t i = 0; i < names.size(); ++i) {
      same = same && i + 1 < names.size() && row[i] == (*before)[i];
      const std::string text = value_words(names[i], row[i], s, 32);
      columns[i].entries.push_back({same ? "" : text, "", "", tone::plain});
    }
    before = &row;
  }
  return columns;
}

}  // namespace synchro::views
