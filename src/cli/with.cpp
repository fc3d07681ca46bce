#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
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

/// Beside the program where it was built, or where libraries are installed.
std::string interposer() {
  const auto found = platform::beside_this_program(agreed::file, {".", "../" SYNCHRO_LIBRARIES, "../lib", "../lib64"});
  if (!found) fail_cannot(fmt::format("{} is not there: it is built and installed with this program", agreed::file));
  if (found->find_first_of(" :") != std::string::npos)
    fail_cannot(fmt::format("the loader takes no library from a folder with a blank or a colon: {}", *found));
  return *found;
}

}  // namespace

status with_lock(const with_options& options) {
  const auto locks = names_of_own_locks();
  if (std::find(locks.begin(), locks.end(), options.lock) == locks.end())
    fail_usage(no_such("lock", options.lock, locks));
  if (options.command.empty()) fail_usage("with needs a command: synchroscope with mcs -- COMMAND");
  const std::string& word = options.command.front();
  const auto path = platform::find_executable(word);
  if (!path) fail_usage(fmt::format("there is no program '{}'", word));
  if (const auto obstacle = platform::preload_obstacle(*path, "pthread_mutex_lock"))
    fail_cannot(fmt::format("{} {}", *path, *obstacle));
  std::string libraries = interposer();
  if (const auto others = platform::environment_variable("LD_PRELOAD"); others && !others->empty())
    libraries += ":" + *others;
  std::vector<std::pair<std::string, std::string>> variables{{"LD_PRELOAD", libraries},
                                                             {agreed::lock_variable, options.lock}};
  if (options.report) variables.emplace_back(agreed::report_variable, *options.report);
  fail_cannot(fmt::format("{} cannot be started: {}", *path, platform::become(*path, options.command, variables)));
}

}  // namespace synchro::cli
