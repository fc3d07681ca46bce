// The experiment on hash tables.

#ifndef SYNCHRO_EXPERIMENTS_HASHTABLE_HASHTABLE_HPP
#define SYNCHRO_EXPERIMENTS_HASHTABLE_HASHTABLE_HPP

#include "experiments/framework/experiment.hpp"
#include "experiments/hashtable/workload.hpp"

namespace synchro::experiments {

/// Operations a second of threads that share a hash table.
[[nodiscard]] experiment hashtable_throughput();

// How its cells are shown.
void present_hashtable_throughput(experiment& e);

/// The task of a cell but its team and its time; and what an outcome says.
[[nodiscard]] hashtable::table_task table_task_of(const coordinates& at, std::uint64_t seed);
[[nodiscard]] repetition record_tables(const hashtable::table_outcome& o);

}  // namespace synchro::experiments

#endif
