// The recorder: what the program's mutexes, readers-writers locks and spin locks do, one acquisition in k looked at closely.
//
// Problem. Which lock does a program wait for, and why? To read a clock and to count in shared memory at each acquisition costs
// more than the acquisition.
//
// So each thread counts down to its next sample, by steps that are random with mean k (a fixed step would see only one of
// two locks that are taken by turns). Between samples it does three cheap things at each acquisition:
//
//   label    four bytes in the object: the number of its record, and who held it last. They are in the cache line that the
//            lock has just brought. An object without a label is entered, with the stack of its initialisation or first use.
//   held     a list of what the thread holds, which tells in which order locks are taken.
//   orders   if it holds something already: have these two been seen in this order? The answer is nearly always in a small
//            table of the thread's own.
//
// A sample tries the lock first: who does not get it at once is contended, and the clock is read before and after. The
// sample's hold ends when the lock is given back, or when a condition is waited for with it.
//
// Picture. The label of a mutex: byte 12 of one that is ours (object.hpp), byte 24 of one that is left to the C library, which
// uses that place of robust mutexes only, and those are not recorded. Of a readers-writers lock byte 40 of either; of a spin
// lock beside what serves it (spin.hpp).

#ifndef SYNCHRO_PRELOAD_RECORDER_HPP
#define SYNCHRO_PRELOAD_RECORDER_HPP

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <ctime>

#include "preload/mutex.hpp"
#include "preload/recording.hpp"
#include "preload/rwlock.hpp"
#include "preload/spin.hpp"

namespace synchro::preload {

/// Set at the start, if at all.
inline constinit std::atomic<bool> recording_on{false};
inline bool records() noexcept { return recording_on.load(std::memory_order_relaxed); }

/// At the start, before other threads go on. In the child of a fork. At the end of the process.
void start_recorder(const char* folder, recording::extent asked) noexcept;
void restart_recorder() noexcept;
void end_recorder() noexcept;

namespace recorded {

// As the functions of mutex.hpp, with a recorder.
[[nodiscard]] int initialise(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept;
[[nodiscard]] int lock(pthread_mutex_t* m) noexcept;
[[nodiscard]] int try_lock(pthread_mutex_t* m) noexcept;
[[nodiscard]] int lock_until(pthread_mutex_t* m, clockid_t clock, const timespec* moment) noexcept;
[[nodiscard]] int unlock(pthread_mutex_t* m) noexcept;

// As the functions of rwlock.hpp.
[[nodiscard]] int initialise(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept;
[[nodiscard]] int lock(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int try_lock(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int lock_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept;
[[nodiscard]] int lock_shared(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int try_lock_shared(pthread_rwlock_t* l) noexcept;
[[nodiscard]] int lock_shared_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept;
[[nodiscard]] int unlock(pthread_rwlock_t* l) noexcept;

// As those of spin.hpp, with the program's own object, by which it is known.
void made(spin_object& o, const void* s) noexcept;
[[nodiscard]] int lock(spin_object& o, const void* s) noexcept;
[[nodiscard]] int try_lock(spin_object& o, const void* s) noexcept;
[[nodiscard]] int unlock(spin_object& o, const void* s) noexcept;

/// Around a wait for a condition: the hold ends, and begins anew after it. What to hand to the second.
[[nodiscard]] std::uint64_t before_wait(pthread_mutex_t* m) noexcept;
void after_wait(pthread_mutex_t* m, std::uint64_t begun) noexcept;

}  // namespace recorded

/// What the exported functions do: with the recorder if there is one.
namespace served {

inline int initialise(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
  return records() ? recorded::initialise(m, attributes) : preload::initialise(m, attributes);
}
inline int lock(pthread_mutex_t* m) noexcept { return records() ? recorded::lock(m) : preload::lock(m); }
inline int try_lock(pthread_mutex_t* m) noexcept { return records() ? recorded::try_lock(m) : preload::try_lock(m); }
inline int lock_until(pthread_mutex_t* m, clockid_t clock, const timespec* moment) noexcept {
  return records() ? recorded::lock_until(m, clock, moment) : preload::lock_until(m, clock, moment);
}
inline int unlock(pthread_mutex_t* m) noexcept { return records() ? recorded::unlock(m) : preload::unlock(m); }

inline int initialise(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept {
  return records() ? recorded::initialise(l, attributes) : preload::initialise(l, attributes);
}
inline int lock(pthread_rwlock_t* l) noexcept { return records() ? recorded::lock(l) : preload::lock(l); }
inline int try_lock(pthread_rwlock_t* l) noexcept { return records() ? recorded::try_lock(l) : preload::try_lock(l); }
inline int lock_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  return records() ? recorded::lock_until(l, clock, moment) : preload::lock_until(l, clock, moment);
}
inline int lock_shared(pthread_rwlock_t* l) noexcept {
  return records() ? recorded::lock_shared(l) : preload::lock_shared(l);
}
inline int try_lock_shared(pthread_rwlock_t* l) noexcept {
  return records() ? recorded::try_lock_shared(l) : preload::try_lock_shared(l);
}
inline int lock_shared_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  return records() ? recorded::lock_shared_until(l, clock, moment) : preload::lock_shared_until(l, clock, moment);
}
inline int unlock(pthread_rwlock_t* l) noexcept { return records() ? recorded::unlock(l) : preload::unlock(l); }

inline int lock(spin_object& o, const void* s) noexcept { return records() ? recorded::lock(o, s) : preload::lock(o); }
inline int try_lock(spin_object& o, const void* s) noexcept {
  return records() ? recorded::try_lock(o, s) : preload::try_lock(o);
}
inline int unlock(spin_object& o, const void* s) noexcept {
  return records() ? recorded::unlock(o, s) : preload::unlock(o);
}

}  // namespace served

}  // namespace synchro::preload

#endif
