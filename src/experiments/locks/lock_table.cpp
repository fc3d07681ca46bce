#include "experiments/locks/lock_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "catalog/rows.hpp"

namespace synchro::experiments {

namespace {

std::vector<lock_bodies>& known_locks() {
  static std::vector<lock_bodies> rows = [] {
    auto all = catalog::rows_of(add_lock_rows);
    add_tour_bodies(all);
    return all;
  }();
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

void complete_locks(void (*complete)(std::vector<lock_bodies>&)) { complete(known_locks()); }

const lock_bodies& find_lock(const std::string& name) { return row_called(name, known_locks()); }

lock_bodies& row_called(const std::string& name, std::vector<lock_bodies>& rows) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const lock_bodies& row) { return row.name == name; });
  if (found == rows.end()) throw std::out_of_range{"no lock is called '" + name + "'"};
  return *found;
}

std::vector<coordinate> tour_locks() {
  std::vector<coordinate> names;
  for (const lock_bodies& row : all_locks())
    if (row.in_tour) names.emplace_back(row.name);
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
