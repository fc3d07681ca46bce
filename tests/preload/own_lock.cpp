// A program that has a pthread_mutex_lock of its own: what is in front of the C library's would serve half of its calls.

#include <pthread.h>

extern "C" int pthread_mutex_lock(pthread_mutex_t*) noexcept { return 0; }

int main() {
  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  return pthread_mutex_lock(&m);
}
