// A regular expression that is looked for line by line, in a time that grows with the text and not with the pattern's nesting:
// neither comes from somebody to be trusted.

#ifndef SYNCHRO_INTERPOSE_LINE_PATTERN_HPP
#define SYNCHRO_INTERPOSE_LINE_PATTERN_HPP

#include <memory>
#include <optional>
#include <string>

namespace synchro::interpose {

class line_pattern {
 public:
  /// RE2's syntax, with at least one group. Throws failure (usage) with one sentence; failure (cannot) where there is no matcher.
  explicit line_pattern(const std::string& pattern);

  /// The first group in the last line that fits; nothing if none does, or if the group has no part in it.
  [[nodiscard]] std::optional<std::string> last_match(const std::string& text) const;

 private:
  struct matcher;
  std::shared_ptr<const matcher> matcher_;
};

}  // namespace synchro::interpose

#endif
