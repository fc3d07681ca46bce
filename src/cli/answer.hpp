// How a command ends that has results to show: with what they come to, on one screen; with their tables, if asked for.

#ifndef SYNCHRO_CLI_ANSWER_HPP
#define SYNCHRO_CLI_ANSWER_HPP

#include <cstddef>
#include <optional>
#include <string>

#include "results/document.hpp"

namespace synchro::cli {

/// How many lines an answer may have: those of the terminal but one, twenty where standard output is none.
[[nodiscard]] std::size_t most_lines();

/// What was measured, where and when, in one line.
[[nodiscard]] std::string heading(const results::document& d);

/// The text in paragraphs that fit standard output, and are not wider than is read with ease: 40 to 100 columns.
[[nodiscard]] std::size_t reading_width();

/// The document's tables if they are asked for, page by page on a terminal, and then its findings. `file` is where it
/// is kept, if it is: the answer says how to see the tables.
void print_answer(const results::document& d, const std::optional<std::string>& file, bool with_tables);

}  // namespace synchro::cli

#endif
