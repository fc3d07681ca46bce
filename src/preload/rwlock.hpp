// What the exported functions do with readers-writers locks (rwlock.cpp).

#ifndef SYNCHRO_PRELOAD_RWLOCK_HPP
#define SYNCHRO_PRELOAD_RWLOCK_HPP

#include <pthread.h>

#include <ctime>

namespace synchro::preload {

/// As the functions of pthread: 0 or an error. Where the object is left to the C library, what that says.
[[nodiscard]] int initialise(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept;
[[nodiscard]] int destroy(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int lock(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int try_lock(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int lock_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept;
[[nodiscard]] int lock_shared(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int try_lock_shared(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int lock_shared_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept;
[[nodiscard]] int unlock(pthread_rwlock_t* l) noexcept;

}  // namespace synchro::preload

#endif
