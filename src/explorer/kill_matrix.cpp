// Prints the tables of mutants for docs/verification.md; with --share K/N tries only each Nth mutant, from the Kth on,
// prints those that survive without an argument, and fails if there are any. With --share 0/1, arguments without a mutant
// are a failure as well.

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explorer/verification.hpp"

namespace {

using namespace synchro::explorer;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string access(const mutation& m) {
  return fmt::format("{}{}", to_string(m.at.what), m.at.operand == 1 ? ", failure" : "");
}

/// The line of the source on which the statement stands.
std::string statement(const site& at) {
  std::ifstream in{std::string{SYNCHRO_EXPLORER_INCLUDE} + "/synchro/" + at.file};
  std::string line;
  for (std::uint32_t i = 0; i < at.line && std::getline(in, line);) ++i;
  return std::string{trimmed(line)};
}

/// What equivalents.txt argues of mutants that nobody kills.
class arguments {
 public:
  arguments() {
    std::ifstream in{SYNCHRO_EXPLORER_EQUIVALENTS};
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line.front() == '#') continue;
      const auto at = line.rfind(" | ");
      if (at != std::string::npos) all_[line.substr(0, at)] = line.substr(at + 3);
    }
  }
  /// Of one that survived; empty if there is none.
  std::string of(const mutation& m) {
    const auto it = all_.find(key(m));
    if (it == all_.end()) return {};
    used_.insert(it->first);
    return it->second;
  }
  /// Those that nothing has asked for, a line each.
  [[nodiscard]] std::string unused() const {
    std::string lines;
    for (const auto& [of_what, why] : all_)
      if (used_.count(of_what) == 0) lines += of_what + "\n";
    return lines;
  }
  static std::string key(const mutation& m) {
    return fmt::format("{} | {} | {} | {}", m.at.file, statement(m.at), access(m), m.what_is_done());
  }

 private:
  std::map<std::string, std::string> all_;
  std::set<std::string> used_;
};

/// Orders, and what has always been left out.
bool is_of_orders(const mutation& m) {
  return m.how == change::weaken ||
         (m.how == change::leave_out &&
          (m.at.what == action::store || m.at.what == action::fence || m.at.what == action::unpark));
}

std::string in_a_table(std::string text) {
  for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

struct tally {
  std::size_t tried = 0;
  std::size_t survived = 0;
};

struct tables {
  arguments argued;
  tally orders, statements;
  std::map<std::string, tally> headers;
  std::string of_orders, of_survivors, unargued;

  void add(const fate& f) {
    const bool survived = f.killed_by.empty();
    tally& all = is_of_orders(f.what) ? orders : statements;
    for (tally* const t : {&all, &headers[f.what.at.file]}) {
      ++t->tried;
      t->survived += survived ? 1 : 0;
    }
    if (is_of_orders(f.what) && !survived)
      of_orders += fmt::format("| `{}:{}` | {} | {} | {} | {} |\n", f.what.at.file, f.what.at.line, access(f.what),
                               f.what.what_is_done(), f.killed_by, f.why ? f.why->what : "");
    if (!survived) return;
    const std::string why = argued.of(f.what);
    of_survivors += fmt::format("| `{}:{}` | `{}` | {}: {} | {} |\n", f.what.at.file, f.what.at.line,
                                in_a_table(statement(f.what.at)), access(f.what), f.what.what_is_done(),
                                why.empty() ? "**not argued**" : why);
    if (why.empty()) unargued += arguments::key(f.what) + "\n";
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
      all, standard_budget, [&](const fate& f) { made.add(f); }, *some);
  if (!in_part) {
    fmt::print("{}", made.page());
    return 0;
  }
  fmt::print("{} mutants, {} survived; without an argument in src/explorer/equivalents.txt:\n{}",
             made.orders.tried + made.statements.tried, made.orders.survived + made.statements.survived,
             made.unargued.empty() ? "none\n" : made.unargued);
  const std::string unused = some->of == 1 ? made.argued.unused() : "";
  if (!unused.empty()) fmt::print("arguments for mutants that are killed, or are not there:\n{}", unused);
  return made.unargued.empty() && unused.empty() ? 0 : 1;
}
