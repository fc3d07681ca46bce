// A signal handler that tries locks, run after every single instruction of a thread that locks and unlocks others, the first
// use of everything included. Silent, exit status 0: all is as it should be. (For processors of x86: their flag TF,
// which a handler finds in the context that it interrupted, asks for SIGTRAP after the next instruction.)

#include <pthread.h>
#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

#include "check.hpp"

namespace {

constexpr greg_t trap_flag = 0x100;
constexpr int begin = SIGUSR1, end = SIGUSR2;

struct scene {
  pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;         // the thread's, and tried by the handler
  pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;         // the thread's
  pthread_mutex_t tried = PTHREAD_MUTEX_INITIALIZER;         // the handler's
  pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;          // locked by the handler, unlocked by the thread
  pthread_mutex_t owed = PTHREAD_MUTEX_INITIALIZER;          // the other way round
  pthread_rwlock_t read = PTHREAD_RWLOCK_INITIALIZER;        // by both
  pthread_rwlock_t read_tried = PTHREAD_RWLOCK_INITIALIZER;  // by the handler
  volatile bool is_kept = false, is_owed = false;
  volatile bool reads = false;
  volatile long steps = 0;
};
scene s;

/// Now and then one that nobody has used yet.
void try_new_one() {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  EQUAL(pthread_mutex_trylock(&m), 0);
  EQUAL(pthread_mutex_unlock(&m), 0);
  EQUAL(pthread_mutex_destroy(&m), 0);
}

void try_to_read() {
  if (pthread_rwlock_tryrdlock(&s.read) == 0) EQUAL(pthread_rwlock_unlock(&s.read), 0);
  for (int i = 0; i < 2; ++i) EQUAL(pthread_rwlock_tryrdlock(&s.read_tried), 0);
  EQUAL(pthread_rwlock_trywrlock(&s.read_tried), EBUSY);
  for (int i = 0; i < 2; ++i) EQUAL(pthread_rwlock_unlock(&s.read_tried), 0);
  EQUAL(pthread_rwlock_trywrlock(&s.read_tried), 0);
  EQUAL(pthread_rwlock_unlock(&s.read_tried), 0);
}

void at_step() {
  s.steps = s.steps + 1;
  if (s.reads) try_to_read();
  EQUAL(pthread_mutex_trylock(&s.tried), 0);
  EQUAL(pthread_mutex_trylock(&s.tried), EBUSY);
  EQUAL(pthread_mutex_unlock(&s.tried), 0);
  if (pthread_mutex_trylock(&s.outer) == 0) EQUAL(pthread_mutex_unlock(&s.outer), 0);
  if (s.steps % 3 == 0) try_new_one();
  if (s.steps % 5 == 0 && !s.is_kept) {
    EQUAL(pthread_mutex_trylock(&s.kept), 0);
    s.is_kept = true;
  }
  if (s.steps % 7 == 0 && s.is_owed) {
    s.is_owed = false;
    EQUAL(pthread_mutex_unlock(&s.owed), 0);
  }
}

void handle(int signal, siginfo_t* /*info*/, void* context) {
  greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  if (signal == begin) flags |= trap_flag;
  if (signal == end) flags &= ~trap_flag;
  if (signal == SIGTRAP) at_step();
}

void lock_and_unlock() {
  EQUAL(pthread_mutex_lock(&s.outer), 0);
  EQUAL(pthread_mutex_lock(&s.inner), 0);
  EQUAL(pthread_mutex_trylock(&s.outer), EBUSY);
  EQUAL(pthread_mutex_unlock(&s.outer), 0);
  EQUAL(pthread_mutex_unlock(&s.inner), 0);
  if (s.is_kept) {
    EQUAL(pthread_mutex_unlock(&s.kept), 0);
    s.is_kept = false;
  }
  if (!s.is_owed) {
    EQUAL(pthread_mutex_trylock(&s.owed), 0);
    s.is_owed = true;
  }
}

/// So many at once that nodes come from elsewhere and go there.
void lock_many() {
  static pthread_mutex_t many[100];
  for (auto& m : many) EQUAL(pthread_mutex_lock(&m), 0);
  for (auto& m : many) EQUAL(pthread_mutex_unlock(&m), 0);
}

void read_and_write() {
  for (int i = 0; i < 2; ++i) EQUAL(pthread_rwlock_rdlock(&s.read), 0);
  for (int i = 0; i < 2; ++i) EQUAL(pthread_rwlock_unlock(&s.read), 0);
  EQUAL(pthread_rwlock_wrlock(&s.read), 0);
  EQUAL(pthread_rwlock_unlock(&s.read), 0);
}

void be_stepped(scene* /*the only one*/) {
  // Their first use the handler would wait for.
  EQUAL(pthread_rwlock_rdlock(&s.read), 0);
  EQUAL(pthread_rwlock_unlock(&s.read), 0);
  EQUAL(pthread_mutex_lock(&s.outer), 0);
  EQUAL(pthread_mutex_unlock(&s.outer), 0);
  raise(begin);
  s.reads = true;
  for (int i = 0; i < 4; ++i) read_and_write();
  s.reads = false;
  for (int i = 0; i < 8; ++i) lock_and_unlock();
  lock_many();
  for (int i = 0; i < 3; ++i) lock_and_unlock();
  raise(end);
}

void excludes(pthread_mutex_t* m) {
  EQUAL(pthread_mutex_trylock(m), 0);
  tests::join(tests::start<pthread_mutex_t>([](pthread_mutex_t* p) { EQUAL(pthread_mutex_trylock(p), EBUSY); }, m));
  EQUAL(pthread_mutex_unlock(m), 0);
}

}  // namespace

int main() {
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  for (const int signal : {begin, end, SIGTRAP}) EQUAL(sigaction(signal, &action, nullptr), 0);
  for (int thread = 0; thread < 2; ++thread) tests::join(tests::start<scene>(be_stepped, &s));
  EQUAL(s.steps > 1000, true);
  if (s.is_kept) EQUAL(pthread_mutex_unlock(&s.kept), 0);
  if (s.is_owed) EQUAL(pthread_mutex_unlock(&s.owed), 0);
  for (pthread_mutex_t* const m : {&s.outer, &s.inner, &s.tried, &s.kept, &s.owed}) excludes(m);
}
