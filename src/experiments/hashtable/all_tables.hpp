// The tables that hashtable.throughput compares: ours, with each lock of the catalog, without a lock for readers, by message
// passing; and those of other libraries.

#ifndef SYNCHRO_EXPERIMENTS_HASHTABLE_ALL_TABLES_HPP
#define SYNCHRO_EXPERIMENTS_HASHTABLE_ALL_TABLES_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/framework/primitive_kind.hpp"
#include "experiments/hashtable/workload.hpp"

namespace synchro::experiments {

/// A table by its name, without its type.
struct table_bodies {
  std::string name;     ///< "mcs": ours, a lock in each bucket; "optimistic", "messages"; "tbb/concurrent_hash_map"
  std::string waiting;  ///< How a waiter waits: "spin", "yield" or "park"
  primitive_kind kind = primitive_kind::own;
  bool first = true;  ///< The first of its catalog line.
  hashtable::table_outcome (*run)(const hashtable::table_task&);
  void (*fill)(std::uint64_t elements,
               const std::function<void()>& look) = nullptr;  ///< Null if that is not of interest.

  [[nodiscard]] bool only_spins() const { return waiting == "spin"; }
};

/// As generated: ours with each lock of the catalog, and the catalog's tables of others.
void add_table_rows(std::vector<table_bodies>& rows);

/// Those without a lock of the catalog, then those with, then the others'.
[[nodiscard]] const std::vector<table_bodies>& all_tables();
/// The row of that name. Throws std::out_of_range.
[[nodiscard]] const table_bodies& find_table(const std::vector<table_bodies>& among, const std::string& name);

/// The names of ours that take no lock of the catalog.
inline constexpr const char* optimistic_table = "optimistic";
inline constexpr const char* growing_table =
    "growing";  ///< The same, and it chooses its buckets itself, as others' do.
inline constexpr const char* served_table = "messages";
inline constexpr const char* served_table_yielding = "messages/yield";

}  // namespace synchro::experiments

#endif
