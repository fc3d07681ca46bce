// Forks with threads in the queues, readers and writers, and what is left to the C library.

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <new>

#include "cases.hpp"
#include "check.hpp"

namespace tests {

namespace {

struct shared_scene {
  pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t of_c = PTHREAD_MUTEX_INITIALIZER;
  bool open = false, at_door = false;
};

void stand_in_line(shared_scene* s) {
  for (pthread_mutex_t* m : {&s->plain, &s->recursive}) {
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
  }
  pthread_rwlock_wrlock(&s->rw);
  pthread_rwlock_unlock(&s->rw);
}

void stand_at_door(shared_scene* s) {
  pthread_mutex_lock(&s->of_c);
  s->at_door = true;
  while (!s->open) pthread_cond_wait(&s->c, &s->of_c);
  pthread_mutex_unlock(&s->of_c);
}

/// Until somebody waits there; then nobody has the mutex.
void await_at_door(shared_scene& s) {
  for (bool there = false; !there; nap()) {
    pthread_mutex_lock(&s.of_c);
    there = s.at_door;
    pthread_mutex_unlock(&s.of_c);
  }
}

[[noreturn]] void live_as_grandchild(shared_scene& s, bool held) {
  if (held) {
    EQUAL(pthread_mutex_trylock(&s.plain), EBUSY);
    EQUAL(pthread_mutex_unlock(&s.plain), 0);
  }
  EQUAL(pthread_mutex_lock(&s.plain), 0);
  EQUAL(pthread_mutex_unlock(&s.plain), 0);
  std::_Exit(0);
}

/// What a child may do with what its only thread held when it was forked: release it, and use it from then on.
[[noreturn]] void live_as_child(shared_scene& s) {
  EQUAL(pthread_mutex_trylock(&s.plain), EBUSY);
  EQUAL(pthread_mutex_unlock(&s.plain), 0);
  EQUAL(pthread_mutex_lock(&s.plain), 0);
  EQUAL(pthread_mutex_unlock(&s.plain), 0);
  EQUAL(pthread_rwlock_unlock(&s.rw), 0);
  EQUAL(pthread_rwlock_wrlock(&s.rw), 0);
  EQUAL(pthread_rwlock_unlock(&s.rw), 0);
  s.at_door = false;
  const pthread_t other = start<shared_scene>(stand_at_door, &s);
  await_at_door(s);
  pthread_mutex_lock(&s.of_c);
  s.open = true;
  pthread_cond_broadcast(&s.c);
  pthread_mutex_unlock(&s.of_c);
  join(other);
  for (const bool held : {false, true}) {
    if (held) EQUAL(pthread_mutex_lock(&s.plain), 0);
    const pid_t grandchild = fork();
    if (grandchild == 0) live_as_grandchild(s, held);
    int status = -1;
    EQUAL(waitpid(grandchild, &status, 0), grandchild);
    EQUAL(status, 0);
  }
  std::_Exit(0);
}

}  // namespace

void forked() {
  shared_scene s;
  pthread_mutex_lock(&s.plain);
  pthread_mutex_lock(&s.recursive);
  pthread_rwlock_rdlock(&s.rw);
  pthread_t threads[4];
  for (pthread_t& t : threads) t = start<shared_scene>(stand_in_line, &s);
  const pthread_t at_door = start<shared_scene>(stand_at_door, &s);
  await_at_door(s);
  nap();  // the others are in their queues, mostly
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) live_as_child(s);
    int status = -1;
    EQUAL(waitpid(child, &status, 0), child);
    EQUAL(status, 0);
  }
  EQUAL(pthread_mutex_unlock(&s.plain), 0);
  EQUAL(pthread_mutex_unlock(&s.recursive), 0);
  EQUAL(pthread_rwlock_unlock(&s.rw), 0);
  pthread_mutex_lock(&s.of_c);
  s.open = true;
  pthread_mutex_unlock(&s.of_c);
  pthread_cond_signal(&s.c);
  for (const pthread_t t : threads) join(t);
  join(at_door);
}

