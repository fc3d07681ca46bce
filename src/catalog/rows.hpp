// What CMake makes of the catalog's lines: functions that add rows to a table (catalog_rows in cmake/catalog.cmake).

#ifndef SYNCHRO_CATALOG_ROWS_HPP
#define SYNCHRO_CATALOG_ROWS_HPP

#include <vector>

namespace synchro::catalog {

/// The rows that such a function adds, in the order of the catalog.
template <class Row>
[[nodiscard]] std::vector<Row> rows_of(void (*add)(std::vector<Row>&)) {
  std::vector<Row> rows;
  add(rows);
  return rows;
}

}  // namespace synchro::catalog

#endif
