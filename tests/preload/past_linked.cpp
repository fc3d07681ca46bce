// A library that the program is linked with: it stands between the interposer and the C library.

#include <dlfcn.h>

extern "C" void* behind_library(const char* name);
extern "C" void* behind_library(const char* name) {
  void* volatile const found = dlsym(RTLD_NEXT, name);  // not the last call: it would seem to be the caller's
  return found;
}
