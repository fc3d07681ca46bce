// Makes rows of the table of hash tables from lines of the catalog. Included by the generated units only.

#ifndef SYNCHRO_EXPERIMENTS_HASHTABLE_TABLE_ROWS_HPP
#define SYNCHRO_EXPERIMENTS_HASHTABLE_TABLE_ROWS_HPP

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "catalog/lock_line.hpp"
#include "experiments/hashtable/all_tables.hpp"
#include "experiments/hashtable/trial.hpp"
#include "measure/host.hpp"
#include "synchro/hash_table/hash_table.hpp"

namespace synchro::experiments {

/// A row for each waiting policy of a line of ours; its body is `body(std::type_identity<Table>)`.
template <class Line, class Machine, class Body>
void add_own_tables(std::vector<table_bodies>& rows, Body body) {
  bool first = true;
  Line::each([&]<class Variant>(const Variant& variant) {
    using locking = wholly_locked_by<typename Variant::template lock<Machine>>;
    rows.push_back({variant.name, Variant::waiting::name, primitive_kind::own, std::exchange(first, false),
                    body(std::type_identity<hashtable::own_table<Machine, locking>>{})});
  });
}

template <class Line>
void add_table_peer(std::vector<table_bodies>& rows) {
  using table = typename Line::template table<hashtable::payload>;
  rows.push_back({Line::name, table::waits, primitive_kind::peer, true, &hashtable::use_table<measure::host, table>,
                  &hashtable::fill_table<table>});
}

template <class Line>
void add_line(std::vector<table_bodies>& rows) {
  if constexpr (requires { Line::path; })
    add_own_tables<Line, hardware>(
        rows, []<class Table>(std::type_identity<Table>) { return &hashtable::use_table<measure::host, Table>; });
  else
    add_table_peer<Line>(rows);
}

}  // namespace synchro::experiments

#endif
