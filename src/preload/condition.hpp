// A condition variable inside a pthread_cond_t, in whose waits a thread can be cancelled.
//
// Problem. pthread_cond_wait is a cancellation point: a thread that is cancelled in it takes the mutex again and unwinds. The
// library's condition variable (synchro/sync/condition_variable.hpp) cannot be unwound from, as std::condition_variable's
// was not meant to. Here the same queue is slept in by what the C library can cancel, a semaphore on the waiter's stack.
//
// Picture.   byte   0 head | 8 inside | 12 generation | 16 - | flags of glibc, where its version has them
//
//   head        the newest of those who wait, in a ring: it leads to the oldest. Bit 0: somebody changes the ring.
//   inside      how many may yet touch this object; who destroys it waits for none.
//   generation  of the process, see object.hpp: waiters of before a fork are not in the child.
//
//   wait        stands in the ring, unlocks the mutex, sleeps, locks it again. Who was taken out by broadcast leads to the
//               one after it and wakes that, now that it has the mutex: so they do not meet at the mutex all at once.
//   signal      takes the oldest out and wakes it; broadcast takes out all and wakes the oldest.
//   in time, or cancelled   who gives up takes itself out. If it is there no more a notification is under way: it is
//               awaited. A wait that ran out of time then was notified; a cancelled one passes the signal on.

#ifndef SYNCHRO_PRELOAD_CONDITION_HPP
#define SYNCHRO_PRELOAD_CONDITION_HPP

#include <pthread.h>

#include <ctime>

namespace synchro::preload {

/// As the functions of pthread: 0 or an error. Where the object is left to the C library, what that says.
[[nodiscard]] int initialise(pthread_cond_t* c, const pthread_condattr_t* attributes) noexcept;
[[nodiscard]] int destroy(pthread_cond_t* c) noexcept;
[[nodiscard]] int signal(pthread_cond_t* c) noexcept;
[[nodiscard]] int broadcast(pthread_cond_t* c) noexcept;

/// Until notified, or until the moment, if there is one. A cancellation point.
[[nodiscard]] int wait(pthread_cond_t* c, pthread_mutex_t* m);
[[nodiscard]] int wait_until(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* moment);

/// The clock that the object was initialised with.
[[nodiscard]] clockid_t clock_of(const pthread_cond_t* c) noexcept;

}  // namespace synchro::preload

#endif
