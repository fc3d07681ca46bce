#include <algorithm>

#include "results/text.hpp"
#include "views/export.hpp"
#include "views/exports/tidy.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr std::size_t longest_field = 1'000'000;

/// Without what could harm a terminal or hide; line breaks and tabs stay, for they can be quoted.
std::string harmless(const std::string& text) {
  std::string out;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find_first_of("\n\r\t", begin);
    out += printable(text.substr(begin, end - begin), longest_field);
    if (end == std::string::npos) return out;
    out += text[end];
    begin = end + 1;
  }
}

/// Spreadsheets run what begins like a formula.
bool is_formula(const std::string& text) { return !text.empty() && text.find_first_of("=+-@\t\r\n") == 0; }

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos && !text.starts_with(' ') && !text.ends_with(' ')) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string{"\"\""} : std::string{c};
  return out + '"';
}

std::string field(const std::string& text) {
  const std::string clean = harmless(text);
  return quoted(is_formula(clean) ? "'" + clean : clean);
}

struct as_field {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(std::int64_t v) const { return std::to_string(v); }
  std::string operator()(double v) const { return exact(v); }
  std::string operator()(const std::string& text) const { return field(text); }
};

}  // namespace

exported to_csv(const document& d) {
  const tidy_table table{d};
  exported out;
  const char* separator = "";
  for (const std::string& heading : table.headings()) {
    out.content.append(separator).append(field(heading));
    separator = ",";
  }
  out.content += '\n';
  for (const cell& c : d.cells) {
    separator = "";
    for (const tidy_value& v : table.row(c)) {
      out.content.append(separator).append(std::visit(as_field{}, v));
      separator = ",";
    }
    out.content += '\n';
  }
  return out;
}

}  // namespace synchro::views
