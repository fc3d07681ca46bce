#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/words.hpp"
#include "results/comparison.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "views/comparison_text.hpp"

namespace synchro::cli {

namespace {

/// "a.json (label, processor, kernel, date)"
std::string described(const std::string& file, const results::document& d) {
  return results::printable(file) + " (" + heading(d) + ")";
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.4g} %", 100 * share) : "infinitely much";
}

/// One sentence about all that is beyond the limit, the worst first.
[[noreturn]] void fail_regression(std::vector<const results::compared*> slower, double limit) {
  std::stable_sort(slower.begin(), slower.end(),
                   [](const auto* x, const auto* y) { return x->worse_by > y->worse_by; });
  const results::compared& worst = *slower.front();
  throw failure{status::regression,
                fmt::format("{} slower (or worse) by more than {}{} {} by {}",
                            slower.size() == 1 ? "1 measurement is" : counted(slower.size(), "measurement") + " are",
                            percent(limit), slower.size() == 1 ? ":" : ", most of all",
                            results::printable(results::name_of(*worst.a), 200), percent(worst.worse_by))};
}

}  // namespace

status compare(const compare_options& options) {
  std::optional<double> limit;
  if (options.fail_if_slower) limit = parse_percentage(*options.fail_if_slower, "--fail-if-slower");
  const results::document a = read_results(options.a, options.experiment);
  const results::document b = read_results(options.b, options.experiment);
  const results::comparison c = results::compare(a, b);
  if (c.cells.empty() && c.not_comparable.empty() && c.untold_a.empty() && c.untold_b.empty() && c.untold_both.empty())
    fail_usage(fmt::format("{} and {} have no measurement in common", results::printable(options.a),
                           results::printable(options.b)));
  for (const std::string& sentence : c.warnings) say("warning: " + results::printable(sentence, 1000));
  if (options.as_json)
    print(results::dump(results::to_json(c, {options.a, options.b}, limit), 1) + "\n");
  else
    print(views::show(c, {described(options.a, a), described(options.b, b)}, options.changed_only,
                      style_for(standard_output())));
  std::vector<const results::compared*> slower;
  for (const results::compared& cell : c.cells)
    if (limit && cell.worse_than(*limit)) slower.push_back(&cell);
  if (!slower.empty()) fail_regression(std::move(slower), *limit);
  return status::done;
}

}  // namespace synchro::cli
