// A program as a set of commands, as git is: what a command is, and what becomes of a mistake on the command line.
//
// A command is one file: its options, its help, and what it does. The program reads the words, finds the command, and says
// every mistake in one sentence.

#ifndef SYNCHRO_TERMINAL_COMMAND_HPP
#define SYNCHRO_TERMINAL_COMMAND_HPP

#include <functional>
#include <string>
#include <vector>

#include "terminal/failure.hpp"
#include "terminal/options.hpp"

namespace synchro::terminal {

/// All that was typed, the program's name first.
using words = std::vector<std::string>;

/// What a command does once its options have been read.
using deed = std::function<status(const words& typed)>;

struct command {
  std::string name;
  std::string line;                           ///< What it is for.
  std::function<deed(options& its)> declare;  ///< Declares its options; the deed is called when they have been read.
  /// The sentence where a word is missing that it cannot do without; empty: such words are results files.
  std::string needs = {};
};

struct program_facts {
  std::string about;     ///< What the help begins with,
  std::string examples;  ///< and what it ends with.
  std::string usual;     ///< The command if none is typed; empty: the help.
};

/// The program. Returns its exit status (failure.hpp); never throws.
[[nodiscard]] int program(int argc, char** argv, const program_facts& facts, const std::vector<command>& all) noexcept;

}  // namespace synchro::terminal

#endif
