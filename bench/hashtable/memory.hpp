// How much memory a hash table takes.

#ifndef SYNCHRO_BENCH_HASHTABLE_MEMORY_HPP
#define SYNCHRO_BENCH_HASHTABLE_MEMORY_HPP

#include <cstdint>

#include "experiments/hashtable/all_tables.hpp"

namespace synchro::bench {

/// Bytes that a process grows by when it puts so many elements into this table; negative if that could not be seen. Looked
/// at in a child, so that no memory of others is used again.
double bytes_of(const experiments::table_bodies& table, std::uint64_t elements);

/// Bytes of a flat map of one thread with as many: a tag of a byte, a key and a payload for each slot; a power of two, of
/// which an eighth stays free.
double bytes_of_flat_map(std::uint64_t elements);

}  // namespace synchro::bench

#endif