namespace {

struct book {
  pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  long left = 0, right = 0;
};

void write_book(book* b) {
  for (int i = 0; i < 100; ++i) {
    pthread_rwlock_wrlock(&b->rw);
    b->left = b->left + 1;
    b->right = b->right + 1;
    pthread_rwlock_unlock(&b->rw);
  }
}

void read_book(book* b) {
  for (int i = 0; i < 100; ++i) {
    pthread_rwlock_rdlock(&b->rw);
    EQUAL(b->left - b->right, 0);
    EQUAL(pthread_rwlock_rdlock(&b->rw), 0);  // who reads may read again, whoever waits
    EQUAL(b->left - b->right, 0);
    pthread_rwlock_unlock(&b->rw);
    pthread_rwlock_unlock(&b->rw);
  }
}

void refusals(pthread_rwlock_t& rw) {
  const timespec past{0, 0};
  EQUAL(pthread_rwlock_wrlock(&rw), 0);
  EQUAL(pthread_rwlock_wrlock(&rw), EDEADLK);
  EQUAL(pthread_rwlock_rdlock(&rw), EDEADLK);
  EQUAL(pthread_rwlock_tryrdlock(&rw), EBUSY);
  EQUAL(pthread_rwlock_trywrlock(&rw), EBUSY);
  EQUAL(pthread_rwlock_unlock(&rw), 0);
  EQUAL(pthread_rwlock_tryrdlock(&rw), 0);
  join(start<pthread_rwlock_t>(
      [](pthread_rwlock_t* p) {
        EQUAL(pthread_rwlock_trywrlock(p), EBUSY);
        const timespec soon = in_ms(CLOCK_MONOTONIC, 3);
        EQUAL(pthread_rwlock_clockwrlock(p, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
        EQUAL(pthread_rwlock_tryrdlock(p), 0);  // the writer has given up
        EQUAL(pthread_rwlock_unlock(p), 0);
      },
      &rw));
  EQUAL(pthread_rwlock_timedwrlock(&rw, &past), ETIMEDOUT);
  EQUAL(pthread_rwlock_unlock(&rw), 0);
  EQUAL(pthread_rwlock_trywrlock(&rw), 0);
  join(start<pthread_rwlock_t>(
      [](pthread_rwlock_t* p) {
        const timespec soon = in_ms(CLOCK_REALTIME, 3);
        EQUAL(pthread_rwlock_timedrdlock(p, &soon), ETIMEDOUT);
        EQUAL(pthread_rwlock_clockrdlock(p, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
      },
      &rw));
  EQUAL(pthread_rwlock_unlock(&rw), 0);
}

/// A reader reads again while a writer waits; where writers are preferred, that one holds other readers off.
void reads_again(pthread_rwlock_t& rw) {
  EQUAL(pthread_rwlock_rdlock(&rw), 0);
  const pthread_t writer = start<pthread_rwlock_t>(
      [](pthread_rwlock_t* p) {
        pthread_rwlock_wrlock(p);
        pthread_rwlock_unlock(p);
      },
      &rw);
  struct trial {
    pthread_rwlock_t& rw;
    int outcome;
  } other{rw, 0};
  for (int i = 0; i < 25 && other.outcome == 0; ++i) {  // until the writer waits, if that can be seen
    nap();
    join(start<trial>(
        [](trial* t) {
          t->outcome = pthread_rwlock_tryrdlock(&t->rw);
          if (t->outcome == 0) pthread_rwlock_unlock(&t->rw);
        },
        &other));
  }
  EQUAL(pthread_rwlock_rdlock(&rw), 0);
  EQUAL(pthread_rwlock_tryrdlock(&rw), 0);
  for (int i = 0; i < 3; ++i) EQUAL(pthread_rwlock_unlock(&rw), 0);
  join(writer);
}

}  // namespace

void readers_and_writers() {
  book b;
  refusals(b.rw);
  reads_again(b.rw);
  pthread_t threads[4];
  for (unsigned i = 0; i < std::size(threads); ++i) threads[i] = start<book>(i % 2 == 0 ? write_book : read_book, &b);
  for (const pthread_t t : threads) join(t);
  EQUAL(b.left, 200);
  EQUAL(pthread_rwlock_destroy(&b.rw), 0);
  pthread_rwlock_t nonrecursive = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
  refusals(nonrecursive);
}

namespace {

struct in_shared_memory {
  pthread_mutex_t m, robust;
  pthread_cond_t c;
  pthread_rwlock_t rw;
  pthread_spinlock_t s;
  bool told;
};

void initialise(in_shared_memory& o) {
  pthread_mutexattr_t of_mutex;
  pthread_mutexattr_init(&of_mutex);
  pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
  EQUAL(pthread_mutex_init(&o.m, &of_mutex), 0);
  pthread_mutexattr_setrobust(&of_mutex, PTHREAD_MUTEX_ROBUST);
  EQUAL(pthread_mutex_init(&o.robust, &of_mutex), 0);
  pthread_condattr_t of_condition;
  pthread_condattr_init(&of_condition);
  pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED);
  EQUAL(pthread_cond_init(&o.c, &of_condition), 0);
  pthread_rwlockattr_t of_rwlock;
  pthread_rwlockattr_init(&of_rwlock);
  pthread_rwlockattr_setpshared(&of_rwlock, PTHREAD_PROCESS_SHARED);
  EQUAL(pthread_rwlock_init(&o.rw, &of_rwlock), 0);
  EQUAL(pthread_spin_init(&o.s, PTHREAD_PROCESS_SHARED), 0);
}

[[noreturn]] void be_the_other_process(in_shared_memory& o) {
  EQUAL(pthread_mutex_lock(&o.robust), 0);  // and never unlocks it
  EQUAL(pthread_rwlock_trywrlock(&o.rw), EBUSY);
  EQUAL(pthread_spin_trylock(&o.s), EBUSY);
  pthread_mutex_lock(&o.m);
  o.told = true;
  pthread_cond_signal(&o.c);
  pthread_mutex_unlock(&o.m);
  std::_Exit(0);
}

}  // namespace

void left_alone() {
  void* const memory =
      mmap(nullptr, sizeof(in_shared_memory), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& o = *new (memory) in_shared_memory{};
  initialise(o);
  pthread_rwlock_rdlock(&o.rw);
  pthread_spin_lock(&o.s);
  pthread_mutex_lock(&o.m);
  const pid_t child = fork();
  if (child == 0) be_the_other_process(o);
  while (!o.told) EQUAL(pthread_cond_wait(&o.c, &o.m), 0);
  EQUAL(pthread_mutex_unlock(&o.m), 0);
  int status = -1;
  EQUAL(waitpid(child, &status, 0), child);
  EQUAL(status, 0);
  EQUAL(pthread_mutex_lock(&o.robust), EOWNERDEAD);
  EQUAL(pthread_mutex_consistent(&o.robust), 0);
  EQUAL(pthread_mutex_unlock(&o.robust), 0);
  pthread_spin_unlock(&o.s);
  pthread_rwlock_unlock(&o.rw);
  // Their condition variable with a mutex of one's own.
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  const timespec soon = in_ms(CLOCK_REALTIME, 5);
  pthread_mutex_lock(&own);
  int outcome = 0;
  while (outcome == 0) outcome = pthread_cond_timedwait(&o.c, &own, &soon);
  EQUAL(outcome, ETIMEDOUT);
  EQUAL(pthread_mutex_trylock(&own), EBUSY);
  pthread_mutexattr_t heir;
  pthread_mutexattr_init(&heir);
  pthread_mutexattr_setprotocol(&heir, PTHREAD_PRIO_INHERIT);
  pthread_mutex_t inheriting;
  EQUAL(pthread_mutex_init(&inheriting, &heir), 0);
  EQUAL(pthread_mutex_lock(&inheriting), 0);
  EQUAL(pthread_mutex_trylock(&inheriting), EBUSY);
  EQUAL(pthread_mutex_unlock(&inheriting), 0);
  EQUAL(pthread_mutex_destroy(&inheriting), 0);
}

namespace {

/// What is not said to be shared, in memory that is.
struct in_memory_of_all {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
  pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
};

void use_all(in_memory_of_all& o) {
  for (int i = 0; i < 3; ++i) {
    EQUAL(pthread_mutex_lock(&o.m), 0);
    const timespec past{0, 0};
    EQUAL(pthread_cond_timedwait(&o.c, &o.m, &past), ETIMEDOUT);
    EQUAL(pthread_mutex_unlock(&o.m), 0);
    EQUAL(pthread_rwlock_rdlock(&o.rw), 0);
    EQUAL(pthread_rwlock_unlock(&o.rw), 0);
    EQUAL(pthread_rwlock_wrlock(&o.rw), 0);
    EQUAL(pthread_rwlock_unlock(&o.rw), 0);
  }
}

void in_a_child(in_memory_of_all& o, void (*body)(in_memory_of_all&)) {
  const pid_t child = fork();
  if (child == 0) {
    body(o);
    std::_Exit(0);
  }
  int status = -1;
  EQUAL(waitpid(child, &status, 0), child);
  EQUAL(status, 0);
}

/// A child's memory is not as its parent's: what lies at an address is another thing.
void use_much_and_all(in_memory_of_all& o) {
  for (int i = 0; i < 1000; ++i) {
    auto* const m = new pthread_mutex_t PTHREAD_MUTEX_INITIALIZER;
    EQUAL(pthread_mutex_lock(m), 0);
    if (i % 2 == 0) EQUAL(pthread_mutex_unlock(m), 0);
  }
  use_all(o);
}

}  // namespace

/// One process after the other uses them: a child, the next, their parent.
void shared_memory() {
  void* const memory =
      mmap(nullptr, sizeof(in_memory_of_all), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& o = *new (memory) in_memory_of_all{};
  for (int i = 0; i < 3; ++i) {
    for (auto* const body : {use_all, use_much_and_all, use_all}) in_a_child(o, body);
    EQUAL(pthread_mutex_lock(&o.held), 0);
    in_a_child(o, [](in_memory_of_all& it) { EQUAL(pthread_mutex_trylock(&it.held), EBUSY); });
    EQUAL(pthread_mutex_unlock(&o.held), 0);
    use_all(o);
  }
}

/// A thread of a real-time class; 77 if it may not be made.
void real_time() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const sched_param lowest{.sched_priority = 1};
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_RR);
  pthread_attr_setschedparam(&attributes, &lowest);
  for (int i = 0; i < 2; ++i) {
    pthread_t thread{};
    const int error = pthread_create(
        &thread, &attributes, [](void*) -> void* { return nullptr; }, nullptr);
    if (error == EPERM) std::_Exit(77);
    check_equal(error, 0, "pthread_create", __FILE__, __LINE__);
    pthread_join(thread, nullptr);
  }
  pthread_attr_destroy(&attributes);
}

}  // namespace tests
