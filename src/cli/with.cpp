#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/preloaded.hpp"
#include "cli/words.hpp"
#include "platform/executable.hpp"
#include "platform/interposer.hpp"
#include "platform/preloading.hpp"

namespace synchro::cli {

status with_lock(const with_options& options) {
  const auto locks = names_of_own_locks();
  if (std::find(locks.begin(), locks.end(), options.lock) == locks.end())
    fail_usage(no_such("lock", options.lock, locks));
  if (options.command.empty()) fail_usage("with needs a command: synchroscope with mcs -- COMMAND");
  const std::string path = replaceable_program(options.command.front());
  auto variables = platform::preloading(interposer(), options.lock);
  if (options.report) variables.emplace_back(platform::interposer::report_variable, *options.report);
  fail_cannot(fmt::format("{} cannot be started: {}", path, platform::become(path, options.command, variables)));
}

}  // namespace synchro::cli
