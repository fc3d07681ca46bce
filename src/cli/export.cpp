#include "views/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/read_results.hpp"
#include "experiments/framework/experiment.hpp"
#include "results/file.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

namespace {

struct export_options {
  std::string file;
  std::optional<std::string> format;  ///< Told by the ending of the output if not given.
  std::optional<std::string> output;  ///< If not given: standard output, or beside the results what is no text.
  std::optional<std::string> experiment;
  std::vector<std::string> at;  ///< "protocol=cas": only these cells.
};

struct form {
  const char* name;
  const char* ending;  ///< Of file names that mean it; empty if that would mean another as well.
  views::exported (*write)(const results::document&);
  bool text;
};

/// The forms that show tables show them as the experiments declare.
views::exported markdown(const results::document& d) { return views::to_markdown(d, experiments::all_presentations()); }
views::exported xlsx(const results::document& d) { return views::to_xlsx(d, experiments::all_presentations()); }

constexpr std::array<form, 5> forms{{{"csv", ".csv", views::to_csv, true},
                                     {"xlsx", ".xlsx", xlsx, false},
                                     {"markdown", ".md", markdown, true},
                                     {"gbench", "", views::to_gbench, true},
                                     {"matrix", "", views::to_matrix, true}}};

std::vector<std::string> names_of_forms() {
  std::vector<std::string> names;
  for (const form& f : forms) names.emplace_back(f.name);
  return names;
}

const form& form_of(const export_options& options) {
  if (options.format) {
    for (const form& f : forms)
      if (*options.format == f.name) return f;
    fail_usage(no_such("export format", *options.format, names_of_forms()));
  }
  for (const form& f : forms)
    if (*f.ending != '\0' && options.output && options.output->ends_with(f.ending)) return f;
  const std::string formats = enumerate(names_of_forms());
  if (options.output)
    fail_usage(fmt::format("the ending of '{}' names no format: give --format, one of {}", *options.output, formats));
  fail_usage(fmt::format("export needs --format, one of {}", formats));
}

/// What a coordinate, or one of the cell's own names, says as text.
std::optional<std::string> value_by(const results::cell& c, const std::string& axis) {
  if (const results::coordinate* found = c.at.find(axis)) return results::to_string(*found);
  if (axis == "metric") return c.metric;
  if (axis == "unit") return c.unit;
  if (axis == "experiment") return c.experiment;
  if (axis == "mode") return "near";  // Cells measured in the near mode do not say so.
  return std::nullopt;
}

/// Leaves the cells at these places. Throws failure (usage) where that leaves none.
void keep_where(results::document& d, const std::string& place) {
  const auto equals = place.find('=');
  if (equals == std::string::npos || equals == 0)
    fail_usage(fmt::format("--at takes a coordinate and its values, such as protocol=cas, not '{}'", place));
  const std::string axis = place.substr(0, equals);
  const auto wanted = split(place.substr(equals + 1));
  std::vector<std::string> known;
  for (const results::cell& c : d.cells)
    if (const auto value = value_by(c, axis); value && std::find(known.begin(), known.end(), *value) == known.end())
      known.push_back(*value);
  if (known.empty()) fail_usage(fmt::format("no cell here has a coordinate '{}'", axis));
  for (const std::string& value : wanted)
    if (std::find(known.begin(), known.end(), value) == known.end()) fail_usage(no_such(axis, value, known));
  std::erase_if(d.cells, [&](const results::cell& c) {
    const auto value = value_by(c, axis);
    return !value || std::find(wanted.begin(), wanted.end(), *value) == wanted.end();
  });
}

/// Where it goes; nothing: to standard output, which takes text only. Beside r.json stands r.xlsx.
std::optional<std::string> output_of(const export_options& options, const form& f) {
  if (options.output || f.text) return options.output;
  if (results::is_special(options.file))
    fail_usage(fmt::format("{} is not a text format: name a file for it with -o", f.name));
  return std::filesystem::path{options.file}.replace_extension(f.ending).string();
}

status export_results(const export_options& options) {
  const form& f = form_of(options);
  const std::optional<std::string> output = output_of(options, f);
  if (output) check_output(*output, {options.file});
  results::document d = read_results(options.file, options.experiment);
  for (const std::string& place : options.at) keep_where(d, place);
  views::exported made;
  try {
    made = f.write(d);
  } catch (const std::runtime_error& e) {
    const std::string file = results::printable(options.file);
    if (f.text) fail_usage(fmt::format("{} cannot be exported as {}: {}", file, f.name, e.what()));
    fail_cannot(e.what());
  }
  if (output) {
    write_output(*output, made.content);
    say(fmt::format("written: {}", results::printable(*output)));
  } else {
    print(made.content);
  }
  for (const std::string& note : made.notes) say("note: " + note);
  return status::done;
}

deed declare_export(options& its) {
  const auto typed = std::make_shared<export_options>();
  its.value("file", typed->file, "A results file").required().called("FILE");
  its.value("--format", typed->format,
            "csv, xlsx, markdown, gbench (Google Benchmark's JSON) or matrix (numbers by processor)")
      .called("FORMAT");
  its.value("-o,--output", typed->output,
            "File to write (standard output; xlsx: beside the results); its extension may give the format")
      .called("FILE");
  its.value("--experiment", typed->experiment, "Only these experiments: a name, family or glob").called("EXPERIMENT");
  its.values("--at", typed->at, "Only cells with these coordinates: protocol=cas, threads=1,2")
      .called("AXIS=VALUES")
      .one_at_a_time();
  its.ends_with("Example:\n  synchroscope export r.json --format matrix --at protocol=cas -o matrix.csv\n");
  return [typed](const words&) { return export_results(*typed); };
}

}  // namespace

command export_command() { return {"export", "Write a results file in the formats of other programs", declare_export}; }

}  // namespace synchro::cli
