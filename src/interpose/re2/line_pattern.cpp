#include "interpose/line_pattern.hpp"

#include <fmt/format.h>
#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <array>

#include "terminal/failure.hpp"

namespace synchro::interpose {

struct line_pattern::matcher {
  RE2 expression;
};

line_pattern::line_pattern(const std::string& pattern) {
  RE2::Options quiet;
  quiet.set_log_errors(false);
  auto made = std::shared_ptr<matcher>(new matcher{{pattern, quiet}});
  if (!made->expression.ok())
    terminal::fail_usage(fmt::format("--metric regex: '{}' is not a regular expression", pattern));
  if (made->expression.NumberOfCapturingGroups() == 0)
    terminal::fail_usage(
        fmt::format("--metric regex: needs a group in brackets that is the number: '{}' has none", pattern));
  matcher_ = std::move(made);
}

std::optional<std::string> line_pattern::last_match(const std::string& text) const {
  std::optional<std::string> found;
  std::array<re2::StringPiece, 2> groups;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const re2::StringPiece line{text.data() + begin, end - begin};
    const bool fits = matcher_->expression.Match(line, 0, line.size(), RE2::UNANCHORED, groups.data(), 2);
    if (fits && groups[1].data() != nullptr) found = std::string{groups[1].data(), groups[1].size()};
    begin = end + 1;
  }
  return found;
}

}  // namespace synchro::interpose
