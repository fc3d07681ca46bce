// What the exported functions do with mutexes, whichever of them is called: pthread's, C11's, a condition variable's.

#ifndef SYNCHRO_PRELOAD_MUTEX_HPP
#define SYNCHRO_PRELOAD_MUTEX_HPP

#include <pthread.h>

#include <ctime>

namespace synchro::preload {

/// As the functions of pthread: 0 or an error. Where the mutex is left to the C library, what that says.
[[nodiscard]] int initialise(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept;
[[nodiscard]] int destroy(pthread_mutex_t* m) noexcept;
[[nodiscard]] int lock(pthread_mutex_t* m) noexcept;
[[nodiscard]] int try_lock(pthread_mutex_t* m) noexcept;
[[nodiscard]] int lock_until(pthread_mutex_t* m, clockid_t clock, const timespec* moment) noexcept;
[[nodiscard]] int unlock(pthread_mutex_t* m) noexcept;

/// Around a wait for a condition: meanwhile nobody destroys it.
[[nodiscard]] int unlock_to_wait(pthread_mutex_t* m) noexcept;
[[nodiscard]] int lock_after_wait(pthread_mutex_t* m) noexcept;

/// Whether it is left to the C library. One that was never used is decided now.
[[nodiscard]] bool is_native(pthread_mutex_t* m) noexcept;

}  // namespace synchro::preload

#endif
