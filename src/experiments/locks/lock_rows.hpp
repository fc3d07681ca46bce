// Makes the rows of the lock table from lines of the catalog. Included by the generated units only.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_LOCK_ROWS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_LOCK_ROWS_HPP

#include <string>
#include <vector>

#include "catalog/lock_line.hpp"
#include "experiments/locks/contention.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/succession.hpp"
#include "measure/host.hpp"

namespace synchro::experiments {

/// describe() knows the size of an adapter; this one prefers that of the original.
template <class Lock>
lock_description description() {
  lock_description d = describe<Lock>();
  if constexpr (requires { Lock::bytes_per_lock; }) d.bytes_per_lock = Lock::bytes_per_lock;
  return d;
}

template <class Laboratory, class Lock>
lock_bodies bodies_of(std::string name) {
  lock_bodies row;
  row.family = name.substr(0, name.find('/'));
  row.name = std::move(name);
  if constexpr (requires { Lock::native_node; }) row.native_node = Lock::native_node;
  row.what = description<Lock>();
  row.contend = &locks::contend<Laboratory, Lock>;
  row.succeed = &locks::succeed<Laboratory, Lock>;
  return row;
}

/// One row for each waiting policy of a line of the lock catalog.
template <class Line, class Laboratory = measure::host>
void add_own(std::vector<lock_bodies>& rows) {
  bool first = true;
  Line::each([&]<class Variant>(const Variant& variant) {
    using lock = typename Variant::template lock<typename Laboratory::machine>;
    lock_bodies row = bodies_of<Laboratory, lock>(variant.name);
    row.waiting = Variant::waiting::name;
    row.first = first;
    first = false;
    rows.push_back(std::move(row));
  });
}

/// One for another library's lock.
template <class Line>
void add_subject(std::vector<lock_bodies>& rows) {
  lock_bodies row = bodies_of<measure::host, typename Line::lock>(Line::name);
  row.kind = primitive_kind::subject;
  row.waiting = Line::lock::waits;
  rows.push_back(std::move(row));
}

/// Those of a line of the catalog, ours or another library's.
template <class Line>
void add_line(std::vector<lock_bodies>& rows) {
  if constexpr (requires { Line::path; })
    add_own<Line>(rows);
  else
    add_subject<Line>(rows);
}

}  // namespace synchro::experiments

#endif
