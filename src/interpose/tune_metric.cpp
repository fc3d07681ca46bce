#include "interpose/tune_metric.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "platform/tool.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "terminal/failure.hpp"

namespace synchro::interpose {

using namespace terminal;

namespace {

constexpr const char* pattern_prefix = "regex:";
constexpr const char* command_prefix = "command:";

/// The text as a number above zero, which has a logarithm.
reading number_in(const std::string& text, const std::string& what) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n+");
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  double value = 0;
  const char* const from = text.data() + (begin == std::string::npos ? text.size() : begin);
  const char* const to = text.data() + (end == std::string::npos ? text.size() : end + 1);
  const auto [stop, error] = std::from_chars(from, to, value);
  if (error != std::errc{} || stop != to || !std::isfinite(value))
    return {{}, fmt::format("{} gave '{}', which is not a number", what, results::printable(text, 40))};
  if (value <= 0) return {{}, fmt::format("{} gave {:g}, and only numbers above 0 can be compared", what, value)};
  return {value};
}

reading made_by(const std::string& command, const std::string& out) {
  const auto told = platform::run_tool("sh", {"-c", command}, out);
  if (!told || !told->well) {
    const std::string why = told ? told->errors : "there is no sh";
    return {{}, fmt::format("the metric's command failed: {}", results::printable(why, 120))};
  }
  return number_in(told->out, "the metric's command");
}

}  // namespace

run_metric::run_metric(const std::string& text, bool higher, bool lower) : text_{text}, higher_{higher} {
  if (higher && lower) fail_usage("--higher and --lower exclude each other");
  if (text == "wall") {
    if (higher) fail_usage("--metric wall is a time: smaller is better");
    return;
  }
  for (const auto& [prefix, how] : {std::pair{pattern_prefix, source::pattern}, {command_prefix, source::command}})
    if (text.starts_with(prefix)) how_ = how, asked_ = text.substr(std::string{prefix}.size());
  if (how_ == source::wall)
    fail_usage(fmt::format("--metric takes wall, regex:PATTERN or command:COMMAND, not '{}'", text));
  if (asked_.empty()) fail_usage(fmt::format("--metric {} needs something after the colon", text));
  if (!higher && !lower) fail_usage("--metric needs --higher or --lower, too: which numbers are better");
  if (how_ == source::pattern) pattern_.emplace(asked_);
}

reading run_metric::read(const platform::program_end& end, const std::string& out, const std::string& errors) const {
  if (how_ == source::wall) return {end.seconds};
  if (how_ == source::command) return made_by(asked_, out);
  auto found = pattern_->last_match(out);
  if (!found) found = pattern_->last_match(errors);
  if (!found) return {{}, "the regular expression matches no line of its output"};
  return number_in(*found, "the regular expression");
}

double run_metric::logarithm(double value) const { return higher_ ? -std::log(value) : std::log(value); }

std::string run_metric::in_words(double value) const {
  if (!is_time()) return results::significant(value, 4);
  return value < 0.9995 ? results::significant(value * 1000, 3) + " ms" : results::significant(value, 3) + " s";
}

}  // namespace synchro::interpose
