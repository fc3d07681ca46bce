/* The C interface, by a C program: what each object promises, and all of them between threads. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "synchro.h"

#define MUST(what)                                               \
  do {                                                           \
    if (!(what)) {                                               \
      fprintf(stderr, "line %d: not so: %s\n", __LINE__, #what); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

enum { threads = 4, times = 5000 };
static const uint64_t millisecond = 1000000;

static synchro_mutex lock = SYNCHRO_MUTEX_INIT;
static synchro_shared_mutex shared = SYNCHRO_SHARED_MUTEX_INIT;
static synchro_condition changed = SYNCHRO_CONDITION_INIT;
static synchro_semaphore places = SYNCHRO_SEMAPHORE_INIT(1);
static synchro_event started = SYNCHRO_EVENT_INIT;
static long locked_count, written, counted;
static int arrived;

static void* works(void* unused) {
  synchro_event_wait(&started);
  for (int i = 0; i < times; ++i) {
    synchro_mutex_lock(&lock);
    ++locked_count;
    synchro_mutex_unlock(&lock);
    if (i % 4 == 0) {
      synchro_shared_mutex_lock(&shared);
      ++written;
      synchro_shared_mutex_unlock(&shared);
    } else {
      synchro_shared_mutex_lock_shared(&shared);
      MUST(written >= 0);
      synchro_shared_mutex_unlock_shared(&shared);
    }
    synchro_semaphore_acquire(&places);
    ++counted;
    synchro_semaphore_release(&places, 1);
  }
  synchro_mutex_lock(&lock);
  if (++arrived == threads)
    synchro_condition_notify_all(&changed);
  else
    while (arrived != threads) synchro_condition_wait(&changed, &lock);
  synchro_mutex_unlock(&lock);
  return unused;
}

static void between_threads(void) {
  pthread_t team[threads];
  for (int t = 0; t < threads; ++t) MUST(pthread_create(&team[t], NULL, works, NULL) == 0);
  synchro_event_set(&started);
  for (int t = 0; t < threads; ++t) MUST(pthread_join(team[t], NULL) == 0);
  MUST(locked_count == (long)threads * times);
  MUST(counted == (long)threads * times);
  MUST(written == (long)threads * times / 4);
}

static void alone(void) {
  synchro_mutex m;
  synchro_mutex_init(&m);
  MUST(synchro_mutex_try_lock(&m));
  MUST(!synchro_mutex_try_lock(&m));
  MUST(!synchro_mutex_try_lock_for(&m, millisecond));
  synchro_condition c;
  synchro_condition_init(&c);
  MUST(!synchro_condition_wait_for(&c, &m, millisecond));
  synchro_condition_notify_one(&c);
  synchro_condition_destroy(&c);
  synchro_mutex_unlock(&m);
  MUST(synchro_mutex_try_lock_for(&m, UINT64_MAX));
  synchro_mutex_unlock(&m);
  synchro_mutex_destroy(&m);

  synchro_shared_mutex s;
  synchro_shared_mutex_init(&s);
  MUST(synchro_shared_mutex_try_lock_shared(&s));
  MUST(synchro_shared_mutex_try_lock_shared_for(&s, 0));
  MUST(!synchro_shared_mutex_try_lock(&s));
  MUST(!synchro_shared_mutex_try_lock_for(&s, millisecond));
  synchro_shared_mutex_unlock_shared(&s);
  synchro_shared_mutex_unlock_shared(&s);
  MUST(synchro_shared_mutex_try_lock(&s));
  synchro_shared_mutex_unlock(&s);
  synchro_shared_mutex_destroy(&s);

  synchro_semaphore n;
  synchro_semaphore_init(&n, 1);
  MUST(synchro_semaphore_try_acquire(&n));
  MUST(!synchro_semaphore_try_acquire(&n));
  MUST(!synchro_semaphore_try_acquire_for(&n, millisecond));
  synchro_semaphore_release(&n, 2);
  synchro_semaphore_acquire(&n);
  MUST(synchro_semaphore_try_acquire_for(&n, 0));
  synchro_semaphore_destroy(&n);

  synchro_event e;
  synchro_event_init(&e);
  MUST(!synchro_event_try_wait(&e));
  MUST(!synchro_event_wait_for(&e, millisecond));
  synchro_event_set(&e);
  synchro_event_wait(&e);
  MUST(synchro_event_try_wait(&e));
  synchro_event_reset(&e);
  MUST(!synchro_event_try_wait(&e));
  synchro_event_destroy(&e);
}

int main(void) {
  alone();
  between_threads();
  puts("used from C");
  return 0;
}
