// C11's threads, whose functions the C library builds on its own and not on those that are replaced; and the two functions
// that start threads, which are counted.

#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "preload/calls.hpp"
#include "preload/condition.hpp"
#include "preload/mutex.hpp"
#include "preload/natives.hpp"
#include "preload/real_time.hpp"
#include "preload/recorder.hpp"
#include "preload/start.hpp"

namespace {

pthread_mutex_t* of(mtx_t* m) { return reinterpret_cast<pthread_mutex_t*>(m); }
pthread_cond_t* of(cnd_t* c) { return reinterpret_cast<pthread_cond_t*>(c); }
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));

int in_c11(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

}  // namespace

using namespace synchro::preload;  // NOLINT(google-build-using-namespace): the functions below are a few lines each

extern "C" {
#pragma GCC visibility push(default)

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) noexcept {
  counted.add(call::pthread_create);
  if (!started()) return EAGAIN;  // by whom the start itself calls
  tell_of_real_time(policy_of(attributes));
  note_second_thread();  // before it runs: it may end the process
  return native.pthread_create(thread, attributes, run, argument);
}

int thrd_create(thrd_t* thread, thrd_start_t run, void* argument) {
  counted.add(call::thrd_create);
  if (!started()) return thrd_error;
  tell_of_real_time(own_policy());
  note_second_thread();
  return native.thrd_create(thread, run, argument);
}

int mtx_init(mtx_t* m, int type) {
  counted.add(call::mtx_init);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  const int error = served::initialise(of(m), &attributes);
  pthread_mutexattr_destroy(&attributes);
  return in_c11(error);
}

void mtx_destroy(mtx_t* m) {
  counted.add(call::mtx_destroy);
  static_cast<void>(destroy(of(m)));
}

int mtx_lock(mtx_t* m) {
  counted.add(call::mtx_lock);
  return in_c11(served::lock(of(m)));
}

int mtx_trylock(mtx_t* m) {
  counted.add(call::mtx_trylock);
  return in_c11(served::try_lock(of(m)));
}

int mtx_timedlock(mtx_t* m, const timespec* moment) {
  counted.add(call::mtx_timedlock);
  return in_c11(served::lock_until(of(m), CLOCK_REALTIME, moment));
}

int mtx_unlock(mtx_t* m) {
  counted.add(call::mtx_unlock);
  return in_c11(served::unlock(of(m)));
}

int cnd_init(cnd_t* c) {
  counted.add(call::cnd_init);
  return in_c11(initialise(of(c), nullptr));
}

void cnd_destroy(cnd_t* c) {
  counted.add(call::cnd_destroy);
  static_cast<void>(destroy(of(c)));
}

int cnd_wait(cnd_t* c, mtx_t* m) {
  counted.add(call::cnd_wait);
  return in_c11(wait(of(c), of(m)));
}

int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* moment) {
  counted.add(call::cnd_timedwait);
  return in_c11(wait_until(of(c), of(m), CLOCK_REALTIME, moment));
}

int cnd_signal(cnd_t* c) {
  counted.add(call::cnd_signal);
  return in_c11(signal(of(c)));
}

int cnd_broadcast(cnd_t* c) {
  counted.add(call::cnd_broadcast);
  return in_c11(broadcast(of(c)));
}

#pragma GCC visibility pop
}  // extern "C"
