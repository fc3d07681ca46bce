// Sections that threads have run one at a time, without the house.

#ifndef SYNCHRO_BENCH_DELEGATION_BARE_HPP
#define SYNCHRO_BENCH_DELEGATION_BARE_HPP

namespace bare {

/// One thread on `caller` has a counter changed by one that serves on `server`: ns a call, median of batches. -1 if a thread
/// could not be pinned, or the counter is not exact.
double served(int server, int caller);
/// Two threads, on these processors, change a counter under a lock that passes in turn: ns a change, of both together.
double in_turn(int a, int b);

}  // namespace bare

#endif
