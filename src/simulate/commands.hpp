// The commands of the program that simulates.

#ifndef SYNCHRO_SIMULATE_COMMANDS_HPP
#define SYNCHRO_SIMULATE_COMMANDS_HPP

#include "terminal/command.hpp"

namespace synchro::simulate {

using namespace terminal;  // what the commands are made of

[[nodiscard]] command simulate_command();
[[nodiscard]] command predict_command();
[[nodiscard]] command model_command();
[[nodiscard]] command advise_on_model_command();
[[nodiscard]] command list_models_command();

}  // namespace synchro::simulate

#endif
