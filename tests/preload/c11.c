/* Threads, mutexes and conditions of C11, in C. Silent, exit status 0: all is as it should be. */

#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#define MUST(expression)                                                \
  do {                                                                  \
    if (!(expression)) {                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #expression); \
      _Exit(1);                                                         \
    }                                                                   \
  } while (0)

static mtx_t mutex;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static int calls, turn, count;

static void call(void) { ++calls; }

static int take_turns(void* number) {
  const int mine = *(const int*)number;
  call_once(&flag, call);
  for (int round = 0; round < 20; ++round) {
    MUST(mtx_lock(&mutex) == thrd_success);
    while (turn % 4 != mine) MUST(cnd_wait(&changed, &mutex) == thrd_success);
    ++turn;
    ++count;
    MUST(cnd_broadcast(&changed) == thrd_success);
    MUST(mtx_unlock(&mutex) == thrd_success);
  }
  return mine;
}

int main(void) {
  thrd_t threads[4];
  const int numbers[4] = {0, 1, 2, 3};
  MUST(mtx_init(&mutex, mtx_timed) == thrd_success && cnd_init(&changed) == thrd_success);
  for (int i = 0; i < 4; ++i) MUST(thrd_create(&threads[i], take_turns, (void*)&numbers[i]) == thrd_success);
  for (int i = 0; i < 4; ++i) {
    int result = -1;
    MUST(thrd_join(threads[i], &result) == thrd_success && result == i);
  }
  MUST(count == 80 && calls == 1);
  struct timespec at;
  timespec_get(&at, TIME_UTC);
  MUST(mtx_timedlock(&mutex, &at) == thrd_success);
  MUST(cnd_timedwait(&changed, &mutex, &at) == thrd_timedout);
  MUST(mtx_timedlock(&mutex, &at) == thrd_timedout && mtx_trylock(&mutex) == thrd_busy);
  MUST(mtx_unlock(&mutex) == thrd_success);
  mtx_destroy(&mutex);
  cnd_destroy(&changed);
  return 0;
}
