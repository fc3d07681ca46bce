// Prints the table of mutants for docs/verification.md.

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "explorer/verification.hpp"

namespace {

using namespace synchro::explorer;

std::string change(const mutation& m) {
  return m.weaker ? fmt::format("{} → {}", to_string(m.at.written), to_string(*m.weaker)) : "left out";
}

std::string access(const mutation& m) {
  return fmt::format("{}{}", to_string(m.at.what), m.at.operand == 1 ? ", failure" : "");
}

}  // namespace

int main() {
  std::vector<const subject*> all;
  for (const subject& s : all_subjects()) all.push_back(&s);
  std::size_t count = 0;
  std::size_t survivors = 0;
  std::string text = "| where | access | mutant | killed by | shown by |\n|---|---|---|---|---|\n";
  mutate(all, standard_budget, [&](const fate& f) {
    const bool survived = f.killed_by.empty();
    ++count;
    survivors += survived ? 1 : 0;
    text += fmt::format("| `{}:{}` | {} | {} | {} | {} |\n", f.what.at.file, f.what.at.line, access(f.what),
                        change(f.what), survived ? "**nobody**" : f.killed_by, f.why ? f.why->what : "");
  });
  fmt::print("{} mutants, {} killed, {} survived.\n\n{}", count, count - survivors, survivors, text);
  return 0;
}
