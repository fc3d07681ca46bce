// Reading what a user typed: names with a slip in them, patterns, sweeps of numbers, durations.

#ifndef SYNCHRO_TERMINAL_PARSE_VALUES_HPP
#define SYNCHRO_TERMINAL_PARSE_VALUES_HPP

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "results/names.hpp"
#include "results/text.hpp"
#include "terminal/failure.hpp"

namespace synchro::terminal {

using results::as_typed;
using results::enumerate;
using results::nearest;
using results::no_such;
using results::split;

/// The names meant by a pattern, in their own order: the name itself, a glob (`*` for any text, `?` for any character),
/// or a family ("coherence" for every "coherence.x", "mcs" does not mean "mcs/park").
[[nodiscard]] std::vector<std::string> matching(const std::string& pattern, const std::vector<std::string>& names);

/// A number within these bounds, as typed after `option`. Throws failure (usage) with a sentence that calls it a `kind`.
template <class Number>
[[nodiscard]] Number parse_number(const std::string& typed, const char* option, const char* kind, Number least,
                                  Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), value);
  if (error != std::errc{} || end != typed.data() + typed.size() || !(value >= least && value <= most))
    fail_usage(fmt::format("{} takes a {} from {} to {}, not '{}'", option, kind, least, most, typed));
  return value;
}

/// "1,2,4-16:4" is 1 2 4 8 12 16. Throws failure (usage) that names the part it cannot read.
[[nodiscard]] std::vector<std::int64_t> parse_sweep(const std::string& text, const std::string& option);

/// "500ms", "60s", "5m", "1h" in seconds. Throws failure (usage); a number without a unit is not a duration.
[[nodiscard]] double parse_duration(const std::string& text, const std::string& option);

/// "5%" as 0.05. Throws failure (usage); a number without the sign could be meant either way.
[[nodiscard]] double parse_percentage(const std::string& text, const std::string& option);

/// "0/4", each fourth thing from the first on, as {0, 4}. Throws failure (usage).
[[nodiscard]] std::pair<std::size_t, std::size_t> parse_share(const std::string& typed);

/// The number after --seed. Throws failure (usage).
[[nodiscard]] std::uint64_t parse_seed(const std::string& typed);

/// A duration for people: "0.4 s", "12 s", "3 min 20 s", "1 h 05 min".
[[nodiscard]] std::string duration_text(double seconds);

/// "1 cell", "2 cells".
[[nodiscard]] std::string counted(std::size_t n, const std::string& noun);

}  // namespace synchro::terminal

#endif
