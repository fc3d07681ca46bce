// The commands of the program that proves.

#ifndef SYNCHRO_VERIFY_COMMANDS_HPP
#define SYNCHRO_VERIFY_COMMANDS_HPP

#include "terminal/command.hpp"

namespace synchro::verify {

using namespace terminal;  // what the commands are made of

[[nodiscard]] command verify_command();
[[nodiscard]] command list_primitives_command();

}  // namespace synchro::verify

#endif
