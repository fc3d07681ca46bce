// Prints the table of all wake primitives, as Markdown: what docs/wakes/README.md takes from the program.

#include "experiments/wakes/wake_table.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace {

using synchro::experiments::wake_row;

std::string yes(bool is) { return is ? "yes" : ""; }

std::string calls(const wake_row& row) {
  if (row.region) return "one, a region";
  if (!row.words.one_call) return "several";
  return row.has_each ? "one, or one each" : "one";
}

std::string line_of(const wake_row& row) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row.name, calls(row), yes(row.sleeps),
                     yes(row.make_groups != nullptr), row.words.judgement, row.words.citation);
}

}  // namespace

int main() {
  std::string text =
      "| primitive | calls of a trigger | sleeps | can be split | when, and when not | source "
      "|\n|---|---|---|---|---|---|\n";
  for (const wake_row& row : synchro::experiments::all_wakes()) text += line_of(row);
  return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0;
}
