// Reading what a user typed: names with a slip in them, patterns, sweeps of numbers, durations.

#ifndef SYNCHRO_CLI_WORDS_HPP
#define SYNCHRO_CLI_WORDS_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace synchro::cli {

/// Parts between separators; empty parts are kept.
[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator = ',');

/// "a, b and c".
[[nodiscard]] std::string enumerate(const std::vector<std::string>& words);

/// The names a slip may have been meant as, nearest first, at most `most`: by edit distance (a swap of neighbours is
/// one edit), names that contain the word first.
[[nodiscard]] std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names,
                                               std::size_t most = 3);

/// "there is no lock 'msc'; the nearest names are mcs, tas and clh"
[[nodiscard]] std::string no_such(const std::string& kind, const std::string& word,
                                  const std::vector<std::string>& names);

/// The names meant by a pattern, in their own order: the name itself, a glob (`*` for any text, `?` for any character),
/// or a family ("coherence" for every "coherence.x", "mcs" does not mean "mcs/park").
[[nodiscard]] std::vector<std::string> matching(const std::string& pattern, const std::vector<std::string>& names);

/// "1,2,4-16:4" is 1 2 4 8 12 16. Throws failure (usage) that names the part it cannot read.
[[nodiscard]] std::vector<std::int64_t> parse_sweep(const std::string& text, const std::string& option);

/// "500ms", "60s", "5m", "1h" in seconds. Throws failure (usage); a number without a unit is not a duration.
[[nodiscard]] double parse_duration(const std::string& text, const std::string& option);

/// "5%" as 0.05. Throws failure (usage); a number without the sign could be meant either way.
[[nodiscard]] double parse_percentage(const std::string& text, const std::string& option);

/// A duration for people: "0.4 s", "12 s", "3 min 20 s", "1 h 05 min".
[[nodiscard]] std::string duration_text(double seconds);

/// "1 cell", "2 cells".
[[nodiscard]] std::string counted(std::size_t n, const std::string& noun);

}  // namespace synchro::cli

#endif
