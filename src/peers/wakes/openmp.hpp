// The OpenMP runtimes, starting a parallel region. They are called as compilers call them, by the names of their
// binary interfaces, and loaded when they are first needed: a program cannot be compiled for more than one.

#ifndef SYNCHRO_PEERS_WAKES_OPENMP_HPP
#define SYNCHRO_PEERS_WAKES_OPENMP_HPP

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "peers/wakes/wake_peer.hpp"

namespace synchro::peers {

/// Runs body(i) on a team of one thread more than there are sleepers; the caller is thread 0. The others sleep in the
/// runtime between the regions, for it is loaded with OMP_WAIT_POLICY=passive.
class openmp_runtime {
 public:
  virtual ~openmp_runtime() = default;
  virtual void region(unsigned threads, const std::function<void(unsigned)>& body) = 0;
};

/// Throws std::runtime_error if the runtime is not installed.
[[nodiscard]] openmp_runtime& gnu_openmp();
[[nodiscard]] openmp_runtime& llvm_openmp();
[[nodiscard]] openmp_runtime& microsoft_openmp();

namespace detail {

template <openmp_runtime& (*Runtime)()>
class parallel_region {
 public:
  explicit parallel_region(unsigned sleepers) : threads_{sleepers + 1}, runtime_{Runtime()} {}

  /// The sleepers are the runtime's own threads. Calls body(0) in the caller and body(1), body(2), ... in them, and
  /// returns when all have come back.
  void region(const std::function<void(unsigned)>& body) { runtime_.region(threads_, body); }

 private:
  unsigned threads_;
  openmp_runtime& runtime_;
};

}  // namespace detail

struct omp_gnu : detail::parallel_region<gnu_openmp> {
  static constexpr wake_traits traits{.judgement = "loops over data; the start of a region wakes the whole team",
                                      .splittable = false,
                                      .citation = "GCC, GOMP_parallel",
                                      .runtime = "libgomp"};
  using parallel_region::parallel_region;
};

struct omp_llvm : detail::parallel_region<llvm_openmp> {
  static constexpr wake_traits traits{.judgement = "loops over data; the start of a region wakes the whole team",
                                      .splittable = false,
                                      .citation = "LLVM, __kmpc_fork_call",
                                      .runtime = "libomp"};
  using parallel_region::parallel_region;
};

struct omp_microsoft : detail::parallel_region<microsoft_openmp> {
  static constexpr wake_traits traits{.judgement = "loops over data; the start of a region wakes the whole team",
                                      .splittable = false,
                                      .citation = "Microsoft, _vcomp_fork",
                                      .runtime = "vcomp140"};
  using parallel_region::parallel_region;
};

}  // namespace synchro::peers

#endif
