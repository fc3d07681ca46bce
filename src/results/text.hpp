// Text that came from a file or from a user, made fit for one line of a terminal or of a message.

#ifndef SYNCHRO_RESULTS_TEXT_HPP
#define SYNCHRO_RESULTS_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace synchro::results {

/// The text as one printable line of at most `columns` columns: control characters (escape sequences, line breaks),
/// characters that reorder or hide text, and bytes that are not UTF-8 become "?"; what is too long ends in "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t columns = 120);

/// The same with every character beyond ASCII as "?", for a terminal that cannot show it.
[[nodiscard]] std::string printable_ascii(std::string_view text, std::size_t columns = 120);

/// JSON with those characters as \u escapes, which every reader of JSON takes for the same text.
[[nodiscard]] std::string escaped(std::string_view json);

/// Both texts, with the separator between them if neither is empty.
[[nodiscard]] std::string joined(std::string_view first, std::string_view separator, std::string_view second);

/// Parts between separators; empty parts are kept.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator = ',');

/// A word as it is typed into a shell, to be copied: in quotes where it has more than letters, digits and "/._-+=:,@%".
[[nodiscard]] std::string as_typed(const std::string& word);
/// A command, word by word.
[[nodiscard]] std::string as_typed(const std::vector<std::string>& command);

/// The text in lines of at most `width` columns (0: no bound), cut at spaces; each line ended, all but the first
/// indented.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// How many ends of lines it has.
[[nodiscard]] std::size_t lines_in(std::string_view text);

/// Columns that a UTF-8 text takes, one for each character.
[[nodiscard]] std::size_t width_of(std::string_view text);

}  // namespace synchro::results

#endif
