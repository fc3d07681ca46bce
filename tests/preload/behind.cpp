// A library that replaces functions, too, and passes on to what stands behind it: as allocators do with pthread_create, and
// tools that look at locks. Preloaded behind the interposer.

#include <dlfcn.h>
#include <pthread.h>

namespace {

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) noexcept {
  static const auto create = next(&pthread_create, "pthread_create");
  return create(thread, attributes, run, argument);
}

#ifdef SYNCHRO_TESTS_LOCKS_TOO
extern "C" int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  static const auto lock = next(&pthread_mutex_lock, "pthread_mutex_lock");
  return lock(m);
}
#endif
