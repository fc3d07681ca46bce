#include "cli/read_results.hpp"

#include <algorithm>
#include <stdexcept>

#include "results/text.hpp"
#include "terminal/failure.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

std::vector<std::string> experiments_in(const results::document& d) {
  std::vector<std::string> names;
  for (const auto& c : d.cells)
    if (std::find(names.begin(), names.end(), c.experiment) == names.end()) names.push_back(c.experiment);
  return names;
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

}  // namespace synchro::cli
