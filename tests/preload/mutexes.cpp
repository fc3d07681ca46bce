// Mutexes and spin locks as an unmodified program uses and misuses them. All of it holds under glibc alone, too.

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <memory>
#include <new>
#include <vector>

#include "cases.hpp"
#include "check.hpp"

namespace tests {

namespace {

pthread_mutex_t made_of_kind(int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_t m;
  EQUAL(pthread_mutex_init(&m, &attributes), 0);
  pthread_mutexattr_destroy(&attributes);
  return m;
}

/// What another thread gets of try_lock and, if it got it, unlock.
int tried_elsewhere(pthread_mutex_t* m) {
  struct trial {
    pthread_mutex_t* m;
    int outcome;
  } t{m, -1};
  join(start<trial>(
      [](trial* p) {
        p->outcome = pthread_mutex_trylock(p->m);
        if (p->outcome == 0) pthread_mutex_unlock(p->m);
      },
      &t));
  return t.outcome;
}

void excludes(pthread_mutex_t* m) {
  EQUAL(pthread_mutex_lock(m), 0);
  EQUAL(tried_elsewhere(m), EBUSY);
  EQUAL(pthread_mutex_unlock(m), 0);
  EQUAL(tried_elsewhere(m), 0);
  EQUAL(pthread_mutex_trylock(m), 0);
  EQUAL(pthread_mutex_unlock(m), 0);
}

void is_recursive(pthread_mutex_t* m) {
  for (int i = 0; i < 5; ++i) EQUAL(i % 2 == 0 ? pthread_mutex_lock(m) : pthread_mutex_trylock(m), 0);
  for (int i = 0; i < 5; ++i) {
    EQUAL(tried_elsewhere(m), EBUSY);
    EQUAL(pthread_mutex_unlock(m), 0);
  }
  EQUAL(tried_elsewhere(m), 0);
  EQUAL(pthread_mutex_unlock(m), EPERM);
}

void checks_errors(pthread_mutex_t* m) {
  EQUAL(pthread_mutex_unlock(m), EPERM);
  EQUAL(pthread_mutex_lock(m), 0);
  EQUAL(pthread_mutex_lock(m), EDEADLK);
  EQUAL(pthread_mutex_trylock(m), EBUSY);
  join(start<pthread_mutex_t>([](pthread_mutex_t* p) { EQUAL(pthread_mutex_unlock(p), EPERM); }, m));
  EQUAL(pthread_mutex_unlock(m), 0);
  EQUAL(pthread_mutex_unlock(m), EPERM);
}

}  // namespace

void kinds() {
  pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
  excludes(&plain);
  pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
  excludes(&adaptive);
  pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  excludes(&recursive);
  is_recursive(&recursive);
  pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  excludes(&checking);
  checks_errors(&checking);
  for (const int kind : {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_DEFAULT, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                         PTHREAD_MUTEX_ADAPTIVE_NP}) {
    pthread_mutex_t m = made_of_kind(kind);
    excludes(&m);
    if (kind == PTHREAD_MUTEX_RECURSIVE) is_recursive(&m);
    if (kind == PTHREAD_MUTEX_ERRORCHECK) checks_errors(&m);
    EQUAL(pthread_mutex_destroy(&m), 0);
  }
}

void misuse() {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  EQUAL(pthread_mutex_lock(&m), 0);
  EQUAL(pthread_mutex_destroy(&m), EBUSY);
  join(start<pthread_mutex_t>([](pthread_mutex_t* p) { EQUAL(pthread_mutex_unlock(p), 0); }, &m));
  EQUAL(pthread_mutex_trylock(&m), 0);
  EQUAL(pthread_mutex_unlock(&m), 0);
  EQUAL(pthread_mutex_destroy(&m), 0);
  EQUAL(pthread_mutex_lock(&m), EINVAL);
  EQUAL(pthread_mutex_trylock(&m), EINVAL);
  EQUAL(pthread_mutex_init(&m, nullptr), 0);
  excludes(&m);
  EQUAL(pthread_mutex_destroy(&m), 0);
  pthread_mutex_t again = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < 3; ++i) {  // memory that is used anew without a call
    again = PTHREAD_MUTEX_INITIALIZER;
    EQUAL(pthread_mutex_lock(&again), 0);
  }
  EQUAL(pthread_mutex_consistent(&again), EINVAL);
  int ceiling = 0;
  EQUAL(pthread_mutex_getprioceiling(&again, &ceiling), EINVAL);
  EQUAL(pthread_mutex_setprioceiling(&again, 1, &ceiling), EINVAL);
}

