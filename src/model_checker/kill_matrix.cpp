// Prints the tables of mutants for docs/mutants.md; with --share K/N tries only each Nth mutant, from the Kth on,
// prints those that survive without an argument, and fails if there are any. With --share 0/1, arguments without a mutant
// are a failure as well.

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model_checker/equivalents.hpp"
#include "model_checker/verification.hpp"

namespace {

using namespace synchro::model_checker;

std::string in_a_table(std::string text) {
  for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

struct tally {
  std::size_t tried = 0;
  std::size_t survived = 0;
};

struct tables {
  std::set<std::string> argued;  // keys of the arguments that were needed
  tally orders, statements;
  std::map<std::string, tally> headers;
  std::string of_orders, of_survivors, unargued;

  void add(const mutant_result& f) {
    const bool survived = f.killed_by.empty();
    tally& all = is_of_orders(f.what) ? orders : statements;
    for (tally* const t : {&all, &headers[f.what.at.file]}) {
      ++t->tried;
      t->survived += survived ? 1 : 0;
    }
    if (is_of_orders(f.what) && !survived)
      of_orders += fmt::format("| `{}:{}` | {} | {} | {} | {} |\n", f.what.at.file, f.what.at.line, access_of(f.what),
                               f.what.what_is_done(), f.killed_by, f.why ? f.why->what : "");
    if (!survived) return;
    if (!f.argument.empty()) argued.insert(equivalent_key(f.what));
    of_survivors += fmt::format("| `{}:{}` | `{}` | {}: {} | {} |\n", f.what.at.file, f.what.at.line,
                                in_a_table(statement_at(f.what.at)), access_of(f.what), f.what.what_is_done(),
                                f.argument.empty() ? "**not argued**" : f.argument);
    if (f.argument.empty()) unargued += equivalent_key(f.what) + "\n";
  }

  /// Arguments that no mutant has needed, a line each.
  [[nodiscard]] std::string unused() const {
    std::string lines;
    for (const auto& [key, why] : equivalents())
      if (argued.count(key) == 0) lines += key + "\n";
    return lines;
  }

  [[nodiscard]] std::string page() const {
    std::string text = fmt::format("{} mutants of orders, {} killed, {} survived. ", orders.tried,
                                   orders.tried - orders.survived, orders.survived);
    text += fmt::format("{} mutants of statements, {} killed, {} survived.\n\n", statements.tried,
                        statements.tried - statements.survived, statements.survived);
    text += "| header | mutants | survived |\n|---|---|---|\n";
    for (const auto& [file, t] : headers) text += fmt::format("| `{}` | {} | {} |\n", file, t.tried, t.survived);
    text += "\nThose that survive, and why they may:\n\n| where | line | mutant | why |\n|---|---|---|---|\n";
    text += of_survivors;
    text += "\nThe orders:\n\n| where | access | mutant | killed by | shown by |\n|---|---|---|---|---|\n";
    return text + of_orders;
  }
};

std::optional<share> share_of(std::string_view text) {
  share s;
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const char* const middle = text.data() + slash;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data(), middle, s.part).ptr != middle) return std::nullopt;
  if (std::from_chars(middle + 1, end, s.of).ptr != end || s.of == 0 || s.part >= s.of) return std::nullopt;
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<share> some = share{};
  const bool in_part = argc == 3 && std::string_view{argv[1]} == "--share";
  if (in_part) some = share_of(argv[2]);
  if (!some || (argc != 1 && !in_part)) {
    fmt::print(stderr, "usage: kill_matrix [--share K/N], with K from 0 to N - 1\n");
    return 2;
  }
  std::vector<const subject*> all;
  for (const subject& s : all_subjects()) all.push_back(&s);
  tables made;
  mutate(
      all, standard_budget, [&](const mutant_result& f) { made.add(f); }, *some);
  if (!in_part) {
    fmt::print("{}", made.page());
    return 0;
  }
  fmt::print("{} mutants, {} survived; without an argument in src/model_checker/equivalents.txt:\n{}",
             made.orders.tried + made.statements.tried, made.orders.survived + made.statements.survived,
             made.unargued.empty() ? "none\n" : made.unargued);
  const std::string unused = some->of == 1 ? made.unused() : "";
  if (!unused.empty()) fmt::print("arguments for mutants that are killed, or are not there:\n{}", unused);
  return made.unargued.empty() && unused.empty() ? 0 : 1;
}
