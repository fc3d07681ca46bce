// For programs that must not need a test framework: an unmodified program, as the interposer meets it.

#ifndef SYNCHRO_TESTS_PRELOAD_CHECK_HPP
#define SYNCHRO_TESTS_PRELOAD_CHECK_HPP

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace tests {

inline void check_equal(long long found, long long expected, const char* what, const char* file, int line) {
  if (found == expected) return;
  std::fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, what, found, expected);
  std::_Exit(1);
}

/// A moment so many milliseconds from now.
inline timespec in_ms(clockid_t clock, long ms) {
  timespec t{};
  clock_gettime(clock, &t);
  t.tv_sec += ms / 1000;
  t.tv_nsec += ms % 1000 * 1'000'000;
  if (t.tv_nsec >= 1'000'000'000) t.tv_sec += 1, t.tv_nsec -= 1'000'000'000;
  return t;
}

inline void nap() {
  const timespec t{0, 20'000'000};
  nanosleep(&t, nullptr);
}

/// A thread that runs `body(argument)`.
template <class Argument>
pthread_t start(void (*body)(Argument*), Argument* argument) {
  struct call {
    void (*body)(Argument*);
    Argument* argument;
  };
  pthread_t thread{};
  const auto run = [](void* p) -> void* {
    const call c = *static_cast<call*>(p);
    delete static_cast<call*>(p);
    c.body(c.argument);
    return nullptr;
  };
  check_equal(pthread_create(&thread, nullptr, run, new call{body, argument}), 0, "pthread_create", __FILE__, __LINE__);
  return thread;
}

inline void join(pthread_t thread) { pthread_join(thread, nullptr); }

}  // namespace tests

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): it names the expression
#define EQUAL(expression, expected) tests::check_equal((expression), (expected), #expression, __FILE__, __LINE__)

#endif
