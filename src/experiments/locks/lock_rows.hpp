// Makes the rows of the lock table from lines of the catalog. Included by generated units only.
//
// What a row says of its lock costs little to compile, and all rows of a program are made together (add_rows); bodies
// (lock_body_rows.hpp) cost much.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_LOCK_ROWS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_LOCK_ROWS_HPP

#include <string>
#include <utility>
#include <vector>

#include "catalog/lock_line.hpp"
#include "experiments/locks/lock_table.hpp"
#include "synchro/hardware.hpp"

namespace synchro::experiments {

/// describe() knows the size of an adapter; this one prefers that of the original.
template <class Lock>
lock_description description() {
  lock_description d = describe<Lock>();
  if constexpr (requires { Lock::bytes_per_lock; }) d.bytes_per_lock = Lock::bytes_per_lock;
  return d;
}

template <class Lock>
lock_bodies row_of(std::string name) {
  lock_bodies row;
  row.family = name.substr(0, name.find('/'));
  row.name = std::move(name);
  if constexpr (requires { Lock::native_node; }) row.native_node = Lock::native_node;
  row.what = description<Lock>();
  return row;
}

/// Calls visit(row, variant) for one row for each waiting policy of a line of the lock catalog.
template <class Line, class Machine, class Visit>
void each_row(Visit visit) {
  bool first = true;
  Line::each([&]<class Variant>(const Variant& variant) {
    lock_bodies row = row_of<typename Variant::template lock<Machine>>(variant.name);
    row.waiting = Variant::waiting::name;
    row.first = std::exchange(first, false);
    visit(std::move(row), variant);
  });
}

/// The rows of a line, ours or another library's, without bodies.
template <class Line, bool InTour>
void add_rows(std::vector<lock_bodies>& rows) {
  const auto add = [&](lock_bodies row) {
    row.in_tour = InTour && row.waiting != "yield";
    rows.push_back(std::move(row));
  };
  if constexpr (requires { Line::path; }) {
    each_row<Line, hardware>([&](lock_bodies row, const auto&) { add(std::move(row)); });
  } else {
    lock_bodies row = row_of<typename Line::lock>(Line::name);
    row.kind = primitive_kind::peer;
    row.waiting = Line::lock::waits;
    add(std::move(row));
  }
}

}  // namespace synchro::experiments

#endif
