#include "subjects/wakes/openmp.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace synchro::subjects {

namespace {

using body_of_region = std::function<void(unsigned)>;

/// A shared library, loaded for good: its threads outlive any use of it.
class loaded_library {
 public:
  loaded_library(std::initializer_list<const char*> names, const char* package) {
    // Read once, when the runtime is loaded: its threads are to sleep between regions, not to spin.
    setenv("OMP_WAIT_POLICY", "passive", 0);
    setenv("KMP_BLOCKTIME", "0", 0);
    for (const char* name : names)
      if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) throw std::runtime_error{std::string{package} + " is not installed"};
  }

  template <class F>
  F* find(const char* symbol) const {
    void* const found = dlsym(handle_, symbol);
    if (found == nullptr) throw std::runtime_error{std::string{"this OpenMP runtime has no "} + symbol};
    return reinterpret_cast<F*>(found);
  }

 private:
  void* handle_ = nullptr;
};

struct call {
  const body_of_region* body;
  int (*number)();
  void run() const { (*body)(static_cast<unsigned>(number())); }
};

class gnu_runtime : public openmp_runtime {
 public:
  void region(unsigned threads, const body_of_region& body) override {
    call what{&body, thread_number_};
    parallel_([](void* p) { static_cast<const call*>(p)->run(); }, &what, threads, 0);
  }

 private:
  loaded_library library_{{"libgomp.so.1"}, "libgomp"};
  void (*parallel_)(void (*)(void*), void*, unsigned,
                    unsigned) = library_.find<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel");
  int (*thread_number_)() = library_.find<int()>("omp_get_thread_num");
};

/// LLVM's runtime announces itself in a file, so that a second copy of it in the process is found, and removes the file only
/// when the process ends in order: not after _exit or a signal. There is no second copy here, so it goes at once.
void withdraw() {
  const std::string file = "__KMP_REGISTERED_LIB_" + std::to_string(getpid());
  for (const std::filesystem::path folder : {"/dev/shm", "/tmp"})
    for (const std::string& end : {std::string{}, "_" + std::to_string(getuid())}) {
      std::error_code not_there;
      std::filesystem::remove(folder / (file + end), not_there);
    }
}

class llvm_runtime : public openmp_runtime {
  /// Where in a source a call stands, as the runtime wants to be told.
  struct place {
    std::int32_t reserved = 0, flags = 2, more = 0, size = 0;
    const char* source = ";unknown;unknown;0;0;;";
  };
  using microtask = void(std::int32_t*, std::int32_t*, ...);

 public:
  void region(unsigned threads, const body_of_region& body) override {
    call what{&body, thread_number_};
    push_threads_(&here_, my_number_(&here_), static_cast<std::int32_t>(threads));
    fork_(&here_, 1, reinterpret_cast<microtask*>(&run_one), &what);
  }

  void leave_no_file() {
    my_number_(&here_);  // what makes the runtime announce itself in this process, which may be a child
    withdraw();
    // A child of this process is announced when it is forked, by a handler that stands before this one.
    static const int heard = pthread_atfork(nullptr, nullptr, withdraw);
    static_cast<void>(heard);
  }

 private:
  static void run_one(std::int32_t*, std::int32_t*, const call* what) { what->run(); }

  loaded_library library_{{"libomp.so.5", "libomp.so"}, "LLVM's libomp"};
  void (*fork_)(place*, std::int32_t, microtask*,
                ...) = library_.find<void(place*, std::int32_t, microtask*, ...)>("__kmpc_fork_call");
  void (*push_threads_)(place*, std::int32_t, std::int32_t) =
      library_.find<void(place*, std::int32_t, std::int32_t)>("__kmpc_push_num_threads");
  std::int32_t (*my_number_)(place*) = library_.find<std::int32_t(place*)>("__kmpc_global_thread_num");
  int (*thread_number_)() = library_.find<int()>("omp_get_thread_num");
  place here_;
};

}  // namespace

openmp_runtime& gnu_openmp() {
  static gnu_runtime runtime;
  return runtime;
}

openmp_runtime& llvm_openmp() {
  static llvm_runtime runtime;
  runtime.leave_no_file();
  return runtime;
}

}  // namespace synchro::subjects
