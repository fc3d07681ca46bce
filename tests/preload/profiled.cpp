// A program whose locks do what is known: profiled CASE. Not static where a name is to be found.

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <mutex>
#include <string>
#include <utility>

#include "check.hpp"

pthread_mutex_t hot_mutex = PTHREAD_MUTEX_INITIALIZER;
extern "C" {
pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER;  // a name that is the code of a type, too
}
pthread_mutex_t cold_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
std::mutex standard_mutex;
struct account {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  long money = 0;
};
account bank[8];
pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t quick_lock;

namespace {

std::atomic<long> waiter{0};
std::atomic<int> turn{0};

void locked(pthread_mutex_t* m) {
  EQUAL(pthread_mutex_lock(m), 0);
  EQUAL(pthread_mutex_unlock(m), 0);
}

void thousand(void*) {
  for (int i = 0; i < 1000; ++i) locked(&hot_mutex);
}

void short_names() {
  for (int n = 0; n < 3; ++n) locked(&x);
}

/// Four threads, one after the other.
void counted() {
  for (int i = 0; i < 4; ++i) tests::join(tests::start(thousand, static_cast<void*>(nullptr)));
  for (int i = 0; i < 10; ++i) locked(&cold_mutex);
  for (int i = 0; i < 7; ++i) standard_mutex.lock(), standard_mutex.unlock();
}

/// Whether the system says that the thread sleeps.
bool sleeps(long thread) {
  std::ifstream file{"/proc/self/task/" + std::to_string(thread) + "/stat"};
  std::string text;
  std::getline(file, text);
  const auto end = text.rfind(')');
  return end != std::string::npos && text.size() > end + 2 && text[end + 2] == 'S';
}

void wait_for_it(void*) {
  waiter = gettid();
  locked(&hot_mutex);
}

/// Five acquisitions that must wait, five that need not.
void contended() {
  for (int i = 0; i < 5; ++i) {
    waiter = 0;
    EQUAL(pthread_mutex_lock(&hot_mutex), 0);
    const pthread_t other = tests::start(wait_for_it, static_cast<void*>(nullptr));
    while (waiter == 0 || !sleeps(waiter)) sched_yield();
    EQUAL(pthread_mutex_unlock(&hot_mutex), 0);
    tests::join(other);
  }
}

[[gnu::noinline]] void wait_elsewhere(void* nothing) {
  wait_for_it(nothing);
  waiter = 0;
}

/// Two waits of a millisecond and more on one path, one on another.
void waited_on_paths() {
  void (*const all[])(void*) = {wait_for_it, wait_for_it, wait_elsewhere};
  for (void (*const one)(void*) : all) {
    waiter = 0;
    EQUAL(pthread_mutex_lock(&hot_mutex), 0);
    const pthread_t other = tests::start(one, static_cast<void*>(nullptr));
    while (waiter == 0 || !sleeps(waiter)) sched_yield();
    usleep(1000);
    EQUAL(pthread_mutex_unlock(&hot_mutex), 0);
    tests::join(other);
  }
}

void pair(pthread_mutex_t* a, pthread_mutex_t* b) {
  EQUAL(pthread_mutex_lock(a), 0);
  locked(b);
  EQUAL(pthread_mutex_unlock(a), 0);
}

void ordered() {
  for (int i = 0; i < 10; ++i) pair(&hot_mutex, &cold_mutex);
}

void cycle() {
  pair(&hot_mutex, &cold_mutex);
  pair(&cold_mutex, &hot_mutex);
}

/// Two holds of one thread that cross, each in turn.
void hand_over_hand() {
  for (int i = 0; i < 3; ++i) {
    EQUAL(pthread_mutex_lock(&hot_mutex), 0);
    EQUAL(pthread_mutex_lock(&cold_mutex), 0);
    EQUAL(pthread_mutex_unlock(&hot_mutex), 0);
    EQUAL(pthread_mutex_unlock(&cold_mutex), 0);
  }
}

/// What is only tried comes after nothing.
void tried() {
  pair(&hot_mutex, &cold_mutex);
  EQUAL(pthread_mutex_lock(&cold_mutex), 0);
  EQUAL(pthread_mutex_trylock(&hot_mutex), 0);
  EQUAL(pthread_mutex_unlock(&hot_mutex), 0);
  EQUAL(pthread_mutex_unlock(&cold_mutex), 0);
}

pthread_mutex_t recursive_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/// It is held yet when it was taken twice and given back once.
void held_twice() {
  EQUAL(pthread_mutex_lock(&recursive_mutex), 0);
  locked(&recursive_mutex);
  locked(&cold_mutex);
  EQUAL(pthread_mutex_unlock(&recursive_mutex), 0);
  pair(&cold_mutex, &recursive_mutex);
}

void recursive() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_t m;
  EQUAL(pthread_mutex_init(&m, &attributes), 0);
  EQUAL(pthread_mutex_lock(&m), 0);
  pair(&m, &cold_mutex);
  EQUAL(pthread_mutex_unlock(&m), 0);
  locked(&cold_mutex);
  EQUAL(pthread_mutex_destroy(&m), 0);
}