/// Another thread unlocks it, and in its place stands one of another kind.
void replaced() {
  for (const int kind : {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    excludes(&m);
    EQUAL(pthread_mutex_lock(&m), 0);
    join(start<pthread_mutex_t>([](pthread_mutex_t* p) { EQUAL(pthread_mutex_unlock(p), 0); }, &m));
    m = made_of_kind(kind);
    EQUAL(pthread_mutex_lock(&m), 0);
    EQUAL(tried_elsewhere(&m), EBUSY);
    EQUAL(pthread_mutex_unlock(&m), 0);
    EQUAL(pthread_mutex_unlock(&m), EPERM);
    EQUAL(tried_elsewhere(&m), 0);
  }
}

/// A try fails; then the holder puts one of another kind in its place, and keeps that.
void replaced_after_a_try() {
  struct scene {
    int kind;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  };
  for (const int kind : {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    scene it{kind};
    excludes(&it.m);
    join(start<scene>([](scene* s) { EQUAL(pthread_mutex_lock(&s->m), 0); }, &it));
    EQUAL(pthread_mutex_trylock(&it.m), EBUSY);
    join(start<scene>(
        [](scene* s) {
          EQUAL(pthread_mutex_unlock(&s->m), 0);
          EQUAL(pthread_mutex_destroy(&s->m), 0);
          s->m = made_of_kind(s->kind);
          EQUAL(pthread_mutex_lock(&s->m), 0);
        },
        &it));
    EQUAL(pthread_mutex_unlock(&it.m), EPERM);
    EQUAL(tried_elsewhere(&it.m), EBUSY);
  }
}

/// The memory of one that is held is overwritten, and its thread unlocks it: harmless under the C library.
void overwritten() {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  excludes(&m);
  EQUAL(pthread_mutex_lock(&m), 0);
  m = PTHREAD_MUTEX_INITIALIZER;
  EQUAL(pthread_mutex_unlock(&m), 0);
  excludes(&m);
}

/// The bytes of one that was used are another mutex elsewhere, also when the first is destroyed.
void copied() {
  for (pthread_mutex_t of_kind : {pthread_mutex_t PTHREAD_MUTEX_INITIALIZER, made_of_kind(PTHREAD_MUTEX_RECURSIVE),
                                  made_of_kind(PTHREAD_MUTEX_ERRORCHECK)}) {
    pthread_mutex_t all[3];
    all[0] = of_kind;
    excludes(&all[0]);
    all[1] = all[0];
    EQUAL(pthread_mutex_lock(&all[0]), 0);
    EQUAL(tried_elsewhere(&all[1]), 0);
    all[2] = all[1];
    EQUAL(pthread_mutex_lock(&all[1]), 0);
    EQUAL(tried_elsewhere(&all[2]), 0);
    EQUAL(tried_elsewhere(&all[0]), EBUSY);
    EQUAL(pthread_mutex_unlock(&all[0]), 0);
    EQUAL(pthread_mutex_destroy(&all[0]), 0);
    EQUAL(tried_elsewhere(&all[1]), EBUSY);
    EQUAL(pthread_mutex_unlock(&all[1]), 0);
    for (pthread_mutex_t* const m : {&all[1], &all[2]}) excludes(m), EQUAL(pthread_mutex_destroy(m), 0);
  }
  // Never used where it is destroyed.
  pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
  excludes(&first);
  pthread_mutex_t second = first;
  EQUAL(pthread_mutex_destroy(&second), 0);
  excludes(&first);
  EQUAL(pthread_mutex_destroy(&first), 0);
}

void unlocked_free() {
  pthread_mutex_t unused = PTHREAD_MUTEX_INITIALIZER, used = PTHREAD_MUTEX_INITIALIZER;
  excludes(&used);
  for (pthread_mutex_t* const m : {&unused, &used}) {
    for (int i = 0; i < 3; ++i) EQUAL(pthread_mutex_unlock(m), 0);
    join(start<pthread_mutex_t>([](pthread_mutex_t* p) { EQUAL(pthread_mutex_unlock(p), 0); }, m));
    excludes(m);
    const timespec later = in_ms(CLOCK_REALTIME, 600'000);
    EQUAL(pthread_mutex_timedlock(m, &later), 0);
    EQUAL(tried_elsewhere(m), EBUSY);
    EQUAL(pthread_mutex_unlock(m), 0);
  }
}

void destroyed_held() {
  struct scene {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    std::atomic<bool> there{false};
  } s;
  for (pthread_mutex_t of_kind : {pthread_mutex_t PTHREAD_MUTEX_INITIALIZER, made_of_kind(PTHREAD_MUTEX_RECURSIVE),
                                  made_of_kind(PTHREAD_MUTEX_ERRORCHECK)}) {
    s.m = of_kind;
    s.there = false;
    EQUAL(pthread_mutex_lock(&s.m), 0);
    EQUAL(pthread_mutex_destroy(&s.m), EBUSY);
    const pthread_t waiter = start<scene>(
        [](scene* p) {
          p->there = true;
          EQUAL(pthread_mutex_lock(&p->m), 0);
          EQUAL(pthread_mutex_destroy(&p->m), EBUSY);
          EQUAL(pthread_mutex_unlock(&p->m), 0);
        },
        &s);
    while (!s.there) sched_yield();
    EQUAL(pthread_mutex_destroy(&s.m), EBUSY);
    EQUAL(tried_elsewhere(&s.m), EBUSY);
    EQUAL(pthread_mutex_unlock(&s.m), 0);
    join(waiter);
    EQUAL(pthread_mutex_destroy(&s.m), 0);
  }
}

namespace {

/// A mutex that is unlocked once too often while others wait for it.
struct crowd {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<int> there{0};
  std::atomic<bool> misused{false}, leaving{false};
};

void come_and_go(crowd* c) {
  ++c->there;
  EQUAL(pthread_mutex_lock(&c->m), 0);
  while (!c->misused) sched_yield();
  while (c->leaving.exchange(true)) sched_yield();  // one after the other: two may be inside
  EQUAL(pthread_mutex_unlock(&c->m), 0);
  c->leaving = false;
}

}  // namespace

/// All of them get it nevertheless, and afterwards it excludes as before.
void unlocked_twice() {
  for (int i = 0; i < 20; ++i) {
    crowd c;
    EQUAL(pthread_mutex_lock(&c.m), 0);
    pthread_t threads[3];
    for (pthread_t& t : threads) t = start<crowd>(come_and_go, &c);
    while (c.there != static_cast<int>(std::size(threads))) sched_yield();
    if (i == 0) nap();
    EQUAL(pthread_mutex_unlock(&c.m), 0);
    EQUAL(pthread_mutex_unlock(&c.m), 0);
    c.misused = true;
    for (const pthread_t t : threads) join(t);
    excludes(&c.m);
  }
}

namespace {

struct counter {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_spinlock_t s{};
  long count = 0, spun = 0;
};

constexpr int rounds = 200;

void count(counter* c) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&c->m);
    c->count = c->count + 1;
    pthread_mutex_unlock(&c->m);
    pthread_spin_lock(&c->s);
    c->spun = c->spun + 1;
    pthread_spin_unlock(&c->s);
    if (i % 16 == 0) sched_yield();
  }
}

}  // namespace

