#include <fmt/format.h>

#include "results/text.hpp"
#include "views/export.hpp"
#include "views/pivot.hpp"
#include "views/table.hpp"

namespace synchro::views {

using namespace results;

namespace {

/// Text that means itself, wherever it stands.
std::string literal(const std::string& text) {
  std::string out;
  for (const char c : printable(text, 1000)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (std::string_view{"\\`*_[]|>#~$"}.find(c) != std::string_view::npos)
      out.append("\\").push_back(c);
    else
      out += c;
  }
  return out;
}

std::string text_of(const entry& e) {
  std::string out = joined(e.number, " ", e.error);
  return e.mark.empty() ? out : joined(out, e.mark.starts_with('(') ? " " : "", e.mark);
}

std::string heading_of(const column& c) { return joined(c.group, " ", c.name); }

std::string line_of(const std::vector<std::string>& fields) {
  return fmt::format("| {} |\n", fmt::join(fields, " | "));
}

std::string grid(const laid_out& t) {
  std::vector<std::string> headings, rules;
  std::size_t rows = 0;
  for (const auto* columns : {&t.labels, &t.values})
    for (const column& c : *columns) {
      headings.push_back(literal(heading_of(c)));
      rules.emplace_back(columns == &t.labels ? "---" : "---:");
      rows = std::max(rows, c.entries.size());
    }
  std::string out = line_of(headings) + line_of(rules);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string> fields;
    for (const auto* columns : {&t.labels, &t.values})
      for (const column& c : *columns) fields.push_back(i < c.entries.size() ? literal(text_of(c.entries[i])) : "");
    out += line_of(fields);
  }
  return out;
}

std::string section(const laid_out& t) {
  std::string out = "### " + literal(t.title) + "\n\n";
  if (!t.caption.empty()) out += literal(t.caption) + "\n\n";
  out += grid(t);
  for (const std::string& note : t.notes) out += "\n" + literal(note) + "\n";
  return out;
}

std::string fact(const nlohmann::ordered_json& facts, const char* name) {
  return facts.contains(name) && facts.at(name).is_string() ? facts.at(name).get<std::string>() : "";
}

std::string opening(const document& d) {
  std::string out = "# " + literal(d.label.value_or("Synchroscope")) + "\n\n";
  std::string about = joined(fact(d.machine, "model_name"), ", ", fact(d.os, "kernel"));
  about = joined(about, ", ", fact(d.invocation, "started"));
  if (!about.empty()) out += literal(about) + "\n\n";
  for (const warning& w : d.warnings) out += "* Warning: " + literal(w.advice) + "\n";
  if (!d.complete) out += "* The run was stopped early: cells are missing or have fewer repetitions.\n";
  return out;
}

}  // namespace

exported to_markdown(const document& d, const presentations& how) {
  exported out{opening(d), {}};
  for (const experiment_tables& e : lay_out(d.cells, how, off_terminal)) {
    out.content += "\n## " + literal(e.experiment) + "\n";
    for (const laid_out& t : e.tables) out.content += "\n" + section(t);
  }
  if (d.cells.empty()) out.content += "\nThis file holds no measurements.\n";
  return out;
}

}  // namespace synchro::views
