// Condition variables: many waiters, time, cancellation.

#include <pthread.h>

#include <cerrno>
#include <iterator>

#include "cases.hpp"
#include "check.hpp"

namespace tests {

namespace {

/// A guarded number and those who wait for it to change.
struct scene {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  long waiting = 0, tickets = 0, through = 0, rounds = 0;
};

void await_ticket(scene* s) {
  pthread_mutex_lock(&s->m);
  ++s->waiting;
  while (s->tickets == 0) EQUAL(pthread_cond_wait(&s->c, &s->m), 0);
  --s->tickets;
  ++s->through;
  pthread_mutex_unlock(&s->m);
}

/// Until so many have gone through, or wait.
void await(scene& s, const long& what, long value) {
  for (;;) {
    pthread_mutex_lock(&s.m);
    const bool there = what == value;
    pthread_mutex_unlock(&s.m);
    if (there) return;
    nap();
  }
}

}  // namespace

void notified() {
  scene s;
  constexpr long many = 24;
  pthread_t threads[many];
  for (pthread_t& t : threads) t = start<scene>(await_ticket, &s);
  await(s, s.waiting, many);
  for (long i = 1; i <= 4; ++i) {  // one by one: each signal is somebody's
    pthread_mutex_lock(&s.m);
    ++s.tickets;
    EQUAL(pthread_cond_signal(&s.c), 0);
    pthread_mutex_unlock(&s.m);
    await(s, s.through, i);
  }
  pthread_mutex_lock(&s.m);
  s.tickets = many - 4;
  pthread_mutex_unlock(&s.m);
  EQUAL(pthread_cond_broadcast(&s.c), 0);  // without the mutex
  for (const pthread_t t : threads) join(t);
  EQUAL(s.through, many);
  EQUAL(s.tickets, 0);
  EQUAL(pthread_cond_destroy(&s.c), 0);
}

namespace {

/// A bounded queue: a lost wake-up stops it for good.
struct bounded {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
  int held = 0;
  long produced = 0, consumed = 0;
};
constexpr int capacity = 2;
constexpr int items = 100;

void produce(bounded* q) {
  for (int i = 0; i < items; ++i) {
    pthread_mutex_lock(&q->m);
    while (q->held == capacity) pthread_cond_wait(&q->not_full, &q->m);
    ++q->held;
    ++q->produced;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->m);
  }
}

void consume(bounded* q) {
  for (int i = 0; i < items; ++i) {
    pthread_mutex_lock(&q->m);
    while (q->held == 0) pthread_cond_wait(&q->not_empty, &q->m);
    --q->held;
    ++q->consumed;
    pthread_mutex_unlock(&q->m);
    pthread_cond_signal(&q->not_full);
  }
}

}  // namespace

void queued() {
  bounded q;
  pthread_t threads[8];
  for (unsigned i = 0; i < std::size(threads); ++i) threads[i] = start<bounded>(i % 2 == 0 ? produce : consume, &q);
  for (const pthread_t t : threads) join(t);
  EQUAL(q.produced, 4 * items);
  EQUAL(q.consumed, 4 * items);
  EQUAL(q.held, 0);
}

void timed_waits() {
  pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;  // so that it tells whether it is held afterwards
  pthread_cond_t realtime = PTHREAD_COND_INITIALIZER, monotonic;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  EQUAL(pthread_cond_init(&monotonic, &attributes), 0);
  const timespec nonsense{0, -1}, past{1, 0};
  EQUAL(pthread_mutex_lock(&m), 0);
  EQUAL(pthread_cond_timedwait(&realtime, &m, &nonsense), EINVAL);
  EQUAL(pthread_cond_timedwait(&realtime, &m, &past), ETIMEDOUT);
  EQUAL(pthread_cond_clockwait(&realtime, &m, CLOCK_THREAD_CPUTIME_ID, &past), EINVAL);
  for (int i = 0; i < 3; ++i) {
    const timespec at = in_ms(CLOCK_REALTIME, 2), at_mono = in_ms(CLOCK_MONOTONIC, 2);
    EQUAL(pthread_cond_timedwait(&realtime, &m, &at), ETIMEDOUT);
    EQUAL(pthread_cond_timedwait(&monotonic, &m, &at_mono), ETIMEDOUT);
    EQUAL(pthread_cond_clockwait(&realtime, &m, CLOCK_MONOTONIC, &at_mono), ETIMEDOUT);
    EQUAL(pthread_mutex_lock(&m), EDEADLK);
  }
  EQUAL(pthread_mutex_unlock(&m), 0);
  EQUAL(pthread_cond_wait(&realtime, &m), EPERM);  // of a mutex that it does not hold
  EQUAL(pthread_cond_destroy(&realtime), 0);
  EQUAL(pthread_cond_destroy(&monotonic), 0);
}

