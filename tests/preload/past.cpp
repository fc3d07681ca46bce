// past WAY CASE [NAME...]: a program that locks the same objects by plain calls and by functions that it has got in another
// way. Silent, exit status 0: the two agree.

#include "past.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "check.hpp"

extern "C" void* behind_library(const char* name);
pthread_mutex_t shared_mutex = PTHREAD_MUTEX_INITIALIZER;

namespace {

using tests::functions;
using tests::in_ms;

void* opened(const std::string& file, int mode) {
  void* const handle = dlopen(file.c_str(), mode);
  if (handle == nullptr) std::fprintf(stderr, "%s\n", dlerror()), std::_Exit(1);
  return handle;
}

// The ways.

void* library(int mode) {
  pthread_mutex_lock(&shared_mutex);
  pthread_mutex_unlock(&shared_mutex);
  const std::string program = program_invocation_name;
  return opened(program.substr(0, program.rfind('/') + 1) + "past_library.so", mode);
}

void* c_library() { return opened("libc.so.6", RTLD_LAZY | RTLD_NOLOAD); }

/// The newest of any version.
void* with_version(const char* name) {
  for (const char* const version :
       {"GLIBC_2.34", "GLIBC_2.30", "GLIBC_2.28", "GLIBC_2.17", "GLIBC_2.3.2", "GLIBC_2.2.5"})
    if (void* const found = dlvsym(c_library(), name, version); found != nullptr) return found;
  return nullptr;
}

struct way {
  const char* name;
  void* (*find)(const char* name);
};
constexpr way ways[] = {{"deep", [](const char* name) { return dlsym(library(RTLD_LAZY | RTLD_DEEPBIND), name); }},
                        {"deep_now", [](const char* name) { return dlsym(library(RTLD_NOW | RTLD_DEEPBIND), name); }},
                        {"handle", [](const char* name) { return dlsym(c_library(), name); }},
                        {"version", with_version},
                        {"behind", behind_library}};

/// What the library calls, if it is the one that goes the way; otherwise what is found by name.
functions functions_of(const way& w) {
  functions f;
  if (std::strncmp(w.name, "deep", 4) == 0) {
    reinterpret_cast<void (*)(functions*)>(w.find("functions_of_library"))(&f);
    return f;
  }
#define TESTS_FIND(name) f.name = reinterpret_cast<decltype(f.name)>(w.find(#name));
  TESTS_FUNCTIONS(TESTS_FIND)
#undef TESTS_FIND
  return f;
}

// The cases, each with two ways to the functions: one begins, the other goes on.

/// What threads share.
struct scene {
  const functions& one;
  const functions& other;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
  bool told = false;
  long count = 0;
};

void held(const functions& one, const functions& other) {
  scene s{one, other};
  EQUAL(one.pthread_mutex_lock(&s.mutex), 0);
  EQUAL(other.pthread_mutex_trylock(&s.mutex), EBUSY);
  const timespec soon = in_ms(CLOCK_REALTIME, 10), later = in_ms(CLOCK_REALTIME, 600'000);
  EQUAL(other.pthread_mutex_timedlock(&s.mutex, &soon), ETIMEDOUT);
  const pthread_t waiter = tests::start<scene>(
      [](scene* p) {
        EQUAL(p->other.pthread_mutex_lock(&p->mutex), 0);
        EQUAL(p->count, 1);
        EQUAL(p->other.pthread_mutex_unlock(&p->mutex), 0);
      },
      &s);
  tests::nap();
  s.count = 1;
  EQUAL(one.pthread_mutex_unlock(&s.mutex), 0);
  tests::join(waiter);
  EQUAL(other.pthread_mutex_timedlock(&s.mutex, &later), 0);
  EQUAL(one.pthread_mutex_trylock(&s.mutex), EBUSY);
  EQUAL(one.pthread_mutex_unlock(&s.mutex), 0);  // a plain one: whoever unlocks it
  EQUAL(other.pthread_mutex_trylock(&s.mutex), 0);
  EQUAL(other.pthread_mutex_unlock(&s.mutex), 0);
}

void add(const functions& f, scene* s) {
  for (int i = 0; i < 1000; ++i) {
    EQUAL(f.pthread_mutex_lock(&s->mutex), 0);
    ++s->count;
    EQUAL(f.pthread_mutex_unlock(&s->mutex), 0);
  }
}

void exclusion(const functions& one, const functions& other) {
  scene s{one, other};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    threads[i] = tests::start<scene>(
        i % 2 == 0 ? [](scene* p) { add(p->one, p); } : [](scene* p) { add(p->other, p); }, &s);
  for (const pthread_t t : threads) tests::join(t);
  EQUAL(s.count, 4000);
}

void condition(const functions& one, const functions& other) {
  scene s{one, other};
  EQUAL(one.pthread_mutex_lock(&s.mutex), 0);
  const timespec soon = in_ms(CLOCK_REALTIME, 10);
  EQUAL(other.pthread_cond_timedwait(&s.changed, &s.mutex, &soon), ETIMEDOUT);
  const pthread_t waker = tests::start<scene>(
      [](scene* p) {
        EQUAL(p->other.pthread_mutex_lock(&p->mutex), 0);
        p->told = true;
        EQUAL(p->other.pthread_cond_signal(&p->changed), 0);
        EQUAL(p->other.pthread_mutex_unlock(&p->mutex), 0);
      },
      &s);
  while (!s.told) EQUAL(one.pthread_cond_wait(&s.changed, &s.mutex), 0);
  tests::join(tests::start<scene>([](scene* p) { EQUAL(p->other.pthread_mutex_trylock(&p->mutex), EBUSY); }, &s));
  EQUAL(one.pthread_mutex_unlock(&s.mutex), 0);
  tests::join(waker);
  const pthread_t answered = tests::start<scene>(
      [](scene* p) {
        EQUAL(p->other.pthread_mutex_lock(&p->mutex), 0);
        while (p->told) EQUAL(p->other.pthread_cond_wait(&p->changed, &p->mutex), 0);
        EQUAL(p->other.pthread_mutex_unlock(&p->mutex), 0);
      },
      &s);
  tests::nap();
  EQUAL(one.pthread_mutex_lock(&s.mutex), 0);
  s.told = false;
  EQUAL(one.pthread_cond_broadcast(&s.changed), 0);
  EQUAL(one.pthread_mutex_unlock(&s.mutex), 0);
  tests::join(answered);
}

void readers(const functions& one, const functions& other) {
  scene s{one, other};
  EQUAL(one.pthread_rwlock_rdlock(&s.table), 0);
  EQUAL(other.pthread_rwlock_tryrdlock(&s.table), 0);
  EQUAL(other.pthread_rwlock_trywrlock(&s.table), EBUSY);
  EQUAL(one.pthread_rwlock_unlock(&s.table), 0);
  const pthread_t writer = tests::start<scene>(
      [](scene* p) {
        EQUAL(p->other.pthread_rwlock_wrlock(&p->table), 0);
        EQUAL(p->count, 1);
        EQUAL(p->one.pthread_rwlock_tryrdlock(&p->table), EBUSY);
        EQUAL(p->one.pthread_rwlock_unlock(&p->table), 0);
      },
      &s);
  tests::nap();
  s.count = 1;
  EQUAL(other.pthread_rwlock_unlock(&s.table), 0);
  tests::join(writer);
  EQUAL(one.pthread_rwlock_trywrlock(&s.table), 0);
  EQUAL(other.pthread_rwlock_unlock(&s.table), 0);
}

void spin(const functions& one, const functions& other) {
  pthread_spinlock_t s{};
  EQUAL(one.pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE), 0);
  EQUAL(other.pthread_spin_lock(&s), 0);
  EQUAL(one.pthread_spin_trylock(&s), EBUSY);
  EQUAL(one.pthread_spin_unlock(&s), 0);
  EQUAL(other.pthread_spin_trylock(&s), 0);
  EQUAL(other.pthread_spin_unlock(&s), 0);
}

void c11(const functions& one, const functions& other) {
  struct c11_scene {
    const functions& f;
    mtx_t mutex;
    cnd_t changed;
    bool told = false;
  } s{other, {}, {}};
  EQUAL(mtx_init(&s.mutex, mtx_plain), thrd_success);
  EQUAL(cnd_init(&s.changed), thrd_success);
  EQUAL(one.mtx_lock(&s.mutex), thrd_success);
  EQUAL(other.mtx_trylock(&s.mutex), thrd_busy);
  const pthread_t waker = tests::start<c11_scene>(
      [](c11_scene* p) {
        EQUAL(p->f.mtx_lock(&p->mutex), thrd_success);
        p->told = true;
        EQUAL(p->f.cnd_signal(&p->changed), thrd_success);
        EQUAL(p->f.mtx_unlock(&p->mutex), thrd_success);
      },
      &s);
  while (!s.told) EQUAL(one.cnd_wait(&s.changed, &s.mutex), thrd_success);
  EQUAL(one.mtx_unlock(&s.mutex), thrd_success);
  tests::join(waker);
}

/// For a recorder: how often `shared_mutex` is taken is known.
void counted(const functions& one, const functions& other) {
  static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  for (int i = 0; i < 100; ++i) {
    EQUAL(one.pthread_mutex_lock(&shared_mutex), 0);
    EQUAL(other.pthread_mutex_unlock(&shared_mutex), 0);
  }
  const timespec past{1, 0};
  EQUAL(one.pthread_mutex_lock(&shared_mutex), 0);
  EQUAL(one.pthread_cond_timedwait(&never, &shared_mutex, &past), ETIMEDOUT);
  EQUAL(one.pthread_mutex_unlock(&shared_mutex), 0);
}

/// Whether these names lead where the program's own calls go.
int same(const way& w, char** names) {
  for (; *names != nullptr; ++names)
    if (w.find(*names) != dlsym(RTLD_DEFAULT, *names)) return std::fprintf(stderr, "%s is another\n", *names), 1;
  return 0;
}

constexpr struct {
  const char* name;
  void (*run)(const functions& one, const functions& other);
} cases[] = {{"held", held}, {"exclusion", exclusion}, {"condition", condition}, {"readers", readers}, {"spin", spin},
             {"c11", c11},   {"counted", counted}};

int run(const way& w, char** words) {
  if (std::strcmp(*words, "same") == 0) return same(w, words + 1);
  const functions plain = tests::called_here(), past = functions_of(w);
  int found = 0;
  for (; *words != nullptr; ++words)
    for (const auto& c : cases)
      if (std::strcmp(c.name, *words) == 0) c.run(plain, past), c.run(past, plain), ++found;
  return found != 0 ? 0 : 2;
}

}  // namespace

int main(int count, char** words) {
  if (count >= 3)
    for (const way& w : ways)
      if (std::strcmp(w.name, words[1]) == 0) return run(w, words + 2);
  return 2;
}
