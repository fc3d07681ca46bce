// Loops over a hash table, with nothing in them of the experiment that they are compared with.

#ifndef BENCH_HASHTABLE_BARE_HPP
#define BENCH_HASHTABLE_BARE_HPP

namespace bare {

/// Nanoseconds of an operation of one thread: 80 % get, 10 % put, 10 % remove, of 512 times 24 keys of which half are there.
/// Negative if the thread could not be pinned, or a value was another key's.
double of_unordered_map(int cpu);  ///< std::unordered_map under a std::mutex.
double of_own_table(int cpu);      ///< The library's, 512 buckets with 24 keys each.

}  // namespace bare

#endif
