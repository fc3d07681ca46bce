#include "terminal/parse_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "terminal/failure.hpp"

namespace synchro::terminal {

namespace {

/// After a mismatch only the last star takes one character more: an earlier one could gain nothing that the last
/// cannot, so the time is at most the product of the lengths.
bool glob(const char* pattern, const char* text) {
  const char* after_star = nullptr;
  const char* retry = nullptr;
  while (*text != '\0') {
    if (*pattern == '*') {
      after_star = ++pattern;
      retry = text;
    } else if (*pattern == '?' || *pattern == *text) {
      ++pattern, ++text;
    } else if (after_star != nullptr) {
      pattern = after_star;
      text = ++retry;
    } else {
      return false;
    }
  }
  while (*pattern == '*') ++pattern;
  return *pattern == '\0';
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr std::uint64_t largest_sweep = 10'000;

/// "4", "4-16" or "4-16:4"; nothing if it is none of these.
std::optional<std::vector<std::int64_t>> range(const std::string& part) {
  const auto colon = part.find(':');
  const auto dash = part.find('-', 1);
  if (colon != std::string::npos && dash == std::string::npos) return std::nullopt;
  const auto first = whole_number(part.substr(0, dash));
  const auto last = dash == std::string::npos ? first : whole_number(part.substr(dash + 1, colon - dash - 1));
  const auto step = colon == std::string::npos ? std::optional<std::int64_t>{1} : whole_number(part.substr(colon + 1));
  if (!first || !last || !step || *step < 1 || *last < *first) return std::nullopt;
  // Without sign, for the distance of two numbers may be more than one with a sign can hold.
  const auto steps =
      (static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(*first)) / static_cast<std::uint64_t>(*step);
  if (steps >= largest_sweep) return std::nullopt;
  std::vector<std::int64_t> values;
  for (std::uint64_t i = 0; i <= steps; ++i) values.push_back(*first + static_cast<std::int64_t>(i) * *step);
  return values;
}

}  // namespace

std::vector<std::string> matching(const std::string& pattern, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), pattern) != names.end()) return {pattern};
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (glob(pattern.c_str(), name.c_str()) || name.rfind(pattern + ".", 0) == 0) found.push_back(name);
  return found;
}

std::vector<std::int64_t> parse_sweep(const std::string& text, const std::string& option) {
  std::vector<std::int64_t> values;
  for (const std::string& part : split(text)) {
    const auto some = range(part);
    if (!some)
      fail_usage(fmt::format("{} takes numbers and ranges such as 1,2,4-16:4, and '{}' is neither", option, part));
    for (const std::int64_t v : *some)
      if (std::find(values.begin(), values.end(), v) == values.end()) values.push_back(v);
  }
  return values;
}

double parse_duration(const std::string& text, const std::string& option) {
  static const std::vector<std::pair<std::string, double>> units{{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const std::string number = text.substr(0, digits);
  const std::string unit = digits == std::string::npos ? "" : text.substr(digits);
  for (const auto& [name, seconds] : units) {
    if (unit != name || number.empty() || number.size() > 12 || std::count(number.begin(), number.end(), '.') > 1 ||
        number == ".")
      continue;
    const double value = std::stod(number) * seconds;
    if (value > 0) return value;
    fail_usage(fmt::format("{} takes a duration above 0, such as 500ms, 60s, 5m or 1h; it is {}", option, text));
  }
  fail_usage(
      fmt::format("{} takes a duration with its unit, such as 500ms, 60s, 5m or 1h; '{}' has no unit", option, text));
}

double parse_percentage(const std::string& text, const std::string& option) {
  const std::string number = text.substr(0, text.find_last_not_of(" %") + 1);
  const bool plain = !number.empty() && number.size() <= 12 && number != "." &&
                     number.find_first_not_of("0123456789.") == std::string::npos &&
                     std::count(number.begin(), number.end(), '.') <= 1;
  const std::string sign = text.substr(number.size());
  if (!plain || (sign != "%" && sign != " %"))
    fail_usage(fmt::format("{} takes a percentage such as 5%, not '{}'", option, text));
  return std::stod(number) / 100;
}

std::pair<std::size_t, std::size_t> parse_share(const std::string& typed) {
  constexpr const char* option = "--share";
  const auto slash = typed.find('/');
  if (slash == std::string::npos)
    fail_usage(fmt::format("{} takes a part and how many there are, such as 0/4, not '{}'", option, typed));
  const auto of = parse_number<std::size_t>(typed.substr(slash + 1), option, "number of parts", 1, 1'000'000);
  return {parse_number<std::size_t>(typed.substr(0, slash), option, "part", 0, of - 1), of};
}

std::uint64_t parse_seed(const std::string& typed) {
  const bool digits =
      !typed.empty() && typed.size() <= 15 && typed.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) fail_usage(fmt::format("--seed takes a whole number of at most 15 digits, not '{}'", typed));
  return std::stoull(typed);
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", std::max(0.0, seconds));
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string counted(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace synchro::terminal
