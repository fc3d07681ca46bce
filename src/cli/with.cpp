#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/preloaded.hpp"
#include "cli/words.hpp"
#include "experiments/locks/lock_table.hpp"
#include "platform/executable.hpp"
#include "platform/interposer.hpp"

namespace synchro::cli {

namespace {

namespace agreed = platform::interposer;

std::vector<std::string> names_of_own_locks() {
  std::vector<std::string> names;
  for (const auto& lock : experiments::all_locks())
    if (lock.kind == experiments::primitive_kind::own) names.push_back(lock.name);
  return names;
}

}  // namespace

status with_lock(const with_options& options) {
  const auto locks = names_of_own_locks();
  if (std::find(locks.begin(), locks.end(), options.lock) == locks.end())
    fail_usage(no_such("lock", options.lock, locks));
  preloaded command = prepare_preloaded(options.command, "with", "synchroscope with mcs -- COMMAND");
  command.variables.emplace_back(agreed::lock_variable, options.lock);
  if (options.report) command.variables.emplace_back(agreed::report_variable, *options.report);
  fail_cannot(fmt::format("{} cannot be started: {}", command.path,
                          platform::become(command.path, command.words, command.variables)));
}

}  // namespace synchro::cli
