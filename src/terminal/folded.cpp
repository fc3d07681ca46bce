#include "terminal/folded.hpp"

#include <algorithm>
#include <cctype>

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
    const bool too_far = !s.command && s.last > width / 2 && column + begin == s.last;  // a column that is not kept
    const std::size_t blanks = too_far || (column == 0 && begin > width / 2) ? 2 : begin;
    if (column > 0 && here > indent && here + blanks + columns + (in_command ? 2 : 0) > width) {
      const std::size_t needed = columns + (in_command ? 2 : 0);
      here = std::min(indent, width - std::min(width, needed));  // a long word stands as far in as it can
      out += (in_command ? " \\\n" : "\n") + std::string(here, ' ');
    } else {
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

/// Whether a sentence goes on in the next line: both are prose that begins in the same column.
bool goes_on(std::string_view line, std::string_view next) {
  const std::string here = uncoloured(line), there = uncoloured(next);
  const shape a = shape_of(here), b = shape_of(there);
  if (a.last > 0 || b.last > 0 || a.command || b.command || a.margin != b.margin || b.margin == there.size())
    return false;
  const auto first = static_cast<unsigned char>(there[b.margin]);
  const bool labelled = there.find(':', b.margin) < there.find(' ', b.margin);  // "axes: threads, lock"
  return !labelled && (std::islower(first) != 0 || std::isdigit(first) != 0) &&
         here.find_last_of(".:;?!") != here.size() - 1;
}

/// Takes a line off the text; of prose that is to be folded, those in which its sentence goes on, too: else each of them would leave
/// a short one.
std::string next_line(std::string_view& text, std::size_t width) {
  const auto taken = [&] {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    return line;
  };
  std::string line{taken()};
  while (text.size() > 1 && columns_of(line) > width) {
    const std::string_view next = text.substr(1, text.find('\n', 1) - 1);
    if (!goes_on(line, next)) break;
    text.remove_prefix(1);
    const std::string_view more = taken();
    line += ' ';
    line += more.substr(more.find_first_not_of(' '));
  }
  return line;
}

}  // namespace

std::string folded(std::string_view text, std::size_t width) {
  if (width == 0) return std::string{text};
  width = std::max(width, narrowest);
  std::string out;
  while (!text.empty()) {
    const std::string line = next_line(text, width);
    out += columns_of(line) <= width ? line : folded_line(line, width);
    if (text.empty()) break;
    out += '\n';
    text.remove_prefix(1);
  }
  return out;
}

void tell(const std::string& text) { print(folded(text, standard_output().width.value_or(0))); }

void say(const std::string& line) {
  constexpr std::size_t longest_line = 4000;
  say_raw(folded(results::printable(line, longest_line) + "\n", standard_error().width.value_or(0)));
}

}  // namespace synchro::terminal
