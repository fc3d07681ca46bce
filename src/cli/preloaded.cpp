#include "cli/preloaded.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/failure.hpp"
#include "experiments/locks/lock_table.hpp"
#include "platform/executable.hpp"
#include "platform/preloading.hpp"

namespace synchro::cli {

namespace {

std::string interposer() {
  try {
    return platform::interposer_library();
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

}  // namespace

preloaded prepare_preloaded(const std::vector<std::string>& words, const std::string& verb,
                            const std::string& example) {
  if (words.empty()) fail_usage(fmt::format("{} needs a command: {}", verb, example));
  const auto path = platform::find_executable(words.front());
  if (!path) fail_usage(fmt::format("there is no program '{}'", words.front()));
  if (const auto obstacle = platform::preload_obstacle(*path, "pthread_mutex_lock"))
    fail_cannot(fmt::format("{} {}", *path, *obstacle));
  return {*path, words, platform::preloading(interposer())};
}

std::vector<std::string> names_of_own_locks() {
  std::vector<std::string> names;
  for (const auto& lock : experiments::all_locks())
    if (lock.kind == experiments::primitive_kind::own) names.push_back(lock.name);
  return names;
}

}  // namespace synchro::cli
