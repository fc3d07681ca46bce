#include "experiments/locks/lock_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "experiments/locks/all_rows.hpp"

namespace synchro::experiments {

std::string to_string(lock_kind k) { return k == lock_kind::own ? "own" : "subject"; }

const std::vector<lock_bodies>& all_locks() {
  static const std::vector<lock_bodies> rows = all_rows();
  return rows;
}

const lock_bodies& find_lock(const std::string& name) {
  const auto& rows = all_locks();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const lock_bodies& row) { return row.name == name; });
  if (found == rows.end()) throw std::out_of_range{"no lock is called '" + name + "'"};
  return *found;
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
