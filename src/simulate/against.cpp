#include "simulations/against.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>

#include "results/document.hpp"
#include "results/origin.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "simulate/asked.hpp"
#include "simulate/origin.hpp"
#include "simulator/model.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"
#include "views/grid.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

using json = nlohmann::ordered_json;
using simulations::forecast;

/// A mistake in a file, by one sentence that names it.
[[noreturn]] void fail_about(const std::string& file, const std::string& why) {
  fail_usage(results::printable(why.find(file) == std::string::npos ? file + ": " + why : why, 1000));
}

results::document read(const std::string& file) {
  try {
    return results::read_document(file);
  } catch (const std::runtime_error& e) {
    fail_about(file, e.what());
  }
}

/// The file that the model is made of.
struct fitted_file {
  std::string name;
  results::document results;
};

simulations::held hold(const fitted_file& fit, const fitted_file& judged, std::uint64_t seed) {
  const std::string& file = judged.name;
  if (const auto other = results::other_machine(fit.results, judged.results); !other.empty())
    fail_usage(results::printable(
        fmt::format("{} is of another machine or system than {}: {}", file, fit.name, fmt::join(other, ", ")), 1000));
  try {
    return simulations::held_against(fit.results, judged.results, seed);
  } catch (const simulations::no_model& e) {
    fail_about(fit.name, e.what());
  } catch (const std::runtime_error& e) {
    fail_about(file, e.what());
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

std::string percent(double error) { return fmt::format("{:.0f} %", 100 * error); }

std::string in_unit(double value, const std::string& unit) {
  return unit == "op/s" ? fmt::format("{:.2f} M/s", value * 1e-6) : results::digits(value) + " " + unit;
}

std::string table_of(const std::vector<forecast>& all) {
  views::column what{"", "cell", {}}, measured{"", "measured", {}}, predicted{"", "predicted", {}},
      error{"", "error", {}};
  const std::set<std::string> axes = differing_axes(all);
  for (const forecast& f : all) {
    results::coordinates at;
    for (const auto& [axis, value] : f.at.entries())
      if (axes.contains(axis)) at.set(axis, value);
    what.entries.push_back(number(results::printable(fmt::format("{} {} {}", f.experiment, f.metric, at.to_string()))));
    measured.entries.push_back(number(in_unit(f.measured, f.unit)));
    predicted.entries.push_back(number(in_unit(f.median(), f.unit)));
    const bool far_off = std::abs(f.error()) > simulations::allowed_error;
    error.entries.push_back(
        number(fmt::format("{:+.0f} %", 100 * f.error()), far_off ? views::tone::warn : views::tone::plain));
  }
  return views::render({what}, {measured, predicted, error}, style_for(standard_output()));
}

/// By experiment and mode; what the model was made of stands below and is not judged.
std::string errors_in_words(const std::vector<forecast>& all) {
  views::column what{"", "experiment", {}}, mode{"", "mode", {}}, cells{"", "cells", {}},
      median{"", "median error", {}}, ninth{"", "9 of 10 within", {}}, verdict{"", "", {}};
  for (const simulations::error_row& row : simulations::errors_of(all)) {
    const std::optional<bool> holds = row.holds();
    what.entries.push_back(number(row.experiment));
    mode.entries.push_back(number(results::printable(row.mode)));
    cells.entries.push_back(number(std::to_string(row.cells)));
    median.entries.push_back(number(percent(row.median)));
    ninth.entries.push_back(number(row.ninth ? percent(*row.ninth) : "-"));
    verdict.entries.push_back(!holds   ? number("fitted", views::tone::dim)
                              : *holds ? number("holds")
                                       : number("FAILS", views::tone::warn));
  }
  return views::render({what, mode}, {cells, median, ninth, verdict}, style_for(standard_output()));
}

/// How many were fitted, how many not, and what was left out.
std::string counts_in_words(const simulations::held& all) {
  const auto fitted = static_cast<std::size_t>(
      std::count_if(all.cells.begin(), all.cells.end(), [](const forecast& f) { return f.fitted; }));
  std::string text =
      fmt::format("{} predicted; {} fitted, of which the model is made. Allowed is a median of {}.\n",
                  counted(all.cells.size() - fitted, "cell"), fitted, percent(simulations::allowed_error));
  if (all.elsewhere != 0)
    text += fmt::format("{} not predicted: processors were at a distance at which no single accesses were measured.\n",
                        counted(all.elsewhere, "cell"));
  return text;
}

// ---- the file

results::cell cell_of(const forecast& f) {
  results::cell c;
  c.experiment = f.experiment;
  c.at = f.at;
  c.metric = f.metric;
  c.unit = f.unit;
  c.direction = f.direction;
  c.samples = f.predicted;
  c.noise = json::object();
  results::summarize(c);
  return c;
}

json errors_json(const std::vector<forecast>& all) {
  json rows = json::array();
  for (const simulations::error_row& row : simulations::errors_of(all))
    rows.push_back({{"experiment", row.experiment},
                    {"mode", row.mode},
                    {"fitted", row.fitted},
                    {"cells", row.cells},
                    {"median", row.median},
                    {"nine_of_ten", row.ninth ? json(*row.ninth) : json()},
                    {"holds", row.holds() ? json(*row.holds()) : json()}});
  return rows;
}

/// A results file, by its name and the moment at which it was begun.
json named_json(const std::string& file, const results::document& d) {
  return {{"file", file}, {"started", d.invocation.value("started", json())}};
}

/// The predictions as the cells of a simulated machine, at the places of those that were measured, and how far off they are.
results::document document_of(const simulate_options& o, const fitted_file& fit, const fitted_file& judged,
                              const simulations::held& all) {
  const json request{{"against", judged.name}, {"machine", fit.name}};
  results::document d = origin_of(o.how, o.asked.seed.value_or(1), request, all.models);
  d.complete = true;
  d.topology = simulations::topology_facts(*all.models.front());
  d.machine["model_name"] = fit.results.machine.value("model_name", json());
  d.machine["forecast"] = {{"made_of", named_json(fit.name, fit.results)},
                           {"against", named_json(judged.name, judged.results)},
                           {"allowed", simulations::allowed_error},
                           {"not_predicted", all.elsewhere},
                           {"errors", errors_json(all.cells)}};
  for (const forecast& f : all.cells) d.cells.push_back(cell_of(f));
  return d;
}

void write(const simulate_options& o, const results::document& d) {
  try {
    report_kept(o.how.output, results::write_document(d, o.how.output));
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
  say("written: " + results::printable(o.how.output));
}

void check(const simulate_options& o) {
  if (!o.asked.experiments.empty())
    fail_usage("--against takes everything from the results files; leave experiments out");
  if (o.against->empty()) fail_usage("--against needs the name of a results file");
  if (simulator::built_in_model(o.machines) != nullptr || split(o.machines).size() > 1)
    fail_usage("--against makes its models of results: --machine takes one results file of the same host");
  const std::vector<std::string> files = split(*o.against);
  if (!o.output_given) return;
  if (files.size() > 1) fail_usage("--output takes what is predicted of one results file; --against names several");
  check_output(o.how.output, {files.front(), o.machines});
}

}  // namespace

status hold_against(const simulate_options& o) {
  check(o);
  std::optional<fitted_file> fit;
  if (!o.machines.empty()) fit = {o.machines, read(o.machines)};
  simulations::held all;
  for (const std::string& file : split(*o.against)) {
    const fitted_file judged{file, read(file)};
    const simulations::held here = hold(fit ? *fit : judged, judged, o.asked.seed.value_or(1));
    print(results::printable(file, 200) + "\n" + (here.cells.empty() ? "" : table_of(here.cells)) + "\n");
    all.cells.insert(all.cells.end(), here.cells.begin(), here.cells.end());
    all.elsewhere += here.elsewhere;
    if (o.output_given) write(o, document_of(o, fit ? *fit : judged, judged, here));
  }
  print(errors_in_words(all.cells) + "\n" + counts_in_words(all));
  return status::done;
}

}  // namespace synchro::simulate
