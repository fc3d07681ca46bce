// Readers' locks that change hands, and those that begin anew. All of it holds under glibc alone, too.

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include "cases.hpp"
#include "check.hpp"

namespace tests {

namespace {

/// A thread that does what it is told, one call after the other.
class aide {
 public:
  using call = int (*)(pthread_rwlock_t*);

  aide() {
    sem_init(&told_, 0, 0);
    sem_init(&done_, 0, 0);
    thread_ = start<aide>([](aide* me) { me->work(); }, this);
  }
  ~aide() {
    does(nullptr, nullptr);
    join(thread_);
  }
  aide(const aide&) = delete;
  aide& operator=(const aide&) = delete;

  int does(call c, pthread_rwlock_t* l) {
    call_ = c, on_ = l;
    sem_post(&told_);
    while (sem_wait(&done_) != 0) continue;
    return outcome_;
  }

 private:
  void work() {
    for (bool more = true; more;) {
      while (sem_wait(&told_) != 0) continue;
      more = call_ != nullptr;
      if (more) outcome_ = call_(on_);
      sem_post(&done_);
    }
  }

  sem_t told_, done_;
  call call_ = nullptr;
  pthread_rwlock_t* on_ = nullptr;
  int outcome_ = 0;
  pthread_t thread_;
};

/// Whether a writer could come in, for a moment.
bool is_free(aide& other, pthread_rwlock_t* l) {
  const int outcome = other.does(pthread_rwlock_trywrlock, l);
  if (outcome == 0) EQUAL(other.does(pthread_rwlock_unlock, l), 0);
  return outcome == 0;
}

/// Until newcomers see a writer wait, if they are to see it.
void await_writer(aide& newcomer, pthread_rwlock_t* l) {
  for (int i = 0; i < 25 && newcomer.does(pthread_rwlock_tryrdlock, l) == 0; ++i) {
    EQUAL(newcomer.does(pthread_rwlock_unlock, l), 0);
    nap();
  }
}

pthread_t writer_of(pthread_rwlock_t* l) {
  return start<pthread_rwlock_t>(
      [](pthread_rwlock_t* p) {
        EQUAL(pthread_rwlock_wrlock(p), 0);
        EQUAL(pthread_rwlock_unlock(p), 0);
      },
      l);
}

}  // namespace

/// What one thread has locked for reading another unlocks.
void read_handed_over() {
  pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  aide a, b, other;
  for (int i = 0; i < 3; ++i) {
    EQUAL(a.does(pthread_rwlock_rdlock, &rw), 0);
    EQUAL(b.does(pthread_rwlock_unlock, &rw), 0);
    EQUAL(is_free(other, &rw), true);
  }
  EQUAL(a.does(pthread_rwlock_rdlock, &rw), 0);
  EQUAL(is_free(other, &rw), false);
  EQUAL(a.does(pthread_rwlock_unlock, &rw), 0);
  EQUAL(is_free(other, &rw), true);

  for (aide* const who : {&a, &b}) EQUAL(who->does(pthread_rwlock_rdlock, &rw), 0);
  for (int i = 0; i < 2; ++i) EQUAL(b.does(pthread_rwlock_unlock, &rw), 0);
  EQUAL(is_free(other, &rw), true);
  EQUAL(a.does(pthread_rwlock_rdlock, &rw), 0);
  EQUAL(is_free(other, &rw), false);

  // Who has it again is known again.
  const pthread_t writer = writer_of(&rw);
  await_writer(other, &rw);
  EQUAL(a.does(pthread_rwlock_rdlock, &rw), 0);
  for (int i = 0; i < 2; ++i) EQUAL(a.does(pthread_rwlock_unlock, &rw), 0);
  join(writer);

  // One of two that a thread has.
  for (int i = 0; i < 2; ++i) EQUAL(a.does(pthread_rwlock_rdlock, &rw), 0);
  EQUAL(b.does(pthread_rwlock_unlock, &rw), 0);
  EQUAL(is_free(other, &rw), false);
  EQUAL(a.does(pthread_rwlock_unlock, &rw), 0);
  EQUAL(is_free(other, &rw), true);
  EQUAL(pthread_rwlock_destroy(&rw), 0);
}

/// Whoever locks and whoever unlocks: there are as many readers as were let in and have not left.
void read_by_turns() {
  pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  aide readers[3], other;
  std::uint32_t random = 1;
  for (int i = 0, inside = 0; i < 600; ++i) {
    random = random * 1664525 + 1013904223;
    aide& who = readers[(random >> 16) % std::size(readers)];
    const bool enters = inside == 0 || (inside < 5 && (random >> 24) % 2 == 0);
    EQUAL(who.does(enters ? pthread_rwlock_rdlock : pthread_rwlock_unlock, &rw), 0);
    inside += enters ? 1 : -1;
    EQUAL(is_free(other, &rw), inside == 0);
  }
}

namespace {

struct library {
  pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  std::atomic<int> owed{0};
  long left = 0, right = 0;
};

void compare(const library& l) { EQUAL(l.left - l.right, 0); }

/// Ends one reading, its own or that of another who counts on it.
void end_one(library& l) {
  for (int owed = l.owed; owed != 0;)
    if (l.owed.compare_exchange_weak(owed, owed - 1)) {
      EQUAL(pthread_rwlock_unlock(&l.rw), 0);
      return;
    }
}

void read_and_leave(library* l) {
  for (int i = 0; i < 2000; ++i) {
    EQUAL(pthread_rwlock_rdlock(&l->rw), 0);
    compare(*l);
    if (i % 8 == 0) sched_yield();
    l->owed.fetch_add(1);
    end_one(*l);
  }
}

void write_both(library* l) {
  for (int i = 0; i < 500; ++i) {
    EQUAL(pthread_rwlock_wrlock(&l->rw), 0);
    l->left = l->left + 1;
    if (i % 8 == 0) sched_yield();
    l->right = l->right + 1;
    EQUAL(pthread_rwlock_unlock(&l->rw), 0);
  }
}

}  // namespace

void read_across() {
  library l;
  pthread_t threads[4];
  for (unsigned i = 0; i < std::size(threads); ++i)
    threads[i] = start<library>(i == 0 ? write_both : read_and_leave, &l);
  for (const pthread_t t : threads) join(t);
  EQUAL(l.owed.load(), 0);
  EQUAL(pthread_rwlock_trywrlock(&l.rw), 0);
  EQUAL(l.left, 500);
}

/// More than a thread remembers.
void read_many() {
  constexpr unsigned many = 100;
  static pthread_rwlock_t all[many];
  aide b, other;
  for (auto& l : all) {
    l = PTHREAD_RWLOCK_INITIALIZER;
    EQUAL(pthread_rwlock_rdlock(&l), 0);
  }
  for (auto& l : all) EQUAL(is_free(other, &l), false);
  pthread_rwlock_t* const last = &all[many - 1];
  EQUAL(b.does(pthread_rwlock_rdlock, last), 0);
  EQUAL(pthread_rwlock_unlock(last), 0);
  const pthread_t writer = writer_of(last);
  await_writer(other, last);
  EQUAL(b.does(pthread_rwlock_rdlock, last), 0);  // what others do not remember is nothing to it
  for (int i = 0; i < 2; ++i) EQUAL(b.does(pthread_rwlock_unlock, last), 0);
  join(writer);
  for (unsigned i = 0; i < many; ++i) {
    pthread_rwlock_t& l = all[i * 37 % many];
    if (&l != last) EQUAL(pthread_rwlock_unlock(&l), 0);
    EQUAL(is_free(other, &l), true);
    EQUAL(pthread_rwlock_destroy(&l), 0);
  }
}

namespace {

pthread_rwlock_t of_parent = PTHREAD_RWLOCK_INITIALIZER;

void excludes_all(pthread_rwlock_t* l) {
  aide other;
  EQUAL(pthread_rwlock_trywrlock(l), 0);
  EQUAL(other.does(pthread_rwlock_tryrdlock, l), EBUSY);
  EQUAL(pthread_rwlock_unlock(l), 0);
  EQUAL(pthread_rwlock_rdlock(l), 0);
  EQUAL(is_free(other, l), false);
  EQUAL(pthread_rwlock_unlock(l), 0);
  EQUAL(is_free(other, l), true);
}

}  // namespace

/// Where this thread read another lock begins: in the child of a fork, or in memory that is used again.
void read_and_made_again() {
  pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  EQUAL(pthread_rwlock_rdlock(&rw), 0);
  EQUAL(pthread_rwlock_init(&rw, nullptr), 0);
  excludes_all(&rw);
  EQUAL(pthread_rwlock_rdlock(&rw), 0);
  rw = PTHREAD_RWLOCK_INITIALIZER;
  excludes_all(&rw);

  EQUAL(pthread_rwlock_rdlock(&of_parent), 0);
  pthread_atfork(nullptr, nullptr, [] { pthread_rwlock_init(&of_parent, nullptr); });
  const pid_t child = fork();
  if (child == 0) {
    excludes_all(&of_parent);
    std::_Exit(0);
  }
  int status = -1;
  EQUAL(waitpid(child, &status, 0), child);
  EQUAL(status, 0);
  EQUAL(pthread_rwlock_unlock(&of_parent), 0);
  excludes_all(&of_parent);
}

/// What the forking thread read, more often than once and more than it remembers, it reads in the child.
void read_and_forked() {
  static pthread_rwlock_t all[40];
  for (auto& l : all) {
    l = PTHREAD_RWLOCK_INITIALIZER;
    EQUAL(pthread_rwlock_rdlock(&l), 0);
  }
  EQUAL(pthread_rwlock_rdlock(&all[0]), 0);
  const pid_t child = fork();
  if (child == 0) {
    aide other;
    for (auto& l : all) {
      for (int i = 0; i < (&l == all ? 2 : 1); ++i) {
        EQUAL(is_free(other, &l), false);
        EQUAL(pthread_rwlock_unlock(&l), 0);
      }
      EQUAL(is_free(other, &l), true);
      excludes_all(&l);
    }
    std::_Exit(0);
  }
  int status = -1;
  EQUAL(waitpid(child, &status, 0), child);
  EQUAL(status, 0);
}

/// The bytes of one that was used are another one elsewhere.
void copied_rwlocks() {
  aide other;
  pthread_rwlock_t all[2];
  EQUAL(pthread_rwlock_init(&all[0], nullptr), 0);
  EQUAL(pthread_rwlock_wrlock(&all[0]), 0);
  EQUAL(pthread_rwlock_unlock(&all[0]), 0);
  all[1] = all[0];
  EQUAL(pthread_rwlock_rdlock(&all[0]), 0);
  EQUAL(is_free(other, &all[1]), true);
  EQUAL(pthread_rwlock_wrlock(&all[1]), 0);
  EQUAL(pthread_rwlock_unlock(&all[0]), 0);
  EQUAL(pthread_rwlock_destroy(&all[0]), 0);
  EQUAL(is_free(other, &all[1]), false);
  EQUAL(pthread_rwlock_unlock(&all[1]), 0);
  EQUAL(is_free(other, &all[1]), true);
  EQUAL(pthread_rwlock_destroy(&all[1]), 0);
}

}  // namespace tests
