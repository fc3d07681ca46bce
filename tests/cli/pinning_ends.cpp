// A system on which whoever pins a thread is ended: preloaded, it takes the place of the C library's sched_setaffinity.

#include <sched.h>

#include <cstdlib>

extern "C" int sched_setaffinity(pid_t, std::size_t, const cpu_set_t*) noexcept { std::abort(); }
