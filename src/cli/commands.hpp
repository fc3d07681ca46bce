// The commands of the program, one file each with its options, its help and what it does.

#ifndef SYNCHRO_CLI_COMMANDS_HPP
#define SYNCHRO_CLI_COMMANDS_HPP

#include "terminal/command.hpp"

namespace synchro::cli {

using namespace terminal;  // what the commands are made of

[[nodiscard]] command tour_command();
[[nodiscard]] command run_command();
[[nodiscard]] command show_command();
[[nodiscard]] command compare_command();
[[nodiscard]] command report_command();
[[nodiscard]] command export_command();
[[nodiscard]] command build_command();
[[nodiscard]] command list_command();
[[nodiscard]] command info_command();
[[nodiscard]] command check_command();

}  // namespace synchro::cli

#endif
