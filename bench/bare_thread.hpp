// What the bare programs need of the system: the time, a processor, and a rest between two looks. They use nothing that the program they are
// compared with uses.

#ifndef SYNCHRO_BENCH_BARE_THREAD_HPP
#define SYNCHRO_BENCH_BARE_THREAD_HPP

#include <pthread.h>
#include <sched.h>
#include <time.h>

namespace bare {

/// Of the clock that nobody sets.
inline double now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// The calling thread runs there and nowhere else; false if the system does not allow it.
inline bool pin(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(cpu), &one);
  return pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
}

inline void rest() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// So many rounds of a loop that does nothing.
inline void work(unsigned rounds) {
  for (; rounds != 0; --rounds) asm volatile("");
}

}  // namespace bare

#endif
