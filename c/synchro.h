/* The library's C interface: a mutex, a shared mutex, a condition variable, a semaphore and an event, for C and for whoever
 * calls C. They are the C++ objects themselves, in memory of the caller's; nothing is allocated and nothing fails.
 *
 *   static synchro_mutex m = SYNCHRO_MUTEX_INIT;
 *   synchro_mutex_lock(&m);
 *   synchro_mutex_unlock(&m);
 *
 * An object is made by its initializer or by its init function, is not copied or moved, and is destroyed when nobody uses it
 * (which does nothing but say so). Times are nanoseconds from now; functions with a time return whether it was done in time.
 * Link libsynchro_c.a and the C++ runtime, of which it needs the clock (-lsynchro_c -lstdc++ -pthread).
 * All functions may be called from any thread. What each promises: docs/locks/mutex.md, shared_mutex.md, docs/sync/README.md,
 * docs/wakes/event.md. */

#ifndef SYNCHRO_H
#define SYNCHRO_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- mutex: 4 bytes */

typedef struct synchro_mutex {
  uint32_t state;
} synchro_mutex;
/* clang-format off */
#define SYNCHRO_MUTEX_INIT {0}
/* clang-format on */

void synchro_mutex_init(synchro_mutex* m);
void synchro_mutex_lock(synchro_mutex* m);
bool synchro_mutex_try_lock(synchro_mutex* m);
bool synchro_mutex_try_lock_for(synchro_mutex* m, uint64_t nanoseconds);
void synchro_mutex_unlock(synchro_mutex* m);
void synchro_mutex_destroy(synchro_mutex* m);

/* ---- shared mutex: 8 bytes and two pointers. What they point to, destroy gives back. */

typedef struct synchro_shared_mutex {
  uint32_t state[2];
  void* readers[2];
} synchro_shared_mutex;
/* clang-format off */
#define SYNCHRO_SHARED_MUTEX_INIT {{0, 0}, {0, 0}}
/* clang-format on */

void synchro_shared_mutex_init(synchro_shared_mutex* m);
void synchro_shared_mutex_lock(synchro_shared_mutex* m);
bool synchro_shared_mutex_try_lock(synchro_shared_mutex* m);
bool synchro_shared_mutex_try_lock_for(synchro_shared_mutex* m, uint64_t nanoseconds);
void synchro_shared_mutex_unlock(synchro_shared_mutex* m);
void synchro_shared_mutex_lock_shared(synchro_shared_mutex* m);
bool synchro_shared_mutex_try_lock_shared(synchro_shared_mutex* m);
bool synchro_shared_mutex_try_lock_shared_for(synchro_shared_mutex* m, uint64_t nanoseconds);
void synchro_shared_mutex_unlock_shared(synchro_shared_mutex* m);
void synchro_shared_mutex_destroy(synchro_shared_mutex* m);

/* ---- condition variable: the size of a pointer. The caller has the mutex, and has it again on return. */

typedef struct synchro_condition {
  void* state;
} synchro_condition;
/* clang-format off */
#define SYNCHRO_CONDITION_INIT {0}
/* clang-format on */

void synchro_condition_init(synchro_condition* c);
void synchro_condition_wait(synchro_condition* c, synchro_mutex* m);
/* Whether it was notified in time. */
bool synchro_condition_wait_for(synchro_condition* c, synchro_mutex* m, uint64_t nanoseconds);
void synchro_condition_notify_one(synchro_condition* c);
void synchro_condition_notify_all(synchro_condition* c);
void synchro_condition_destroy(synchro_condition* c);

/* ---- counting semaphore: 4 bytes; counts to 2^31 - 1 */

typedef struct synchro_semaphore {
  uint32_t state;
} synchro_semaphore;
/* clang-format off */
#define SYNCHRO_SEMAPHORE_INIT(count) {count}
/* clang-format on */

void synchro_semaphore_init(synchro_semaphore* s, uint32_t count);
void synchro_semaphore_acquire(synchro_semaphore* s);
bool synchro_semaphore_try_acquire(synchro_semaphore* s);
bool synchro_semaphore_try_acquire_for(synchro_semaphore* s, uint64_t nanoseconds);
void synchro_semaphore_release(synchro_semaphore* s, uint32_t count);
void synchro_semaphore_destroy(synchro_semaphore* s);

/* ---- event: 4 bytes; stays set until it is reset */

typedef struct synchro_event {
  uint32_t state;
} synchro_event;
/* clang-format off */
#define SYNCHRO_EVENT_INIT {0}
/* clang-format on */

void synchro_event_init(synchro_event* e);
void synchro_event_set(synchro_event* e);
void synchro_event_reset(synchro_event* e);
bool synchro_event_try_wait(synchro_event* e);
void synchro_event_wait(synchro_event* e);
bool synchro_event_wait_for(synchro_event* e, uint64_t nanoseconds);
void synchro_event_destroy(synchro_event* e);

#ifdef __cplusplus
}
#endif

#endif
