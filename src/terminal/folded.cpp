#include "terminal/folded.hpp"

#include <algorithm>

#include "results/text.hpp"
#include "terminal/console.hpp"

namespace synchro::terminal {

namespace {

/// The text without sequences that colour it.
std::string uncoloured(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t escape = text.find('\033');
    out += text.substr(0, escape);
    const std::size_t end = escape == std::string_view::npos ? escape : text.find('m', escape);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::size_t columns_of(std::string_view text) { return results::width_of(uncoloured(text)); }

/// What of a line matters for those that continue it.
struct shape {
  std::size_t margin = 0;  ///< Columns before the first word,
  std::size_t last = 0;    ///< and before the last column of several; 0: there is one.
  bool command = false;    ///< It begins with one.
};

shape shape_of(const std::string& plain) {
  shape s;
  s.margin = std::min(plain.find_first_not_of(' '), plain.size());
  if (const std::size_t gap = plain.find_last_not_of(' ', plain.rfind("  "));
      gap != std::string::npos && gap >= s.margin)
    if (const std::size_t last = plain.find_first_not_of(' ', gap + 1); last != std::string::npos && last > gap + 2)
      s.last = results::width_of(std::string_view{plain}.substr(0, last));
  s.command = s.margin > 0 && plain.compare(s.margin, 13, "synchroscope ") == 0;
  return s;
}

std::size_t indent_of(const shape& s, std::size_t width) {
  if (s.last > 0 && s.last <= width / 2) return s.last;
  const std::size_t margin = s.margin <= width / 2 ? s.margin : 2;
  return margin + (s.last > 0 || s.command ? 4 : 0);
}

std::string folded_line(std::string_view line, std::size_t width) {
  const shape s = shape_of(uncoloured(line));
  const std::size_t indent = indent_of(s, width);
  std::string out;
  std::size_t here = 0, column = 0;  // in the line that is written, and in that which was given
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    const std::size_t columns = columns_of(word);
    const bool in_command = s.command && (s.last == 0 || column + begin < s.last);
    if (column > 0 && here > indent && here + begin + columns + (in_command ? 2 : 0) > width) {
      out += (in_command ? " \\\n" : "\n") + std::string(indent, ' ');
      here = indent;
    } else {
      const std::size_t blanks = column == 0 && begin > width / 2 ? 2 : begin;
      out += std::string(blanks, ' ');
      here += blanks;
    }
    out += word;
    here += columns;
    column += begin + columns;
    line.remove_prefix(end);
  }
  return out;
}

}  // namespace

std::string folded(std::string_view text, std::size_t width) {
  if (width == 0) return std::string{text};
  width = std::max(width, narrowest);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out += columns_of(line) <= width ? std::string{line} : folded_line(line, width);
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

void tell(const std::string& text) { print(folded(text, standard_output().width.value_or(0))); }

void say(const std::string& line) {
  constexpr std::size_t longest_line = 4000;
  say_raw(folded(results::printable(line, longest_line) + "\n", standard_error().width.value_or(0)));
}

}  // namespace synchro::terminal
