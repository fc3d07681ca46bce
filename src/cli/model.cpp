#include "simulator/model.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/output.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulator/from_results.hpp"

namespace synchro::cli {

namespace {

/// A number within these bounds, as typed after `option`.
template <class Number>
Number read_number(const std::string& typed, const char* option, const char* kind, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), value);
  if (error != std::errc{} || end != typed.data() + typed.size() || !(value >= least && value <= most))
    fail_usage(fmt::format("{} takes a {} from {} to {}, not '{}'", option, kind, least, most, typed));
  return value;
}

nlohmann::ordered_json read(const model_options& o) {
  const auto stretch = read_number(o.stretch, "--stretch", "whole number", 1U, 64U);
  const auto across = read_number(o.across, "--across", "number", 1.0, 100.0);
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
