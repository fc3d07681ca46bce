#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "advice/which_lock.hpp"
#include "cli/answer.hpp"
#include "cli/asked_options.hpp"
#include "cli/claims.hpp"
#include "cli/commands.hpp"
#include "cli/read_results.hpp"
#include "experiments/framework/experiment.hpp"
#include "results/experiment_names.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/parse_values.hpp"
#include "views/answer.hpp"
#include "views/summary.hpp"

namespace synchro::cli {

namespace {

struct show_options {
  std::string file;
  std::optional<std::string> experiment;  ///< A name, family or glob.
  bool tables = false;
  bool claims = false;  ///< Of the literature, each with a verdict or the command that measures it.
  bool as_json = false;
};

using json = nlohmann::ordered_json;

/// A fact that a file should have; null if it has not.
json fact(const json& facts, const char* name) {
  return facts.is_object() && facts.contains(name) ? facts.at(name) : json(nullptr);
}

json brief(const results::cell& c) {
  json out = to_json(c);
  for (const char* detail : {"samples", "quantiles", "noise", "conditions", "probe_ns"}) out.erase(detail);
  return out;
}

json locks_to_take(const results::document& d) {
  const auto runs = results::runs_of(d);
  const auto machines = results::machines_of(d);
  json all = json::array();
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const advice::lock_choice& c : advice::lock_choices(runs[i]))
      all.push_back({{"machine", machine_or_null(machines[i])}, {"words", c.words()}, {"by", brief(c.by)}});
  return all;
}

/// As docs/results.md describes it.
json told(const results::document& d) {
  json out{{"schema", "synchroscope-show/1"},
           {"id", d.id},
           {"label", d.label ? json(*d.label) : json(nullptr)},
           {"complete", d.complete},
           {"started", fact(d.invocation, "started")},
           {"machine", {{"kind", fact(d.machine, "kind")}, {"model_name", fact(d.machine, "model_name")}}},
           {"locks_to_take", locks_to_take(d)},
           {"findings", json::array()},
           {"doubts", views::doubts(d, experiments::all_presentations())},
           {"warnings", json::array()},
           {"cells", json::array()}};
  for (const views::conclusion& c : views::conclusions(d, experiments::all_presentations()))
    out["findings"].push_back({{"experiment", c.experiment},
                               {"machine", c.machine.empty() ? json(nullptr) : json(c.machine)},
                               {"sentences", c.sentences}});
  for (const auto& w : d.warnings) out["warnings"].push_back({{"id", w.id}, {"advice", w.advice}});
  for (const results::cell& c : d.cells) out["cells"].push_back(brief(c));
  return out;
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

deed declare_show(options& its) {
  const auto typed = std::make_shared<show_options>();
  its.value("file", typed->file, "A results file").required().called("FILE");
  its.value("--experiment", typed->experiment, "Only these experiments: a name, family or glob").called("EXPERIMENT");
  declare_tables(its, typed->tables);
  its.flag("--claims", typed->claims,
           "List what the literature claims, each with a verdict or with the command that measures it");
  its.flag("--json", typed->as_json,
           "Print a JSON object for scripts: findings, doubts, values; with --claims an array of claims");
  its.ends_with(fmt::format("Example:\n  synchroscope show r.json --experiment {} --tables\n",
                            results::experiment_names::locks_throughput));
  return [typed](const words&) { return show(*typed); };
}

}  // namespace

command show_command() {
  return {"show", "Show the findings of a results file on one screen, or its tables", declare_show};
}

}  // namespace synchro::cli
