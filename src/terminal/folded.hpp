// Text for people, made to fit a terminal: cut between words, never in one.

#ifndef SYNCHRO_TERMINAL_FOLDED_HPP
#define SYNCHRO_TERMINAL_FOLDED_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace synchro::terminal {

/// Narrower than this no text is made.
inline constexpr std::size_t narrowest = 40;

/// The lines of a text, those that are longer than `width` columns (0: no bound) continued in further ones. These stand
/// under the last column of a line that has columns (two blanks part them), if that leaves half of the width; else a
/// little further in than the line. A command that is to be copied is continued as a shell takes it, behind a
/// backslash. A sentence that goes on in the next line, as prose does, is folded as one. What only colours takes no columns. A
/// word that is longer than a line stands alone.
[[nodiscard]] std::string folded(std::string_view text, std::size_t width);

}  // namespace synchro::terminal

#endif