void take_turns(void* mine) {
  const int number = mine == nullptr ? 0 : 1;
  EQUAL(pthread_mutex_lock(&hot_mutex), 0);
  for (int i = 0; i < 20; ++i) {
    while (turn % 2 != number) EQUAL(pthread_cond_wait(&changed, &hot_mutex), 0);
    ++turn;
    EQUAL(pthread_cond_signal(&changed), 0);
  }
  EQUAL(pthread_mutex_unlock(&hot_mutex), 0);
}

void conditions() {
  const pthread_t a = tests::start(take_turns, static_cast<void*>(nullptr));
  const pthread_t b = tests::start(take_turns, static_cast<void*>(&turn));
  tests::join(a), tests::join(b);
  EQUAL(pthread_mutex_lock(&cold_mutex), 0);
  timespec soon = tests::in_ms(CLOCK_REALTIME, 3);  // longer than a thread is known for
  EQUAL(pthread_cond_timedwait(&changed, &cold_mutex, &soon), ETIMEDOUT);
  EQUAL(pthread_mutex_unlock(&cold_mutex), 0);
  locked(&cold_mutex);
}

/// The parent 3 times, the child 5 times.
void forked() {
  for (int i = 0; i < 3; ++i) locked(&hot_mutex);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5; ++i) locked(&hot_mutex);
    _exit(0);
  }
  int status = -1;
  EQUAL(waitpid(child, &status, 0), child);
  EQUAL(status, 0);
}

void killed() {
  for (int i = 0; i < 6; ++i) locked(&hot_mutex);
  raise(SIGKILL);
}

void replaced() {
  for (int i = 0; i < 6; ++i) locked(&hot_mutex);
  execl("/bin/true", "true", nullptr);
}

void many() {
  for (int i = 0; i < 100; ++i) thousand(nullptr);
}

void read_and_write(void*) {
  for (int i = 0; i < 100; ++i) {
    EQUAL(pthread_rwlock_rdlock(&table_lock), 0);
    EQUAL(pthread_rwlock_unlock(&table_lock), 0);
  }
  for (int i = 0; i < 10; ++i) {
    EQUAL(pthread_rwlock_wrlock(&table_lock), 0);
    EQUAL(pthread_rwlock_unlock(&table_lock), 0);
  }
}

