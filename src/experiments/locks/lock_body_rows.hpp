// The bodies of the lock table's rows, from lines of the catalog. Included by generated units, and by modules with a user's
// lock.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_LOCK_BODY_ROWS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_LOCK_BODY_ROWS_HPP

#include <utility>
#include <vector>

#include "experiments/locks/contention.hpp"
#include "experiments/locks/lock_rows.hpp"
#include "experiments/locks/previous_holder.hpp"
#include "measure/host.hpp"

namespace synchro::experiments {

template <class Laboratory, class Lock>
void give_bodies(lock_bodies& row) {
  row.contend = &locks::contend<Laboratory, Lock>;
  row.succeed = &locks::succeed<Laboratory, Lock>;
}

/// Rows with their bodies, one for each waiting policy of a line of ours.
template <class Line, class Laboratory = measure::host>
void add_own(std::vector<lock_bodies>& rows) {
  using machine = typename Laboratory::machine;
  each_row<Line, machine>([&]<class Variant>(lock_bodies row, const Variant&) {
    give_bodies<Laboratory, typename Variant::template lock<machine>>(row);
    rows.push_back(std::move(row));
  });
}

/// Gives their bodies to the rows of a line, which are among these.
template <class Line>
void complete_line(std::vector<lock_bodies>& rows) {
  using measure::host;
  if constexpr (requires { Line::path; })
    Line::each([&]<class Variant>(const Variant& variant) {
      give_bodies<host, typename Variant::template lock<host::machine>>(row_called(variant.name, rows));
    });
  else
    give_bodies<host, typename Line::lock>(row_called(Line::name, rows));
}

}  // namespace synchro::experiments

#endif
