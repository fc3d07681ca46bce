// Commands that other programs of this house perform: what one program would cost to compile, whoever needs only a part
// of it does not pay.

#ifndef SYNCHRO_TERMINAL_OTHER_PROGRAM_HPP
#define SYNCHRO_TERMINAL_OTHER_PROGRAM_HPP

#include <string>

#include "terminal/command.hpp"

namespace synchro::terminal {

/// Becomes that program, which is built first if it is not there, with the words that were typed. Throws failure (cannot).
[[noreturn]] void hand_over(const std::string& program, const words& typed);

/// A command that is that program's: its options and its help are found there.
[[nodiscard]] command performed_by(const std::string& program, const std::string& name, const std::string& line);

}  // namespace synchro::terminal

#endif
