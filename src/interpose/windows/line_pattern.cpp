// `tune` is not there for Windows, and neither is the library that matches.

#include "interpose/line_pattern.hpp"

#include "terminal/failure.hpp"

namespace synchro::interpose {

struct line_pattern::matcher {};

line_pattern::line_pattern(const std::string&) { terminal::fail_cannot("--metric regex: is not available on Windows"); }

std::optional<std::string> line_pattern::last_match(const std::string&) const { return std::nullopt; }

}  // namespace synchro::interpose
