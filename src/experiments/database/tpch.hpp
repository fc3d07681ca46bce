// The tables and queries that are derived from TPC-H: Transaction Processing Performance Council, "TPC Benchmark H, Standard
// Specification", revision 3.0.1, 1.4 (the tables) and 2.4 (the queries, with the parameters by which answers are validated).
// What is made of them here is no TPC result, and is not comparable with one.

#ifndef SYNCHRO_EXPERIMENTS_DATABASE_TPCH_HPP
#define SYNCHRO_EXPERIMENTS_DATABASE_TPCH_HPP

#include <array>
#include <cstddef>
#include <string>

namespace synchro::experiments::tpch {

struct table {
  const char *name, *columns;
};
inline constexpr std::size_t table_count = 8, query_count = 22;

extern const std::array<table, table_count> tables;

/// Query 1 to 22 in SQL, without a semicolon. One of them depends on the scale factor: its fraction is 0.0001 of it.
[[nodiscard]] std::string query(std::size_t number, double scale_factor);

}  // namespace synchro::experiments::tpch

#endif