void exclusion() {
  counter c;
  EQUAL(pthread_spin_init(&c.s, PTHREAD_PROCESS_PRIVATE), 0);
  pthread_t threads[4];
  for (pthread_t& t : threads) t = start<counter>(count, &c);
  for (const pthread_t t : threads) join(t);
  EQUAL(c.count, std::size(threads) * rounds);
  EQUAL(c.spun, std::size(threads) * rounds);
  EQUAL(pthread_spin_trylock(&c.s), 0);
  EQUAL(pthread_spin_trylock(&c.s), EBUSY);
  EQUAL(pthread_spin_unlock(&c.s), 0);
  EQUAL(pthread_spin_destroy(&c.s), 0);
  // Many, held at once and released in another order.
  pthread_mutex_t many[100];
  for (auto& m : many) pthread_mutex_init(&m, nullptr), pthread_mutex_lock(&m);
  for (unsigned i = 0; i < 100; ++i) EQUAL(pthread_mutex_unlock(&many[i * 37 % 100]), 0);
  for (auto& m : many) EQUAL(pthread_mutex_destroy(&m), 0);
}

void timed() {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  const timespec past{0, 0}, nonsense{0, 1'000'000'000};
  const timespec later = in_ms(CLOCK_REALTIME, 600'000), later_mono = in_ms(CLOCK_MONOTONIC, 600'000);
  EQUAL(pthread_mutex_timedlock(&m, &nonsense), 0);  // not looked at
  EQUAL(pthread_mutex_timedlock(&m, &nonsense), EINVAL);
  EQUAL(pthread_mutex_timedlock(&m, &past), ETIMEDOUT);
  EQUAL(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &later), EINVAL);
  const timespec soon = in_ms(CLOCK_REALTIME, 5), soon_mono = in_ms(CLOCK_MONOTONIC, 5);
  EQUAL(pthread_mutex_timedlock(&m, &soon), ETIMEDOUT);
  EQUAL(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &soon_mono), ETIMEDOUT);
  EQUAL(pthread_mutex_unlock(&m), 0);
  EQUAL(pthread_mutex_timedlock(&m, &past), 0);
  const pthread_t other = start<pthread_mutex_t>(
      [](pthread_mutex_t* p) {
        const timespec at = in_ms(CLOCK_MONOTONIC, 600'000);
        EQUAL(pthread_mutex_clocklock(p, CLOCK_MONOTONIC, &at), 0);
        EQUAL(pthread_mutex_unlock(p), 0);
      },
      &m);
  nap();
  EQUAL(pthread_mutex_unlock(&m), 0);
  join(other);
  EQUAL(pthread_mutex_timedlock(&m, &later), 0);
  EQUAL(pthread_mutex_unlock(&m), 0);
  pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  EQUAL(pthread_mutex_clocklock(&recursive, CLOCK_MONOTONIC, &later_mono), 0);
  EQUAL(pthread_mutex_timedlock(&recursive, &later), 0);
  EQUAL(pthread_mutex_unlock(&recursive), 0);
  EQUAL(tried_elsewhere(&recursive), EBUSY);
  EQUAL(pthread_mutex_unlock(&recursive), 0);
  pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  EQUAL(pthread_mutex_timedlock(&checking, &later), 0);
  EQUAL(pthread_mutex_timedlock(&checking, &later), EDEADLK);
  EQUAL(pthread_mutex_unlock(&checking), 0);
}

