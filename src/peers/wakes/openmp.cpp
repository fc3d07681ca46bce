#include "peers/wakes/openmp.hpp"

#include <cstdint>

#include "peers/wakes/openmp_system.hpp"

namespace synchro::peers {

namespace {

using body_of_region = std::function<void(unsigned)>;

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
  detail::openmp_library library_{detail::openmp::gnu};
  void (*parallel_)(void (*)(void*), void*, unsigned,
                    unsigned) = library_.find<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel");
  int (*thread_number_)() = library_.find<int()>("omp_get_thread_num");
};

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
    detail::withdraw_announcement();
  }

 private:
  static void run_one(std::int32_t*, std::int32_t*, const call* what) { what->run(); }

  detail::openmp_library library_{detail::openmp::llvm};
  void (*fork_)(place*, std::int32_t, microtask*,
                ...) = library_.find<void(place*, std::int32_t, microtask*, ...)>("__kmpc_fork_call");
  void (*push_threads_)(place*, std::int32_t, std::int32_t) =
      library_.find<void(place*, std::int32_t, std::int32_t)>("__kmpc_push_num_threads");
  std::int32_t (*my_number_)(place*) = library_.find<std::int32_t(place*)>("__kmpc_global_thread_num");
  int (*thread_number_)() = library_.find<int()>("omp_get_thread_num");
  place here_;
};

class microsoft_runtime : public openmp_runtime {
 public:
  void region(unsigned threads, const body_of_region& body) override {
    call what{&body, thread_number_};
    set_threads_(static_cast<int>(threads));
    fork_(1, 1, reinterpret_cast<void*>(&run_one), &what);
  }

 private:
  static void run_one(const call* what) { what->run(); }

  detail::openmp_library library_{detail::openmp::microsoft};
  void (*fork_)(int, int, void*, ...) = library_.find<void(int, int, void*, ...)>("_vcomp_fork");
  void (*set_threads_)(int) = library_.find<void(int)>("_vcomp_set_num_threads");
  int (*thread_number_)() = library_.find<int()>("omp_get_thread_num");
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

openmp_runtime& microsoft_openmp() {
  static microsoft_runtime runtime;
  return runtime;
}

}  // namespace synchro::peers
