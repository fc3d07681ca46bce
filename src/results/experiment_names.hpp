// Names of experiments whose cells are read elsewhere: by claims, by models made of results, beside published tables, in
// the help. In a document an experiment is its name and nothing more, and who reads one stands below who measures it: so
// the name is what they have in common, and stands here once. An experiment of which nobody reads has no line here.

#ifndef SYNCHRO_RESULTS_EXPERIMENT_NAMES_HPP
#define SYNCHRO_RESULTS_EXPERIMENT_NAMES_HPP

namespace synchro::results::experiment_names {

inline constexpr const char* coherence_local = "coherence.local";
inline constexpr const char* coherence_states = "coherence.states";
inline constexpr const char* coherence_pairs = "coherence.pairs";
inline constexpr const char* atomics_throughput = "atomics.throughput";
inline constexpr const char* locks_ticket = "locks.ticket";
inline constexpr const char* locks_uncontested = "locks.uncontested";
inline constexpr const char* locks_throughput = "locks.throughput";
inline constexpr const char* memcached_get = "memcached.get";
inline constexpr const char* memcached_set = "memcached.set";
inline constexpr const char* database_tpch = "database.tpch";
inline constexpr const char* stm_bank = "stm.bank";
inline constexpr const char* wake_broadcast = "wake.broadcast";
inline constexpr const char* wake_groups = "wake.groups";
inline constexpr const char* delegation_throughput = "delegation.throughput";
inline constexpr const char* messages_pair = "messages.pair";
inline constexpr const char* messages_server = "messages.server";
inline constexpr const char* hashtable_throughput = "hashtable.throughput";
inline constexpr const char* overhead_calls = "overhead.calls";
inline constexpr const char* throttle_sum = "throttle.sum";
/// A part of the sum that takes fewer time slices alone is hardly ever interrupted, and what throttling gains is the cost of many
/// interruptions.
inline constexpr double throttle_fewest_slices = 4;
inline constexpr const char* forkjoin_timeline = "forkjoin.timeline";
inline constexpr const char* forkjoin_breakeven = "forkjoin.breakeven";
inline constexpr const char* forkjoin_balance = "forkjoin.balance";

}  // namespace synchro::results::experiment_names

#endif
