// Every function that is replaced, called once at least. The report must name them all.

#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "cases.hpp"
#include "check.hpp"

namespace tests {

namespace {

void call_mutexes() {
  const timespec later = in_ms(CLOCK_REALTIME, 600'000), later_mono = in_ms(CLOCK_MONOTONIC, 600'000);
  pthread_mutex_t m;
  EQUAL(pthread_mutex_init(&m, nullptr), 0);
  EQUAL(pthread_mutex_lock(&m), 0), pthread_mutex_unlock(&m);
  EQUAL(pthread_mutex_trylock(&m), 0), pthread_mutex_unlock(&m);
  EQUAL(pthread_mutex_timedlock(&m, &later), 0), pthread_mutex_unlock(&m);
  EQUAL(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &later_mono), 0), pthread_mutex_unlock(&m);
  int ceiling = 0;
  EQUAL(pthread_mutex_consistent(&m), EINVAL);
  EQUAL(pthread_mutex_getprioceiling(&m, &ceiling), EINVAL);
  EQUAL(pthread_mutex_setprioceiling(&m, 1, &ceiling), EINVAL);
  EQUAL(pthread_mutex_destroy(&m), 0);
}

void call_conditions() {
  const timespec past{1, 0};
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c;
  EQUAL(pthread_cond_init(&c, nullptr), 0);
  pthread_mutex_lock(&m);
  EQUAL(pthread_cond_timedwait(&c, &m, &past), ETIMEDOUT);
  EQUAL(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past), ETIMEDOUT);
  struct both {
    pthread_mutex_t& m;
    pthread_cond_t& c;
  } together{m, c};
  const pthread_t other = start<both>(
      [](both* b) {
        pthread_mutex_lock(&b->m);
        EQUAL(pthread_cond_signal(&b->c), 0);
        EQUAL(pthread_cond_broadcast(&b->c), 0);
        pthread_mutex_unlock(&b->m);
      },
      &together);
  EQUAL(pthread_cond_wait(&c, &m), 0);
  pthread_mutex_unlock(&m);
  join(other);
  EQUAL(pthread_cond_destroy(&c), 0);
}

void call_rwlocks() {
  const timespec later = in_ms(CLOCK_REALTIME, 600'000), later_mono = in_ms(CLOCK_MONOTONIC, 600'000);
  pthread_rwlock_t l;
  EQUAL(pthread_rwlock_init(&l, nullptr), 0);
  EQUAL(pthread_rwlock_rdlock(&l), 0), pthread_rwlock_unlock(&l);
  EQUAL(pthread_rwlock_wrlock(&l), 0), pthread_rwlock_unlock(&l);
  EQUAL(pthread_rwlock_tryrdlock(&l), 0), pthread_rwlock_unlock(&l);
  EQUAL(pthread_rwlock_trywrlock(&l), 0), pthread_rwlock_unlock(&l);
  EQUAL(pthread_rwlock_timedrdlock(&l, &later), 0), pthread_rwlock_unlock(&l);
  EQUAL(pthread_rwlock_timedwrlock(&l, &later), 0), pthread_rwlock_unlock(&l);
  EQUAL(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &later_mono), 0), pthread_rwlock_unlock(&l);
  EQUAL(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &later_mono), 0), pthread_rwlock_unlock(&l);
  EQUAL(pthread_rwlock_destroy(&l), 0);
  pthread_spinlock_t s{};
  EQUAL(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE), 0);
  EQUAL(pthread_spin_lock(&s), 0), pthread_spin_unlock(&s);
  EQUAL(pthread_spin_trylock(&s), 0), pthread_spin_unlock(&s);
  EQUAL(pthread_spin_destroy(&s), 0);
}

struct pair {
  mtx_t m;
  cnd_t c;
  bool told = false;
};

int tell(void* p) {
  auto* const both = static_cast<pair*>(p);
  EQUAL(mtx_lock(&both->m), thrd_success);
  both->told = true;
  EQUAL(cnd_signal(&both->c), thrd_success);
  EQUAL(cnd_broadcast(&both->c), thrd_success);
  EQUAL(mtx_unlock(&both->m), thrd_success);
  return 7;
}

int try_elsewhere(void* p) { return mtx_trylock(static_cast<mtx_t*>(p)); }

void call_c11() {
  const timespec past{1, 0};
  pair both;
  EQUAL(mtx_init(&both.m, mtx_timed), thrd_success);
  EQUAL(cnd_init(&both.c), thrd_success);
  EQUAL(mtx_timedlock(&both.m, &past), thrd_success);
  EQUAL(mtx_trylock(&both.m), thrd_busy);
  EQUAL(mtx_timedlock(&both.m, &past), thrd_timedout);
  EQUAL(cnd_timedwait(&both.c, &both.m, &past), thrd_timedout);
  thrd_t other{};
  EQUAL(thrd_create(&other, tell, &both), thrd_success);
  while (!both.told) EQUAL(cnd_wait(&both.c, &both.m), thrd_success);
  EQUAL(mtx_unlock(&both.m), thrd_success);
  int result = 0;
  EQUAL(thrd_join(other, &result), thrd_success);
  EQUAL(result, 7);
  cnd_destroy(&both.c);
  mtx_destroy(&both.m);
  mtx_t recursive;
  EQUAL(mtx_init(&recursive, mtx_plain | mtx_recursive), thrd_success);
  EQUAL(mtx_lock(&recursive), thrd_success);
  EQUAL(mtx_lock(&recursive), thrd_success);
  EQUAL(mtx_unlock(&recursive), thrd_success);
  EQUAL(thrd_create(&other, try_elsewhere, &recursive), thrd_success);
  EQUAL(thrd_join(other, &result), thrd_success);
  EQUAL(result, thrd_busy);
  EQUAL(mtx_unlock(&recursive), thrd_success);
  mtx_destroy(&recursive);
}

}  // namespace

void every_call() {
  call_mutexes();
  call_conditions();
  call_rwlocks();
  call_c11();
}

}  // namespace tests
