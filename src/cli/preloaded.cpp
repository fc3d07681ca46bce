#include "cli/preloaded.hpp"

#include <fmt/format.h>

#include "cli/failure.hpp"
#include "experiments/locks/lock_table.hpp"
#include "platform/executable.hpp"
#include "platform/interposer.hpp"

namespace synchro::cli {

namespace {

namespace agreed = platform::interposer;

/// Beside the program where it was built, or where libraries are installed.
std::string interposer() {
  const auto found = platform::beside_this_program(agreed::file, {".", "../" SYNCHRO_LIBRARIES, "../lib", "../lib64"});
  if (!found) fail_cannot(fmt::format("{} is not there: it is built and installed with this program", agreed::file));
  if (found->find_first_of(" :") != std::string::npos)
    fail_cannot(fmt::format("the loader takes no library from a folder with a blank or a colon: {}", *found));
  return *found;
}

}  // namespace

preloaded prepare_preloaded(const std::vector<std::string>& words, const std::string& verb,
                            const std::string& example) {
  if (words.empty()) fail_usage(fmt::format("{} needs a command: {}", verb, example));
  const auto path = platform::find_executable(words.front());
  if (!path) fail_usage(fmt::format("there is no program '{}'", words.front()));
  if (const auto obstacle = platform::preload_obstacle(*path, "pthread_mutex_lock"))
    fail_cannot(fmt::format("{} {}", *path, *obstacle));
  std::string libraries = interposer();
  if (const auto others = platform::environment_variable("LD_PRELOAD"); others && !others->empty())
    libraries += ":" + *others;
  return {*path, words, {{"LD_PRELOAD", libraries}}};
}

std::vector<std::string> names_of_own_locks() {
  std::vector<std::string> names;
  for (const auto& lock : experiments::all_locks())
    if (lock.kind == experiments::primitive_kind::own) names.push_back(lock.name);
  return names;
}

}  // namespace synchro::cli
