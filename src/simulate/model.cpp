#include "simulator/model.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "results/experiment_names.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulate/commands.hpp"
#include "simulator/core_matrix.hpp"
#include "simulator/from_results.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::simulate {

namespace {

struct model_options {
  std::string file;  ///< A results file, or a model.
  std::optional<std::string> output;
  std::string stretch = "1", across = "3";   ///< As typed.
  std::optional<std::string> ghz, packages;  ///< As typed; of a matrix.
};

nlohmann::ordered_json document_of(const model_options& o) {
  if (!simulator::is_core_matrix(o.file)) {
    if (o.ghz || o.packages) fail_usage("--ghz and --packages are for a matrix, a file whose name ends in .csv");
    return simulator::load_model(o.file).document();
  }
  std::optional<double> ghz;
  if (o.ghz) ghz = parse_number(*o.ghz, "--ghz", "number", 0.1, 20.0);
  const auto packages = parse_number(o.packages.value_or("1"), "--packages", "whole number", 1U, 64U);
  return simulator::model_from_matrix_file(o.file, ghz, packages);
}

nlohmann::ordered_json read(const model_options& o) {
  const auto stretch = parse_number(o.stretch, "--stretch", "whole number", 1U, 64U);
  const auto across = parse_number(o.across, "--across", "number", 1.0, 100.0);
  try {
    nlohmann::ordered_json document = document_of(o);
    if (stretch > 1) document = simulator::stretched(std::move(document), stretch, across);
    const simulator::model checked{document};
    return document;
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

status make_model(const model_options& o) {
  if (o.output) check_output(*o.output, {o.file});
  const nlohmann::ordered_json document = read(o);
  const std::string text = results::dump(document, 2) + "\n";
  if (document.contains("assumptions"))
    for (const auto& a : document["assumptions"]) say("assumed: " + results::printable(a.get<std::string>(), 400));
  if (!o.output) {
    print(text);
    return status::done;
  }
  write_output(*o.output, text);
  say("written: " + results::printable(*o.output));
  return status::done;
}

deed declare_model(options& its) {
  const auto typed = std::make_shared<model_options>();
  its.value("file", typed->file,
            fmt::format("A results file with {} and {}, a model, or a matrix of times between processors (.csv)",
                        results::experiment_names::coherence_states, results::experiment_names::coherence_local))
      .required()
      .called("FILE");
  its.value("-o,--output", typed->output, "File to write (standard output)").called("FILE");
  its.value("--stretch", typed->stretch, "Multiply the number of packages by this").called("N");
  its.value("--across", typed->across,
            "If only one package was measured: how many times longer a transfer between packages takes (3)")
      .called("FACTOR");
  its.value("--ghz", typed->ghz, "For a matrix: the clock of its machine, GHz").called("NUMBER");
  its.value("--packages", typed->packages, "For a matrix: how many packages its machine has (1)").called("N");
  its.ends_with("Example:\n  synchroscope model results.json --stretch 8 -o eight.json\n");
  return [typed](const words&) { return make_model(*typed); };
}

}  // namespace

command model_command() { return {"model", "Make a machine model for simulate from measurements", declare_model}; }

}  // namespace synchro::simulate
