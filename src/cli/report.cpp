#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/output.hpp"
#include "experiments/framework/experiment.hpp"
#include "report/page.hpp"
#include "report/published.hpp"
#include "results/text.hpp"
#include "views/summary.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;
using results::document;

/// What the numbers of these documents mean and how they are drawn: the experiments' own words.
json definitions_for(const std::vector<document>& documents) {
  std::set<std::string> there;
  for (const document& d : documents)
    for (const results::cell& c : d.cells) there.insert(c.experiment);
  json all = json::array();
  for (const experiments::experiment& e : experiments::all_experiments()) {
    if (!there.contains(e.name)) continue;
    json axes = json::array(), metrics = json::array();
    for (const auto& a : e.axes) axes.push_back({{"name", a.name}, {"line", a.line}});
    for (const auto& m : e.metrics)
      metrics.push_back({{"name", m.name}, {"unit", m.unit}, {"definition", m.definition}});
    all.push_back({{"name", e.name},
                   {"line", e.line},
                   {"source", e.source},
                   {"axes", axes},
                   {"metrics", metrics},
                   {"charts", views::charts_json(e.view)}});
  }
  return all;
}

json layers() {
  json all = json::array();
  for (const experiments::layer& l : experiments::all_layers()) all.push_back({{"name", l.name}, {"title", l.title}});
  return all;
}

/// A list for each run, as the page has them: a document with several simulated machines is as many runs.
json headlines_of(const std::vector<document>& documents) {
  json all = json::array();
  for (const document& d : documents)
    for (const document& run : results::runs_of(d))
      all.push_back(views::headlines(run, experiments::all_presentations()));
  return all;
}

report::page_words words_for(const std::vector<document>& documents) {
  return {definitions_for(documents), layers(), headlines_of(documents)};
}

}  // namespace

void write_report(const std::vector<document>& documents, const std::string& output, results::previous old) {
  if (!report::available())
    fail_cannot("this build has no HTML report: Node.js 18 or what npm installs was missing when it was built");
  write_output(output, report::page(documents, words_for(documents)), old);
}

status report(const report_options& options) {
  if (!report::available())
    fail_cannot("this build has no HTML report: Node.js 18 or what npm installs was missing when it was built");
  check_output(options.output, options.files);
  std::vector<document> documents;
  for (const std::string& file : options.files) documents.push_back(read_results(file));
  if (options.paper)
    for (document& d : report::published_beside(documents)) documents.push_back(std::move(d));
  write_report(documents, options.output);
  say(fmt::format("written: {}", results::printable(options.output)));
  return status::done;
}

}  // namespace synchro::cli
