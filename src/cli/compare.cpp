#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "claims/claim.hpp"
#include "cli/answer.hpp"
#include "cli/asked_options.hpp"
#include "cli/commands.hpp"
#include "cli/read_results.hpp"
#include "results/comparison.hpp"
#include "results/comparison_runs.hpp"
#include "results/file.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "terminal/console.hpp"
#include "terminal/parse_values.hpp"
#include "views/comparison_text.hpp"
#include "views/systems.hpp"

namespace synchro::cli {

namespace {

struct compare_options {
  std::vector<std::string> files;  ///< Two, or several runs of the first side.
  std::vector<std::string> with;   ///< Several runs of the second side.
  std::optional<std::string> experiment;
  std::optional<std::string> fail_if_slower;  ///< As typed: "5%".
  bool changed_only = false;
  bool tables = false;
  bool as_json = false;
};

using json = nlohmann::ordered_json;
using files = std::vector<std::string>;

struct sides {
  files a, b;
  [[nodiscard]] bool several() const { return a.size() > 1; }
};

/// Two files, or several of each side. Anything else is a mistake.
sides sides_of(const compare_options& options) {
  const files &first = options.files, &second = options.with;
  if (second.empty() && first.size() == 2) return {{first[0]}, {first[1]}};
  if (second.empty())
    fail_usage(fmt::format("compare takes two files, or several runs of each side before and after --with, not {}",
                           counted(first.size(), "file")));
  const bool one_each = first.size() == 1 && second.size() == 1;
  if (!one_each && std::min(first.size(), second.size()) < results::fewest_runs)
    fail_usage(fmt::format("compare takes one run of each side or at least {}, not {} and {}", results::fewest_runs,
                           first.size(), second.size()));
  return {first, second};
}

/// As it stands in JSON.
std::string list_of(const files& side) { return fmt::format("{}", fmt::join(side, ", ")); }

/// "a.json", "a.json, b.json, c.json"
std::string named(const files& side) { return results::printable(list_of(side)); }

/// "a.json (label, processor, kernel, date)"
std::string described(const std::string& name, const results::document& d) { return name + " (" + heading(d) + ")"; }

using documents = std::vector<results::document>;

/// A run that stands there twice would count as two, and runs of another machine or program would be scatter.
void refuse_strange_runs(const files& side, const documents& runs) {
  for (std::size_t i = 1; i < runs.size(); ++i)
    if (const auto other = results::why_not_of_one_side(runs.front(), runs[i]); !other.empty())
      fail_usage(fmt::format("{} and {} are not runs of one program on one machine: {}",
                             results::printable(side.front()), results::printable(side[i]),
                             results::printable(fmt::format("{}", fmt::join(other, ", ")), 300)));
}

void refuse_the_same_run_twice(const sides& asked, const documents& a, const documents& b) {
  std::map<std::string, std::string> file_of;
  const auto add = [&](const files& side, const documents& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (const auto [found, is_new] = file_of.emplace(runs[i].id, side[i]); !is_new)
        fail_usage(
            fmt::format("{} and {} hold the same run", results::printable(found->second), results::printable(side[i])));
  };
  add(asked.a, a);
  add(asked.b, b);
}

documents read_side(const files& side, const std::optional<std::string>& experiment) {
  documents runs;
  for (const std::string& file : side) runs.push_back(read_results(file, experiment));
  return runs;
}

/// An emulator's figures stand beside nothing, be it another emulator's.
void refuse_emulated(const files& side, const documents& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (const auto why = results::why_no_evidence(runs[i]))
      fail_usage(fmt::format("{} {}: it is compared with nothing", results::printable(side[i]), *why));
}

/// The runs of each side as one document.
std::pair<results::document, results::document> joined_sides(const sides& asked, const documents& a,
                                                             const documents& b) {
  refuse_the_same_run_twice(asked, a, b);
  refuse_strange_runs(asked.a, a);
  refuse_strange_runs(asked.b, b);
  return {results::joined_runs(a), results::joined_runs(b)};
}

std::string percent(double share) {
  return std::isfinite(share) ? results::significant(100 * share, 4) + " %" : "infinitely much";
}

/// One sentence about all that is beyond the limit, the worst first.
[[noreturn]] void fail_regression(std::vector<const results::compared*> slower, double limit) {
  std::stable_sort(slower.begin(), slower.end(),
                   [](const auto* x, const auto* y) { return x->worse_by > y->worse_by; });
  const results::compared& worst = *slower.front();
  throw failure{status::regression,
                fmt::format("{} slower (or worse) by more than {}{} {} by {}",
                            slower.size() == 1 ? "1 measurement is" : counted(slower.size(), "measurement") + " are",
                            percent(limit), slower.size() == 1 ? ":" : ", the first by its medians:",
                            results::printable(results::name_of(*worst.a), 200), percent(worst.worse_by))};
}

/// Where two systems meet: the paper's table with both, and what it claims of them.
std::string systems_text(const results::document& a, const results::document& b, const views::style& style) {
  const auto table = views::systems_table(a, b, style);
  if (!table) return "";
  const claims::claim& c = claims::claim_of("B5");
  const claims::evidence in_a{a}, in_b{b};
  const bool a_is_linux = in_a.system() == results::measured_on::linux_itself;
  const claims::finding f = claims::finding_on(c, a_is_linux ? in_b : in_a, {&in_a, &in_b});
  const std::string verdict = fmt::format("{} {}: {} ({})", c.id, to_string(f.is), c.says, f.sentence);
  return "\n" + views::render(*table, style) + results::wrapped(results::printable(verdict, 1000), style.width);
}

void print_comparison(const results::comparison& c, const results::file_names& names, const compare_options& options) {
  views::style style = style_for(standard_output());
  if (options.tables || options.changed_only) return print_pages(views::show(c, names, options.changed_only, style));
  style.width = reading_width();
  const std::string pointer =
      results::wrapped("Tables: --tables, --changed for resolved differences only, --json for scripts", style.width);
  const std::size_t around = 2 + results::lines_in(pointer);
  print(views::findings(c, names, style, most_lines() - std::min(around, most_lines())) + "\n" + pointer);
}

/// One run beside itself, be it one file twice, a copy, or an earlier state of it, tells nothing of what has changed.
void say_if_it_is_one_run(const sides& asked, const results::document& a, const results::document& b) {
  const auto all_cells = [](const results::document& d) {
    json cells = json::array();
    for (const results::cell& c : d.cells) cells.push_back(to_json(c));
    return cells;
  };
  const std::string both = fmt::format("note: {} and {} hold the same run", named(asked.a), named(asked.b));
  if (results::is_same_file(asked.a.front(), asked.b.front()) || all_cells(a) == all_cells(b))
    say(both + ": no difference can be seen; compare takes a second run, which says how far one differs from the next");
  else if (!a.id.empty() && a.id == b.id)
    say(both + ", at two times: cells that are in both are the same measurement");
}

status compare(const compare_options& options) {
  std::optional<double> limit;
  if (options.fail_if_slower) limit = parse_percentage(*options.fail_if_slower, "--fail-if-slower");
  const sides asked = sides_of(options);
  documents in_a = read_side(asked.a, options.experiment), in_b = read_side(asked.b, options.experiment);
  refuse_emulated(asked.a, in_a);
  refuse_emulated(asked.b, in_b);
  const auto [a, b] =
      asked.several() ? joined_sides(asked, in_a, in_b) : std::pair{std::move(in_a.front()), std::move(in_b.front())};
  if (!asked.several()) say_if_it_is_one_run(asked, a, b);
  const results::comparison c = asked.several() ? results::compare_runs(a, b) : results::compare(a, b);
  if (c.cells.empty() && c.not_comparable.empty() && c.without_value_a.empty() && c.without_value_b.empty() &&
      c.without_value_both.empty())
    fail_usage(fmt::format("{} and {} have no measurement in common", named(asked.a), named(asked.b)));
  for (const std::string& sentence : c.warnings) say("warning: " + results::printable(sentence, 1000));
  if (options.as_json)
    print(results::dump(results::to_json(c, {list_of(asked.a), list_of(asked.b)}, limit), 1) + "\n");
  else {
    print_comparison(c, {described(named(asked.a), a), described(named(asked.b), b)}, options);
    views::style style = style_for(standard_output());
    style.width = reading_width();
    print(systems_text(a, b, style));
  }
  std::vector<const results::compared*> slower;
  for (const results::compared& cell : c.cells)
    if (limit && cell.worse_than(*limit)) slower.push_back(&cell);
  if (!slower.empty()) fail_regression(std::move(slower), *limit);
  return status::done;
}

deed declare_compare(options& its) {
  const auto typed = std::make_shared<compare_options>();
  its.values("files", typed->files, "The baseline and the file to judge; or, before --with, runs of the baseline")
      .required()
      .called("FILE");
  its.values("--with", typed->with, "Runs to judge, at least 3, against at least 3 runs of the baseline")
      .called("FILE");
  its.value("--experiment", typed->experiment, "Only these experiments: a name, family or glob").called("EXPERIMENT");
  its.value("--fail-if-slower", typed->fail_if_slower,
            "Exit status 5 if a cell of the second side is slower (or worse) by more than this: 5%")
      .called("PERCENT");
  const option changed = its.flag("--changed", typed->changed_only, "Show only differences that are resolved");
  its.flag("--json", typed->as_json, "Print a JSON object with all cells").excludes(changed);
  declare_tables(its, typed->tables);
  its.ends_with(
      "Examples:\n"
      "  synchroscope compare before.json after.json\n"
      "  synchroscope compare old1.json old2.json old3.json --with new1.json new2.json new3.json --fail-if-slower "
      "5%\n");
  return [typed](const words&) { return compare(*typed); };
}

}  // namespace

command compare_command() {
  return {"compare", "Compare two results files, or several runs of each side, cell by cell: ratios with intervals",
          declare_compare};
}

}  // namespace synchro::cli
