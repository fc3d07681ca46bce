#include "peers/wakes/openmp_system.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <vector>

namespace synchro::peers::detail {

namespace {

struct runtime {
  const char* title;
  std::vector<const char*> files;
};

runtime runtime_of(openmp which) {
  switch (which) {
    case openmp::gnu:
      return {"libgomp", {"libgomp.so.1"}};
    case openmp::llvm:
      return {"LLVM's libomp", {"libomp.so.5", "libomp.so"}};
    case openmp::microsoft:
      break;
  }
  return {"Microsoft's vcomp140", {}};
}

/// LLVM's runtime removes the file only when the process ends in order: not after _exit or a signal. There is no second copy
/// here, so it goes at once.
void remove_announcement() {
  const std::string file = "__KMP_REGISTERED_LIB_" + std::to_string(getpid());
  for (const std::filesystem::path folder : {"/dev/shm", "/tmp"})
    for (const std::string& end : {std::string{}, "_" + std::to_string(getuid())}) {
      std::error_code not_there;
      std::filesystem::remove(folder / (file + end), not_there);
    }
}

}  // namespace

openmp_library::openmp_library(openmp which) {
  // Read once, when the runtime is loaded.
  setenv("OMP_WAIT_POLICY", "passive", 0);
  setenv("KMP_BLOCKTIME", "0", 0);
  const runtime wanted = runtime_of(which);
  for (const char* name : wanted.files)
    if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw std::runtime_error{std::string{wanted.title} + " is not installed"};
}

void* openmp_library::address_of(const char* symbol) const { return dlsym(handle_, symbol); }

void withdraw_announcement() {
  remove_announcement();
  // A child of this process is announced when it is forked, by a handler that stands before this one.
  static const int heard = pthread_atfork(nullptr, nullptr, remove_announcement);
  static_cast<void>(heard);
}

}  // namespace synchro::peers::detail
