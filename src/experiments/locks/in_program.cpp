#include "experiments/locks/in_program.hpp"

#include <algorithm>
#include <stdexcept>

#include "experiments/framework/axes.hpp"
#include "experiments/locks/lock_table.hpp"
#include "platform/interposer.hpp"
#include "platform/preloading.hpp"

namespace synchro::experiments::in_program {

std::vector<coordinate> known_locks(const std::vector<std::string>& names) {
  const auto& all = all_locks();
  std::vector<coordinate> found;
  for (const std::string& name : names)
    if (std::any_of(all.begin(), all.end(), [&](const lock_bodies& lock) { return lock.name == name; }))
      add_new(found, coordinate{name});
  return found;
}

bool only_spins(const std::string& lock) { return lock != native && find_lock(lock).only_spins(); }

std::vector<std::pair<std::string, std::string>> variables_for(const std::string& lock) {
  if (lock == native) return {};
  auto variables = platform::preloading(platform::interposer_library());
  variables.emplace_back(platform::interposer::lock_variable, lock);
  return variables;
}

std::optional<std::string> unavailable_of(const std::string& lock) {
  static const std::optional<std::string> why = []() -> std::optional<std::string> {
    try {
      static_cast<void>(platform::interposer_library());
      return std::nullopt;
    } catch (const std::runtime_error& e) {
      return std::string{"not available here: "} + e.what();
    }
  }();
  return lock == native ? std::nullopt : why;
}

}  // namespace synchro::experiments::in_program
