#include "experiments/locks/lock_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "catalog/rows.hpp"

namespace synchro::experiments {

const std::vector<lock_bodies>& all_locks() {
  static const std::vector<lock_bodies> rows = catalog::rows_of(add_lock_rows);
  return rows;
}

const lock_bodies& find_lock(const std::string& name) {
  const auto& rows = all_locks();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const lock_bodies& row) { return row.name == name; });
  if (found == rows.end()) throw std::out_of_range{"no lock is called '" + name + "'"};
  return *found;
}

std::vector<coordinate> tour_locks() {
  std::vector<coordinate> names;
  for (const char* name : {"tas", "ticket", "mcs", "mcs/park", "mutex", "std/mutex", "pthread/spin"})
    if (std::any_of(all_locks().begin(), all_locks().end(), [&](const auto& lock) { return lock.name == name; }))
      names.emplace_back(name);
  return names;
}

axis lock_axis(const std::function<bool(const lock_bodies&)>& takes) {
  return {"lock", "the lock under test, of this library or (family/name) of another", [takes](const setting&) {
            std::vector<coordinate> names;
            for (const lock_bodies& row : all_locks())
              if (takes(row)) names.emplace_back(row.name);
            return names;
          }};
}

}  // namespace synchro::experiments
