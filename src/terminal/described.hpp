// All commands of a program as data, of which its manual pages and its completion in shells are made (cmake/manual).

#ifndef SYNCHRO_TERMINAL_DESCRIBED_HPP
#define SYNCHRO_TERMINAL_DESCRIBED_HPP

#include <string>

namespace CLI {
class App;
}

namespace synchro::terminal {

/// The word that asks for it, which no help mentions.
inline constexpr const char* describe_word = "--describe";

/// As JSON: what the program's help and that of each command are made of.
[[nodiscard]] std::string described(const CLI::App& program);

}  // namespace synchro::terminal

#endif
