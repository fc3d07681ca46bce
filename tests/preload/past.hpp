// Functions by another way than a plain call: past what stands in front of the C library.

#ifndef SYNCHRO_TESTS_PRELOAD_PAST_HPP
#define SYNCHRO_TESTS_PRELOAD_PAST_HPP

#include <pthread.h>
#include <threads.h>

// clang-format off
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): names and types from one list
#define TESTS_FUNCTIONS(X)                                                                               \
  X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock) X(pthread_mutex_unlock)      \
  X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_signal) X(pthread_cond_broadcast)        \
  X(pthread_rwlock_rdlock) X(pthread_rwlock_wrlock) X(pthread_rwlock_tryrdlock)                          \
  X(pthread_rwlock_trywrlock) X(pthread_rwlock_unlock)                                                   \
  X(pthread_spin_init) X(pthread_spin_lock) X(pthread_spin_trylock) X(pthread_spin_unlock)               \
  X(mtx_lock) X(mtx_trylock) X(mtx_unlock) X(cnd_wait) X(cnd_signal)
// clang-format on

namespace tests {

/// Not of a function that says what it throws: a lambda cannot become a pointer to one.
template <class Result, class... Arguments>
auto plain(Result (*)(Arguments...)) -> Result (*)(Arguments...);

struct functions {
#define TESTS_POINTER(name) decltype(plain(&::name)) name = nullptr;
  TESTS_FUNCTIONS(TESTS_POINTER)
#undef TESTS_POINTER
};

/// Each calls its function from the object in which this is compiled.
inline functions called_here() {
  functions f;
#define TESTS_CALL(name) f.name = [](auto... arguments) { return ::name(arguments...); };
  TESTS_FUNCTIONS(TESTS_CALL)
#undef TESTS_CALL
  return f;
}

}  // namespace tests

#endif