/// Three threads, one after the other: 300 times read, 30 times written; 5 and 4 times by a try, or with a deadline.
void rwlocks() {
  for (int i = 0; i < 3; ++i) tests::join(tests::start(read_and_write, static_cast<void*>(nullptr)));
  const timespec later = tests::in_ms(CLOCK_REALTIME, 60'000);
  for (int i = 0; i < 3; ++i) EQUAL(pthread_rwlock_tryrdlock(&table_lock), 0);
  EQUAL(pthread_rwlock_trywrlock(&table_lock), EBUSY);
  for (int i = 0; i < 2; ++i) EQUAL(pthread_rwlock_timedrdlock(&table_lock, &later), 0);
  for (int i = 0; i < 5; ++i) EQUAL(pthread_rwlock_unlock(&table_lock), 0);
  for (int i = 0; i < 4; ++i) {
    EQUAL(i < 2 ? pthread_rwlock_trywrlock(&table_lock) : pthread_rwlock_timedwrlock(&table_lock, &later), 0);
    EQUAL(pthread_rwlock_unlock(&table_lock), 0);
  }
}

void wait_to_write(void* writes) {
  waiter = gettid();
  EQUAL(writes != nullptr ? pthread_rwlock_wrlock(&table_lock) : pthread_rwlock_rdlock(&table_lock), 0);
  EQUAL(pthread_rwlock_unlock(&table_lock), 0);
}

/// A reader that waits for a writer, and a writer that waits for a reader, each three times.
void contended_rwlock() {
  for (int i = 0; i < 6; ++i) {
    const bool writes = i % 2 != 0;
    waiter = 0;
    EQUAL(writes ? pthread_rwlock_rdlock(&table_lock) : pthread_rwlock_wrlock(&table_lock), 0);
    const pthread_t other = tests::start(wait_to_write, writes ? static_cast<void*>(&table_lock) : nullptr);
    while (waiter == 0 || !sleeps(waiter)) sched_yield();
    EQUAL(pthread_rwlock_unlock(&table_lock), 0);
    tests::join(other);
  }
}

/// It is read while cold_mutex is taken, and written while that is held.
void rwlock_cycle() {
  EQUAL(pthread_rwlock_rdlock(&table_lock), 0);
  EQUAL(pthread_rwlock_rdlock(&table_lock), 0);
  EQUAL(pthread_rwlock_unlock(&table_lock), 0);
  locked(&cold_mutex);
  EQUAL(pthread_rwlock_unlock(&table_lock), 0);
  locked(&hot_mutex);
  EQUAL(pthread_mutex_lock(&cold_mutex), 0);
  EQUAL(pthread_rwlock_wrlock(&table_lock), 0);
  EQUAL(pthread_rwlock_unlock(&table_lock), 0);
  EQUAL(pthread_mutex_unlock(&cold_mutex), 0);
}

void spin(void*) {
  for (int i = 0; i < 50; ++i) {
    EQUAL(pthread_spin_lock(&quick_lock), 0);
    EQUAL(pthread_spin_unlock(&quick_lock), 0);
  }
}

/// Two threads, one after the other, and three tries that get it.
void spin_locks() {
  EQUAL(pthread_spin_init(&quick_lock, PTHREAD_PROCESS_PRIVATE), 0);
  for (int i = 0; i < 2; ++i) tests::join(tests::start(spin, static_cast<void*>(nullptr)));
  for (int i = 0; i < 3; ++i) {
    EQUAL(pthread_spin_trylock(&quick_lock), 0);
    EQUAL(pthread_spin_trylock(&quick_lock), EBUSY);
    locked(&cold_mutex);
    EQUAL(pthread_spin_unlock(&quick_lock), 0);
  }
  EQUAL(pthread_mutex_lock(&cold_mutex), 0);
  spin(nullptr);
  EQUAL(pthread_mutex_unlock(&cold_mutex), 0);
  EQUAL(pthread_spin_destroy(&quick_lock), 0);
}

/// The child goes on with what the parent initialised.
void forked_spin() {
  EQUAL(pthread_spin_init(&quick_lock, PTHREAD_PROCESS_PRIVATE), 0);
  spin(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    spin(nullptr), spin(nullptr);
    read_and_write(nullptr);
    _exit(0);
  }
  int status = -1;
  EQUAL(waitpid(child, &status, 0), child);
  EQUAL(status, 0);
}

/// As servers do that root starts.
void another_user() {
  EQUAL(setgid(65534), 0);
  EQUAL(setuid(65534), 0);
  for (int i = 3; i < 100; ++i) close(i);
  forked();
}

/// More than can take over from one that may make no file. The first has a child itself.
void many_heirs() {
  EQUAL(setgid(65534), 0);
  EQUAL(setuid(65534), 0);
  locked(&hot_mutex);
  for (int i = 0; i < 70; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const pid_t grandchild = i == 0 ? fork() : 0;
      if (grandchild != 0) EQUAL(waitpid(grandchild, nullptr, 0), grandchild);
      for (int k = 0; k < 5; ++k) locked(&hot_mutex);
      _exit(0);
    }
    int status = -1;
    EQUAL(waitpid(child, &status, 0), child);
    EQUAL(status, 0);
  }
}

/// Until it is ended.
void take_for_ever(void*) {
  for (;;) {
    EQUAL(pthread_mutex_lock(&hot_mutex), 0);
    usleep(1000);
    EQUAL(pthread_mutex_unlock(&hot_mutex), 0);
    locked(&cold_mutex);
  }
}

void busy() {
  tests::start(take_for_ever, static_cast<void*>(nullptr));
  take_for_ever(nullptr);
}

/// One of the bank's accounts for a while, then three, until it is ended.
void accounts() {
  for (int i = 0;; ++i) {
    locked(&bank[6].lock);
    if (i > 100) locked(&bank[0].lock), locked(&bank[3].lock);
    usleep(1000);
  }
}

void rest_between(void*) {
  for (int i = 0; i < 100; ++i) locked(&hot_mutex), usleep(1000);
}

/// Two threads that sleep nearly all the time.
void resting() {
  const pthread_t one = tests::start(rest_between, static_cast<void*>(nullptr));
  const pthread_t other = tests::start(rest_between, static_cast<void*>(nullptr));
  tests::join(one), tests::join(other);
}

