#include "results/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace synchro::results {

namespace {

struct character {
  char32_t code;
  std::size_t bytes;
};

constexpr char32_t bad = 0xFFFFFFFF;

/// The first character of a text; `bad`, one byte long, where it is not UTF-8 (also overlong forms and surrogates).
character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {bad, 1};
  char32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {bad, 1};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {bad, 1};
  return {code, length};
}

/// Control characters, and those that reorder text, hide in it or break a line.
bool hostile(char32_t c) {
  return c == bad || c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c >= 0xE0000;
}

/// How many characters at the start are plain ASCII (or the line breaks between fields).
std::size_t plain_length(std::string_view text) {
  const auto end = std::find_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x7F; });
  return static_cast<std::size_t>(end - text.begin());
}

/// As UTF-16, which is what JSON escapes.
std::string escape_of(char32_t c) {
  if (c < 0x10000) return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
  const std::uint32_t beyond = c - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (beyond >> 10), 0xDC00 + (beyond & 0x3FF));
}

std::string made_printable(std::string_view text, std::size_t columns, bool ascii) {
  std::vector<std::string_view> line;
  constexpr std::string_view ellipsis = "...";
  while (!text.empty() && line.size() <= columns) {
    const character c = decode(text);
    line.push_back(hostile(c.code) || (ascii && c.code > 0x7E) ? std::string_view{"?"} : text.substr(0, c.bytes));
    text.remove_prefix(c.bytes);
  }
  const bool cut = line.size() > columns;
  if (cut) line.resize(columns > ellipsis.size() ? columns - ellipsis.size() : 0);
  std::string out;
  for (const std::string_view c : line) out += c;
  return cut ? out.append(ellipsis.substr(0, columns)) : out;
}

}  // namespace

std::string printable(std::string_view text, std::size_t columns) { return made_printable(text, columns, false); }

std::string printable_ascii(std::string_view text, std::size_t columns) { return made_printable(text, columns, true); }

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = plain_length(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const character c = decode(text);
    out += hostile(c.code) ? escape_of(c.code == bad ? 0xFFFD : c.code) : std::string{text.substr(0, c.bytes)};
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string_view::npos; begin = end + 1)
    parts.emplace_back(text.substr(begin, end - begin));
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::string joined(std::string_view first, std::string_view separator, std::string_view second) {
  std::string out{first};
  if (!first.empty() && !second.empty()) out += separator;
  return out += second;
}

std::string as_typed(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string{c};
  return quoted + "'";
}

std::string as_typed(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + as_typed(word);
  return text;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (width > 0 && width_of(line) > indent && width_of(line) + 1 + width_of(word) > width) {
      out += line + "\n";
      line = std::string(indent, ' ').append(word);
    } else {
      line = line.find_first_not_of(' ') == std::string::npos ? line.append(word) : joined(line, " ", word);
    }
  }
  return out + line + "\n";
}

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80 ? 1 : 0;
  return width;
}

}  // namespace synchro::results
