#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/preloaded.hpp"
#include "platform/executable.hpp"
#include "platform/interposer.hpp"

namespace synchro::cli {

namespace agreed = platform::interposer;

status with_lock(const with_options& options) {
  demand_lock(options.lock, names_of_own_locks());
  preloaded command = prepare_preloaded(options.command, "with", "synchroscope with mcs -- COMMAND");
  command.variables.emplace_back(agreed::lock_variable, options.lock);
  if (options.report) command.variables.emplace_back(agreed::report_variable, *options.report);
  fail_cannot(fmt::format("{} cannot be started: {}", command.path,
                          platform::become(command.path, command.words, command.variables)));
}

}  // namespace synchro::cli
