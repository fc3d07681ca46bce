#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "experiments/framework/experiment.hpp"
#include "report/page.hpp"
#include "report/published.hpp"
#include "results/file.hpp"
#include "results/text.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;
using results::document;

/// What the numbers of these documents mean: the experiments' own words.
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
    all.push_back({{"name", e.name}, {"line", e.line}, {"source", e.source}, {"axes", axes}, {"metrics", metrics}});
  }
  return all;
}

/// Writing over a results file would lose it.
void check_output(const std::vector<std::string>& files, const std::string& output) {
  std::error_code none;
  for (const std::string& file : files)
    if (file == output || std::filesystem::equivalent(file, output, none))
      fail_usage(fmt::format("{} is one of the results files; name another file with -o", results::printable(output)));
  try {
    results::check_replaceable(output);
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

}  // namespace

void write_report(const std::vector<document>& documents, const std::string& output) {
  if (!report::available())
    fail_cannot("this build has no HTML report: Node.js 18 or what npm installs was missing when it was built");
  try {
    results::replace_file(output, report::page(documents, definitions_for(documents)));
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

status report(const report_options& options) {
  if (!report::available())
    fail_cannot("this build has no HTML report: Node.js 18 or what npm installs was missing when it was built");
  check_output(options.files, options.output);
  std::vector<document> documents;
  for (const std::string& file : options.files) documents.push_back(read_results(file));
  if (options.paper)
    for (document& d : report::published_beside(documents)) documents.push_back(std::move(d));
  write_report(documents, options.output);
  say(fmt::format("written: {}", results::printable(options.output)));
  return status::done;
}

}  // namespace synchro::cli