namespace {

struct victim {
  scene s;
  long cleaned = 0;
  bool is_plain = true;
};

void clean(void* p) {
  auto* const v = static_cast<victim*>(p);
  ++v->cleaned;  // under the mutex
  if (v->is_plain) EQUAL(pthread_mutex_trylock(&v->s.m), EBUSY);
  pthread_mutex_unlock(&v->s.m);
}

void wait_to_be_cancelled(victim* v) {
  pthread_mutex_lock(&v->s.m);
  pthread_cleanup_push(clean, v);
  ++v->s.waiting;
  for (;;) pthread_cond_wait(&v->s.c, &v->s.m);
  pthread_cleanup_pop(0);
}

}  // namespace

void cancelled() {
  victim v;
  pthread_t threads[6];
  for (pthread_t& t : threads) t = start<victim>(wait_to_be_cancelled, &v);
  await(v.s, v.s.waiting, std::size(threads));
  const pthread_t other = start<scene>(await_ticket, &v.s);
  await(v.s, v.s.waiting, std::size(threads) + 1);
  for (unsigned i = 0; i < std::size(threads); ++i) {
    if (i == 1) pthread_cond_broadcast(&v.s.c);  // cancelled while notified
    EQUAL(pthread_cancel(threads[i]), 0);
  }
  for (const pthread_t t : threads) {
    void* result = nullptr;
    EQUAL(pthread_join(t, &result), 0);
    EQUAL(result == PTHREAD_CANCELED, true);
  }
  EQUAL(v.cleaned, std::size(threads));
  pthread_mutex_lock(&v.s.m);
  ++v.s.tickets;
  pthread_mutex_unlock(&v.s.m);
  pthread_cond_signal(&v.s.c);
  join(other);
  EQUAL(pthread_cond_destroy(&v.s.c), 0);
}

/// A mutex that others wait with is not destroyed, though nobody holds it; when they are gone, in whatever way, it is.
void destroyed_awaited() {
  for (const int kind : {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    victim v;
    v.is_plain = kind == PTHREAD_MUTEX_NORMAL;
    pthread_mutexattr_t of_kind;
    pthread_mutexattr_init(&of_kind);
    pthread_mutexattr_settype(&of_kind, kind);
    EQUAL(pthread_mutex_init(&v.s.m, &of_kind), 0);
    const pthread_t waiter = start<scene>(await_ticket, &v.s);
    await(v.s, v.s.waiting, 1);
    EQUAL(pthread_mutex_destroy(&v.s.m), EBUSY);
    const pthread_t leaver = start<victim>(wait_to_be_cancelled, &v);
    await(v.s, v.s.waiting, 2);
    EQUAL(pthread_cancel(leaver), 0);
    join(leaver);
    EQUAL(pthread_mutex_destroy(&v.s.m), EBUSY);
    pthread_mutex_lock(&v.s.m);
    ++v.s.tickets;
    pthread_cond_broadcast(&v.s.c);
    const timespec past{0, 0};
    EQUAL(pthread_cond_timedwait(&v.s.c, &v.s.m, &past), ETIMEDOUT);
    pthread_mutex_unlock(&v.s.m);
    join(waiter);
    if (kind == PTHREAD_MUTEX_ERRORCHECK) EQUAL(pthread_cond_timedwait(&v.s.c, &v.s.m, &past), EPERM);
    EQUAL(pthread_mutex_destroy(&v.s.m), 0);
    EQUAL(pthread_cond_destroy(&v.s.c), 0);
    pthread_mutexattr_destroy(&of_kind);
  }
}

}  // namespace tests
