#include "simulator/model.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulator/from_results.hpp"

namespace synchro::cli {

namespace {

nlohmann::ordered_json read(const model_options& o) {
  const auto stretch = parse_number(o.stretch, "--stretch", "whole number", 1U, 64U);
  const auto across = parse_number(o.across, "--across", "number", 1.0, 100.0);
  try {
    nlohmann::ordered_json document = simulator::load_model(o.file).document();
    if (stretch > 1) document = simulator::stretched(std::move(document), stretch, across);
    const simulator::model checked{document};
    return document;
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

}  // namespace

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

}  // namespace synchro::cli
