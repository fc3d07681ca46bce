// The commands of the program that stands in front of others.

#ifndef SYNCHRO_INTERPOSE_COMMANDS_HPP
#define SYNCHRO_INTERPOSE_COMMANDS_HPP

#include "terminal/command.hpp"

namespace synchro::interpose {

using namespace terminal;  // what the commands are made of

[[nodiscard]] command with_command();
[[nodiscard]] command profile_command();
[[nodiscard]] command top_command();
[[nodiscard]] command tune_command();

}  // namespace synchro::interpose

#endif
