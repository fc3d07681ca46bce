#include "cli/preloaded.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/failure.hpp"
#include "experiments/locks/lock_table.hpp"
#include "platform/executable.hpp"
#include "platform/preloading.hpp"

namespace synchro::cli {

std::vector<std::string> names_of_own_locks(bool with_those_that_spin) {
  std::vector<std::string> names;
  for (const auto& lock : experiments::all_locks())
    if (lock.kind == experiments::primitive_kind::own && (with_those_that_spin || !lock.only_spins()))
      names.push_back(lock.name);
  return names;
}

std::string interposer() {
  try {
    return platform::interposer_library();
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

std::string replaceable_program(const std::string& word) {
  const auto path = platform::find_executable(word);
  if (!path) fail_usage(fmt::format("there is no program '{}'", word));
  if (const auto obstacle = platform::preload_obstacle(*path, "pthread_mutex_lock"))
    fail_cannot(fmt::format("{} {}", *path, *obstacle));
  return *path;
}

}  // namespace synchro::cli
