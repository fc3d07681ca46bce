#include "experiments/database/locks.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "experiments/database/database.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/locks/lock_table.hpp"
#include "platform/preloading.hpp"

namespace synchro::experiments::database {

namespace {

bool has_database_lock(const std::string& name) {
  const auto& all = all_locks();
  return std::any_of(all.begin(), all.end(), [&](const lock_bodies& lock) { return lock.name == name; });
}

}  // namespace

axis lock_axis() {
  const auto values = [](const setting& s) {
    std::vector<std::string> names{native, "mutex", "ticket/yield", "mcs/park"};
    if (s.thoroughness != level::quick)
      for (const char* name : {"tas/yield", "mcs/yield", "clh/park"}) names.emplace_back(name);
    if (s.thoroughness == level::full)
      for (const char* name : {"tas", "ticket", "mcs"}) names.emplace_back(name);
    std::vector<coordinate> found;
    for (const std::string& name : names)
      if (has_database_lock(name)) add_new(found, coordinate{name});
    return found;
  };
  return {"lock", "what serves the database's mutexes: a lock of ours, or the system's (pthread/mutex)", values};
}

bool only_spins(const std::string& lock) { return lock != native && find_lock(lock).only_spins(); }

const std::optional<std::string>& interposer_obstacle() {
  static const std::optional<std::string> why = []() -> std::optional<std::string> {
    try {
      static_cast<void>(platform::interposer_library());
      return std::nullopt;
    } catch (const std::runtime_error& e) {
      return std::string{"not available here: "} + e.what();
    }
  }();
  return why;
}

}  // namespace synchro::experiments::database
