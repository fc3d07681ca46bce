// The tables that hashtable.throughput compares: ours, with each lock of the catalog, without a lock for readers, by message
// passing; and those of other libraries. Their names are in the program, their bodies on demand (framework/on_demand.hpp).

#ifndef SYNCHRO_EXPERIMENTS_HASHTABLE_ALL_TABLES_HPP
#define SYNCHRO_EXPERIMENTS_HASHTABLE_ALL_TABLES_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/framework/on_demand.hpp"
#include "experiments/framework/primitive_kind.hpp"
#include "experiments/hashtable/workload.hpp"

namespace synchro::experiments {

/// A table as it is asked for.
struct table_name {
  std::string name;     ///< "mcs": ours, a lock in each bucket; "optimistic", "messages"; "tbb/concurrent_hash_map"
  std::string waiting;  ///< How a waiter waits: "spin", "yield" or "park"
  primitive_kind kind = primitive_kind::own;
  bool first = true;  ///< The first of its catalog line.

  [[nodiscard]] bool only_spins() const { return waiting == "spin"; }
};

/// And what it does, without its type.
struct table_bodies : table_name {
  hashtable::table_outcome (*run)(const hashtable::table_task&);
  void (*fill)(std::uint64_t elements,
               const std::function<void()>& look) = nullptr;  ///< Null if that is not of interest.
};

/// Those without a lock of the catalog, then those with, then the others'.
[[nodiscard]] const std::vector<table_name>& table_names();

/// The one of that name among these names or tables. Throws std::out_of_range.
template <class Row>
[[nodiscard]] const Row& find_table(const std::vector<Row>& among, const std::string& name) {
  const auto found = std::find_if(among.begin(), among.end(), [&](const Row& row) { return row.name == name; });
  if (found == among.end()) throw std::out_of_range{"no table is called '" + name + "'"};
  return *found;
}

/// Uses the table of this name for a while.
inline on_demand<hashtable::table_outcome(const std::string&, const hashtable::table_task&)> use_table_called;

/// As generated: those of other libraries.
void add_table_peer_names(std::vector<table_name>& names);

// ---- in the part

/// As generated: ours with each lock of the catalog, and the catalog's tables of others.
void add_table_rows(std::vector<table_bodies>& rows);

/// In the order of their names.
[[nodiscard]] const std::vector<table_bodies>& all_tables();
/// The names of ours that take no lock of the catalog.
inline constexpr const char* optimistic_table = "optimistic";
inline constexpr const char* growing_table =
    "growing";  ///< The same, and it chooses its buckets itself, as others' do.
inline constexpr const char* served_table = "messages";
inline constexpr const char* served_table_yielding = "messages/yield";

}  // namespace synchro::experiments

#endif
