#include "simulations/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "results/document.hpp"
#include "results/text.hpp"
#include "simulate/asked.hpp"
#include "terminal/console.hpp"
#include "terminal/parse_values.hpp"
#include "views/grid.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

using simulations::forecast;

std::vector<forecast> read(const std::string& file, std::uint64_t seed) {
  try {
    return simulations::held_against(results::read_document(file), seed);
  } catch (const std::runtime_error& e) {
    const std::string why = e.what();
    fail_usage(why.find(file) == std::string::npos ? file + ": " + why : why);
  }
}

views::entry number(const std::string& text, views::tone color = views::tone::plain) {
  views::entry e;
  e.number = text;
  e.color = color;
  return e;
}

/// Coordinates that differ between cells; where all agree they would only make lines long.
std::set<std::string> differing_axes(const std::vector<forecast>& all) {
  std::set<std::string> axes;
  for (const forecast& f : all)
    for (const auto& [axis, value] : f.at.entries()) {
      const auto* const first = all.front().at.find(axis);
      if (first == nullptr || *first != value) axes.insert(axis);
    }
  return axes;
}

std::string table_of(const std::vector<forecast>& all) {
  views::column what{"", "cell", {}}, measured{"", "measured", {}, "op/s"}, predicted{"", "predicted", {}, "op/s"},
      error{"", "error", {}};
  const std::set<std::string> axes = differing_axes(all);
  for (const forecast& f : all) {
    results::coordinates at;
    for (const auto& [axis, value] : f.at.entries())
      if (axes.contains(axis)) at.set(axis, value);
    what.entries.push_back(number(results::printable(f.experiment + " " + at.to_string())));
    measured.entries.push_back(number(fmt::format("{:.2f} M", f.measured * 1e-6)));
    predicted.entries.push_back(number(fmt::format("{:.2f} M", f.median() * 1e-6)));
    const bool far_off = std::abs(f.error()) > simulations::allowed_error;
    error.entries.push_back(
        number(fmt::format("{:+.0f} %", 100 * f.error()), far_off ? views::tone::warn : views::tone::plain));
  }
  return views::render({what}, {measured, predicted, error}, style_for(standard_output()));
}

std::string judgement(const std::vector<forecast>& all) {
  std::set<std::string> experiments;
  for (const forecast& f : all) experiments.insert(f.experiment);
  std::string text;
  for (const std::string& e : experiments) {
    const double error = simulations::median_error(all, e);
    const auto n = std::count_if(all.begin(), all.end(), [&](const forecast& f) { return f.experiment == e; });
    text += fmt::format("{}: median error {:.0f} % over {}: {}\n", e, 100 * error,
                        counted(static_cast<std::size_t>(n), "cell"),
                        error <= simulations::allowed_error ? "holds (30 % are allowed)" : "FAILS (30 % are allowed)");
  }
  return text;
}

}  // namespace

status hold_against(const simulate_options& o) {
  if (o.output_given) fail_usage("--against prints what it finds and writes no file; leave --output out");
  if (!o.asked.experiments.empty() || !o.machines.empty())
    fail_usage("--against takes everything from the results files; leave experiments and --machine out");
  if (o.against->empty()) fail_usage("--against needs the name of a results file");
  std::vector<forecast> all;
  for (const std::string& file : split(*o.against)) {
    const std::vector<forecast> here = read(file, o.asked.seed.value_or(1));
    print(results::printable(file, 200) + "\n" + table_of(here) + "\n");
    all.insert(all.end(), here.begin(), here.end());
  }
  print(judgement(all));
  return status::done;
}

}  // namespace synchro::simulate
