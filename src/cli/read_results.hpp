// Results files as commands take them.

#ifndef SYNCHRO_CLI_READ_RESULTS_HPP
#define SYNCHRO_CLI_READ_RESULTS_HPP

#include <optional>
#include <string>

#include "results/document.hpp"

namespace synchro::cli {

/// A results file, or those of its cells whose experiment matches. Throws failure (usage).
[[nodiscard]] results::document read_results(const std::string& file,
                                             const std::optional<std::string>& experiment = std::nullopt);

}  // namespace synchro::cli

#endif
