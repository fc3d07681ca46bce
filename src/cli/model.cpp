#include "simulator/model.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "results/file.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulator/from_results.hpp"

namespace synchro::cli {

namespace {

nlohmann::ordered_json read(const model_options& o) {
  if (o.stretch < 1 || o.stretch > 64) fail_usage("--stretch takes a whole number from 1 to 64");
  if (!(o.across >= 1) || o.across > 100) fail_usage("--across takes a number from 1 to 100");
  try {
    nlohmann::ordered_json document = simulator::load_model(o.file).document();
    if (o.stretch > 1) document = simulator::stretched(std::move(document), o.stretch, o.across);
    const simulator::model checked{document};
    return document;
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

}  // namespace

status make_model(const model_options& o) {
  const nlohmann::ordered_json document = read(o);
  const std::string text = results::dump(document, 2) + "\n";
  if (document.contains("assumptions"))
    for (const auto& a : document["assumptions"]) say("assumed: " + results::printable(a.get<std::string>(), 400));
  if (o.output.empty()) {
    print(text);
    return status::done;
  }
  try {
    results::replace_file(o.output, text);
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
  say("written: " + results::printable(o.output));
  return status::done;
}

}  // namespace synchro::cli