/// A tenth of a second of work, with locks in between.
void work_between(void*) {
  const auto worked = [] {
    timespec t{};
    EQUAL(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t), 0);
    return 1'000'000'000LL * t.tv_sec + t.tv_nsec;
  };
  const long long begun = worked();
  for (long long i = 1; i <= 100; ++i) {
    locked(&hot_mutex);
    while (worked() < begun + 1'000'000 * i) {
    }
  }
}

/// Two threads that never sleep, on one processor.
void crowded() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  EQUAL(sched_setaffinity(0, sizeof one, &one), 0);
  const pthread_t first = tests::start(work_between, static_cast<void*>(nullptr));
  const pthread_t other = tests::start(work_between, static_cast<void*>(nullptr));
  tests::join(first), tests::join(other);
}

std::atomic<int> holders{0};

void hold_both(void* hot_first) {
  pthread_mutex_t* const first = hot_first != nullptr ? &hot_mutex : &cold_mutex;
  EQUAL(pthread_mutex_lock(first), 0);
  for (++holders; holders < 2;) sched_yield();
  EQUAL(pthread_mutex_lock(hot_first != nullptr ? &cold_mutex : &hot_mutex), 0);
}

/// Two threads that wait for each other for ever.
void deadlock() {
  tests::start(hold_both, static_cast<void*>(nullptr));
  hold_both(&holders);
}

void crash() {
  for (int i = 0; i < 300; ++i) {
    locked(&hot_mutex);
    usleep(1000);
  }
  raise(SIGSEGV);
}

void objects() {
  auto* const all = new pthread_mutex_t[3];
  for (int i = 0; i < 3; ++i) EQUAL(pthread_mutex_init(&all[i], nullptr), 0);
  for (int i = 0; i < 3; ++i) locked(&all[i]);
  for (int i = 0; i < 3; ++i) EQUAL(pthread_mutex_destroy(&all[i]), 0);
  delete[] all;
}

constexpr unsigned site_count = 24;
void (*sites[site_count])(unsigned, int);
std::atomic<int> calls_ended{0};  // what comes after a call keeps its caller on the stack

template <unsigned Digit>
void at_site(unsigned number, int depth) {
  if (depth == 0)
    locked(&cold_mutex);
  else
    sites[number % site_count](number / site_count, depth - 1);
  calls_ended += static_cast<int>(Digit) + 1;
}

template <unsigned... Digits>
void fill_sites(std::integer_sequence<unsigned, Digits...>) {
  ((sites[Digits] = at_site<Digits>), ...);
}

}  // namespace

/// A lock on the heap.
void make_heap_lock() {
  auto* const m = new pthread_mutex_t;
  EQUAL(pthread_mutex_init(m, nullptr), 0);
  locked(m);
  EQUAL(pthread_mutex_destroy(m), 0);
  delete m;
  ++calls_ended;
}

namespace {

/// A mutex is taken from more places than are recorded, then a lock is made.
void from_many_places() {
  constexpr unsigned places = 10'000;
  fill_sites(std::make_integer_sequence<unsigned, site_count>{});
  for (unsigned n = 0; n < places; ++n) sites[n % site_count](n / site_count, 2);
  make_heap_lock();
}

}  // namespace

int main(int, char** words) {
  const struct {
    const char* name;
    void (*run)();
  } cases[] = {{"counted", counted},
               {"contended", contended},
               {"waited_on_paths", waited_on_paths},
               {"short_names", short_names},
               {"ordered", ordered},
               {"cycle", cycle},
               {"tried", tried},
               {"hand_over_hand", hand_over_hand},
               {"recursive", recursive},
               {"held_twice", held_twice},
               {"forked", forked},
               {"killed", killed},
               {"replaced", replaced},
               {"conditions", conditions},
               {"many", many},
               {"objects", objects},
               {"busy", busy},
               {"accounts", accounts},
               {"resting", resting},
               {"crowded", crowded},
               {"deadlock", deadlock},
               {"places", from_many_places},
               {"crash", crash},
               {"another_user", another_user},
               {"many_heirs", many_heirs},
               {"rwlocks", rwlocks},
               {"contended_rwlock", contended_rwlock},
               {"rwlock_cycle", rwlock_cycle},
               {"spin_locks", spin_locks},
               {"forked_spin", forked_spin}};
  for (char** word = words + 1; *word != nullptr; ++word)
    for (const auto& c : cases)
      if (std::strcmp(c.name, *word) == 0) c.run();
}
