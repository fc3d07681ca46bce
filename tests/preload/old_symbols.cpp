// A program as it was linked against glibc 2.2.5: condition variables of the first generation, mutexes as they were. Natively
// the two generations know nothing of each other; here both must reach the interposer.

#include <pthread.h>

#include <cerrno>

#include "check.hpp"

asm(".symver old_wait, pthread_cond_wait@GLIBC_2.2.5");
asm(".symver old_signal, pthread_cond_signal@GLIBC_2.2.5");
asm(".symver old_trylock, pthread_mutex_trylock@GLIBC_2.2.5");
extern "C" int old_wait(pthread_cond_t*, pthread_mutex_t*);
extern "C" int old_signal(pthread_cond_t*);
extern "C" int old_trylock(pthread_mutex_t*);

namespace {

struct scene {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  bool told = false;
};

}  // namespace

int main() {
  scene s;
  pthread_mutex_lock(&s.m);
  EQUAL(old_trylock(&s.m), EBUSY);
  const pthread_t other = tests::start<scene>(
      [](scene* p) {
        pthread_mutex_lock(&p->m);
        p->told = true;
        EQUAL(old_signal(&p->c), 0);
        pthread_mutex_unlock(&p->m);
      },
      &s);
  while (!s.told) EQUAL(old_wait(&s.c, &s.m), 0);
  pthread_mutex_unlock(&s.m);
  tests::join(other);
  return 0;
}
