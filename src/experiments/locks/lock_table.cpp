#include "experiments/locks/lock_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "catalog/rows.hpp"

namespace synchro::experiments {

namespace {

std::vector<lock_bodies>& known_locks() {
  static std::vector<lock_bodies> rows = catalog::rows_of(add_lock_rows);
  return rows;
}

}  // namespace

const std::vector<lock_bodies>& all_locks() { return known_locks(); }

void append_locks(std::vector<lock_bodies>& rows, const std::vector<lock_bodies>& more) {
  for (const lock_bodies& one : more)
    for (const lock_bodies& row : rows)
      if (row.name == one.name)
        throw std::invalid_argument{"a lock is called '" + one.name +
                                    "' already; call its class basic_<another name>_lock"};
  rows.insert(rows.end(), more.begin(), more.end());
}

void take_locks(const std::vector<lock_bodies>& more) { append_locks(known_locks(), more); }

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
