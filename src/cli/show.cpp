#include <fmt/format.h>

#include <algorithm>

#include "cli/answer.hpp"
#include "cli/claims.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/words.hpp"
#include "experiments/framework/experiment.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "views/answer.hpp"
#include "views/summary.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;

std::vector<std::string> experiments_in(const results::document& d) {
  std::vector<std::string> names;
  for (const auto& c : d.cells)
    if (std::find(names.begin(), names.end(), c.experiment) == names.end()) names.push_back(c.experiment);
  return names;
}

/// A fact that a file should have; null if it has not.
json fact(const json& facts, const char* name) {
  return facts.is_object() && facts.contains(name) ? facts.at(name) : json(nullptr);
}

/// As docs/results.md describes it.
json told(const results::document& d) {
  json out{{"schema", "synchroscope-show/1"},
           {"id", d.id},
           {"label", d.label ? json(*d.label) : json(nullptr)},
           {"complete", d.complete},
           {"started", fact(d.invocation, "started")},
           {"machine", {{"kind", fact(d.machine, "kind")}, {"model_name", fact(d.machine, "model_name")}}},
           {"findings", json::array()},
           {"doubts", views::doubts(d)},
           {"warnings", json::array()},
           {"cells", json::array()}};
  for (const views::conclusion& c : views::conclusions(d, experiments::all_presentations()))
    out["findings"].push_back({{"experiment", c.experiment},
                               {"machine", c.machine.empty() ? json(nullptr) : json(c.machine)},
                               {"sentences", c.sentences}});
  for (const auto& w : d.warnings) out["warnings"].push_back({{"id", w.id}, {"advice", w.advice}});
  for (const results::cell& c : d.cells) {
    json cell = to_json(c);
    for (const char* detail : {"samples", "quantiles", "noise", "conditions", "probe_ns"}) cell.erase(detail);
    out["cells"].push_back(std::move(cell));
  }
  return out;
}

}  // namespace

results::document read_results(const std::string& file, const std::optional<std::string>& experiment) {
  results::document d;
  try {
    d = results::read_document(file);
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
  if (!experiment) return d;
  const auto names = experiments_in(d);
  const auto meant = matching(*experiment, names);
  if (meant.empty()) fail_usage(no_such("measured experiment", *experiment, names) + " in " + results::printable(file));
  std::erase_if(d.cells, [&](const results::cell& c) {
    return std::find(meant.begin(), meant.end(), c.experiment) == meant.end();
  });
  return d;
}

status show(const show_options& options) {
  const results::document d = read_results(options.file, options.experiment);
  if (options.as_json) {
    print(results::dump(options.claims ? claims_json(d) : told(d), 1) + "\n");
    return status::done;
  }
  if (options.claims) {
    views::style style = style_for(standard_output());
    style.width = reading_width();
    print_pages(claims_text(d, style) + "\n");
  }
  print_answer(d, options.file, options.tables);
  return status::done;
}

}  // namespace synchro::cli
