// An allocator that locks a pthread mutex at every call, as several do: a lock that asks it for memory waits for itself.

#include <pthread.h>

#include <cstddef>

// The C library's own, under the names that it has for those who replace them.
extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* __libc_calloc(std::size_t count, std::size_t bytes);
extern "C" void* __libc_realloc(void* p, std::size_t bytes);
extern "C" void __libc_free(void* p);

namespace {

class guard {
 public:
  guard() { pthread_mutex_lock(&mutex); }
  ~guard() { pthread_mutex_unlock(&mutex); }
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;

 private:
  static inline pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) noexcept {
  const guard hold;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  const guard hold;
  return __libc_calloc(count, bytes);
}
void* realloc(void* p, std::size_t bytes) noexcept {
  const guard hold;
  return __libc_realloc(p, bytes);
}
void free(void* p) noexcept {
  const guard hold;
  __libc_free(p);
}

}  // extern "C"
