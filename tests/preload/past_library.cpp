// A library that is loaded with RTLD_DEEPBIND.

#include "past.hpp"

/// The program's, which locks it before it loads this.
extern pthread_mutex_t shared_mutex;

namespace {

/// Before the program knows that the library is there.
[[gnu::constructor]] void at_load() {
  pthread_mutex_lock(&shared_mutex);
  pthread_mutex_unlock(&shared_mutex);
}

}  // namespace

extern "C" void functions_of_library(tests::functions* f);
extern "C" void functions_of_library(tests::functions* f) { *f = tests::called_here(); }
