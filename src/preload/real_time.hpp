// Threads of a real-time class. The C library's mutexes may inherit priorities, and the system wakes waiters by theirs; the locks
// here know nothing of that. Who spins at a priority above the holder's keeps it from its processor, perhaps for ever.

#ifndef SYNCHRO_PRELOAD_REAL_TIME_HPP
#define SYNCHRO_PRELOAD_REAL_TIME_HPP

#include <pthread.h>

namespace synchro::preload {

/// The scheduling policy of the calling thread.
int own_policy() noexcept;
/// That of a thread which the calling one makes with these attributes; null: the usual ones.
int policy_of(const pthread_attr_t* attributes) noexcept;

/// Says so on standard error, once for a process, if this policy is a real-time one and locks are replaced.
void tell_of_real_time(int policy) noexcept;

}  // namespace synchro::preload

#endif