namespace {

/// Bytes of memory that this process has.
long resident() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  long all = 0, here = 0;
  EQUAL(std::fscanf(file, "%ld %ld", &all, &here), 2);
  std::fclose(file);
  return here * sysconf(_SC_PAGESIZE);
}

void use(pthread_mutex_t* m) {
  EQUAL(pthread_mutex_lock(m), 0);
  EQUAL(pthread_mutex_unlock(m), 0);
}

}  // namespace

/// Mutexes that come and go without a call, as std::mutex does, leave nothing; those that stay hold what they held.
void left_undestroyed() {
  constexpr std::size_t many = 3000, rounds = 60;
  const auto staying = std::make_unique<pthread_mutex_t[]>(many);
  for (std::size_t i = 0; i < many; ++i) {
    staying[i] = PTHREAD_MUTEX_INITIALIZER;
    use(&staying[i]);
    if (i % 2 == 0) EQUAL(pthread_mutex_lock(&staying[i]), 0);
  }
  const auto coming = std::make_unique<pthread_mutex_t[]>(many);
  long before = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    if (round == rounds / 3) before = resident();
    for (std::size_t i = 0; i < many; ++i) coming[i] = PTHREAD_MUTEX_INITIALIZER, use(&coming[i]);
    const std::size_t bytes = sizeof(pthread_mutex_t) * many;  // and in memory that is given back
    void* const there = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (std::size_t i = 0; i < many; ++i) use(new (static_cast<pthread_mutex_t*>(there) + i) pthread_mutex_t{});
    EQUAL(munmap(there, bytes), 0);
  }
  const long grown = resident() - before;
  constexpr long mutexes = 2 * many * (rounds - rounds / 3), each = 80;  // of clh a cell of 64 bytes is left
  EQUAL(grown > mutexes * each ? grown : 0, 0);
  for (std::size_t i = 0; i < many; i += 97) EQUAL(tried_elsewhere(&staying[i]), i % 2 == 0 ? EBUSY : 0);
}

namespace {

/// So many threads wait for one mutex, for some time.
void wait_together(unsigned threads) {
  struct scene {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    std::atomic<unsigned> there{0};
  } s;
  EQUAL(pthread_mutex_lock(&s.m), 0);
  std::vector<pthread_t> all(threads);
  for (pthread_t& t : all) t = start<scene>([](scene* p) { ++p->there, use(&p->m); }, &s);
  while (s.there != threads) nap();
  const timespec time{0, 300'000'000};
  nanosleep(&time, nullptr);
  EQUAL(pthread_mutex_unlock(&s.m), 0);
  for (const pthread_t t : all) join(t);
}

}  // namespace

void many_waiting() {
  cpu_set_t own;
  EQUAL(sched_getaffinity(0, sizeof own, &own), 0);
  wait_together(120 + 4 * static_cast<unsigned>(CPU_COUNT(&own)));
}

void few_waiting() { wait_together(20); }

}  // namespace tests
