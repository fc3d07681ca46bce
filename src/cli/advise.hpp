// Advice, by results; by a model, where the program can simulate one.

#ifndef SYNCHRO_CLI_ADVISE_HPP
#define SYNCHRO_CLI_ADVISE_HPP

#include <functional>
#include <optional>
#include <string>

#include "advice/workload.hpp"
#include "results/document.hpp"
#include "terminal/command.hpp"

namespace synchro::cli {

/// What a model says of a workload: the cells that advice needs. Nothing if someone has asked us to stop.
using results_of_model = std::function<std::optional<results::document>(const std::string& machine, advice::workload)>;

/// What to take for a workload. `modelled` is asked for what serves --machine.
[[nodiscard]] terminal::command advise_command(
    const std::function<results_of_model(const terminal::words& typed)>& modelled);

}  // namespace synchro::cli

#endif
