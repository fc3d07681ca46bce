#include "experiments/framework/experiment.hpp"

// Every experiment, a line each: the function that declares it, in the order of the design, in which the tour visits and
// tells of them.
// clang-format off
#define SYNCHRO_EXPERIMENTS(EXPERIMENT) \
  EXPERIMENT(coherence_local) \
  EXPERIMENT(coherence_states) \
  EXPERIMENT(coherence_pairs) \
  EXPERIMENT(coherence_bandwidth) \
  EXPERIMENT(atomics_throughput) \
  EXPERIMENT(locks_ticket) \
  EXPERIMENT(locks_uncontested) \
  EXPERIMENT(locks_throughput) \
  EXPERIMENT(delegation_throughput) \
  EXPERIMENT(messages_pair) \
  EXPERIMENT(messages_server) \
  EXPERIMENT(stm_bank) \
  EXPERIMENT(stm_list) \
  EXPERIMENT(stm_hashtable) \
  EXPERIMENT(hashtable_throughput) \
  EXPERIMENT(memcached_set) \
  EXPERIMENT(memcached_get) \
  EXPERIMENT(database_tpch) \
  EXPERIMENT(database_sysbench) \
  EXPERIMENT(wake_broadcast) \
  EXPERIMENT(wake_groups) \
  EXPERIMENT(wake_idle) \
  EXPERIMENT(overhead_calls) \
  EXPERIMENT(throttle_sum) \
  EXPERIMENT(forkjoin_timeline) \
  EXPERIMENT(forkjoin_breakeven) \
  EXPERIMENT(forkjoin_balance)
// clang-format on

namespace synchro::experiments {

#define SYNCHRO_DECLARATION(name) [[nodiscard]] experiment name();
SYNCHRO_EXPERIMENTS(SYNCHRO_DECLARATION)
#undef SYNCHRO_DECLARATION

const std::vector<experiment>& all_experiments() {
#define SYNCHRO_ENTRY(name) name(),
  static const std::vector<experiment> all{SYNCHRO_EXPERIMENTS(SYNCHRO_ENTRY)};
#undef SYNCHRO_ENTRY
  return all;
}

const std::vector<layer>& all_layers() {
  static const std::vector<layer> all{
      {"coherence", "Cache coherence"}, {"atomics", "Atomic operations"}, {"locks", "Locks"},
      {"delegation", "Delegation"},     {"messages", "Messages"},         {"hashtable", "Hash tables"},
      {"memcached", "A real server"},   {"database", "Real databases"},   {"stm", "Transactional memory"},
      {"wake", "Waking threads"},       {"overhead", "System calls"},     {"throttle", "Limiting concurrency"},
      {"forkjoin", "Fork and join"},
  };
  return all;
}

const views::presentations& all_presentations() {
  static const views::presentations all = [] {
    views::presentations found;
    for (const experiment& e : all_experiments()) found.emplace_back(e.name, e.view);
    return found;
  }();
  return all;
}

}  // namespace synchro::experiments
