// The commands of the program that judges many hosts.

#ifndef SYNCHRO_FLEET_COMMANDS_HPP
#define SYNCHRO_FLEET_COMMANDS_HPP

#include "terminal/command.hpp"

namespace synchro::fleet {

using namespace terminal;  // what the commands are made of

[[nodiscard]] command fleet_command();
/// The same for `fleet run`, whose words are the package for Python's to read, for the engines that reach hosts are known there.
[[nodiscard]] command fleet_run_command();

}  // namespace synchro::fleet

#endif
