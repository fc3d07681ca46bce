#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/words.hpp"
#include "experiments/framework/experiment.hpp"
#include "results/text.hpp"
#include "views/table.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;

std::vector<std::string> experiments_in(const results::document& d) {
  std::vector<std::string> names;
  for (const auto& c : d.cells)
    if (std::find(names.begin(), names.end(), c.experiment) == names.end()) names.push_back(c.experiment);
  return names;
}

std::string word(const json& facts, const char* name) {
  return facts.contains(name) && facts[name].is_string() ? results::printable(facts[name].get<std::string>(), 100) : "";
}

}  // namespace

std::string heading(const results::document& d) {
  std::vector<std::string> parts;
  for (const std::string& part : {d.label ? results::printable(*d.label, 80) : "", word(d.machine, "model_name"),
                                  word(d.os, "kernel"), word(d.invocation, "started")})
    if (!part.empty()) parts.push_back(part);
  return fmt::format("{}", fmt::join(parts, ", "));
}

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

std::string tables_of(const results::document& d) {
  return views::show(d, experiments::all_presentations(), style_for(standard_output()));
}

status show(const std::string& file, const std::optional<std::string>& experiment) {
  const results::document d = read_results(file, experiment);
  const views::style style = style_for(standard_output());
  std::string text = views::painted(heading(d), views::tone::heading, style) + "\n\n" + tables_of(d);
  for (const auto& w : d.warnings)
    text += views::painted("warning: ", views::tone::warn, style) + results::printable(w.advice, 400) + "\n";
  print(text);
  return status::done;
}

}  // namespace synchro::cli
