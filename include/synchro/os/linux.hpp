// Linux: the system's part of os.hpp.

#ifndef SYNCHRO_OS_LINUX_HPP
#define SYNCHRO_OS_LINUX_HPP

#include <dlfcn.h>
#include <link.h>
#include <linux/futex.h>
#include <linux/posix_types.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <limits>

#include "synchro/detail/chrono.hpp"
#include "synchro/version.hpp"

#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {

/// std::chrono::steady_clock is CLOCK_MONOTONIC here, the clock against which FUTEX_WAIT_BITSET measures.
using deadline = std::chrono::steady_clock::time_point;

namespace detail {

/// 32-bit systems have two calls, one for each width of seconds, and the newest only the wide one.
#ifdef SYS_futex_time64
inline constexpr long futex_time64 = SYS_futex_time64;
#else
inline constexpr long futex_time64 = -1;
#endif
#ifdef SYS_futex
inline constexpr long futex = SYS_futex;
#else
inline constexpr long futex = futex_time64;
#endif

/// A moment as the kernel takes it. The C library's timespec follows its time_t, which is wider than the kernel's `long`
/// or not, by the flags of the compiler.
template <class T>
struct kernel_time {
  T seconds;
  T nanoseconds;
};

template <class T>
constexpr kernel_time<T> kernel_time_of(deadline moment) noexcept {
  const std::int64_t ns = std::chrono::duration_cast<std::chrono::nanoseconds>(moment.time_since_epoch()).count();
  if (ns <= 0) return {0, 0};
  constexpr std::int64_t latest = std::numeric_limits<T>::max();
  const std::int64_t seconds = ns / 1'000'000'000;
  return {static_cast<T>(seconds < latest ? seconds : latest), static_cast<T>(ns % 1'000'000'000)};
}

/// Sleeps by this call, which takes times of T; returns 0 or the error.
template <class T>
int futex_wait(long call, const void* word, std::uint32_t expected, deadline until) noexcept {
  const kernel_time<T> moment = kernel_time_of<T>(until);
  const kernel_time<T>* const limit = until == deadline::max() ? nullptr : &moment;
  const long outcome = syscall(call, word, FUTEX_WAIT_BITSET_PRIVATE, expected, limit, nullptr, FUTEX_BITSET_MATCH_ANY);
  return outcome == -1 ? errno : 0;
}

}  // namespace detail

inline bool park(const void* word, std::uint32_t expected, deadline until) noexcept {
  const int keep_errno = errno;
  int error = ENOSYS;
  if constexpr (detail::futex_time64 != -1)
    error = detail::futex_wait<std::int64_t>(detail::futex_time64, word, expected, until);
  if constexpr (detail::futex != detail::futex_time64)  // the only one, or that of kernels before 5.1
    if (error == ENOSYS) error = detail::futex_wait<__kernel_long_t>(detail::futex, word, expected, until);
  errno = keep_errno;
  return error == ETIMEDOUT;
}

inline void unpark(const void* word, std::uint32_t n) noexcept {
  const int keep_errno = errno;  // EFAULT when the word is gone already: nobody sleeps there
  syscall(detail::futex, word, FUTEX_WAKE_PRIVATE, n > INT_MAX ? INT_MAX : static_cast<int>(n), nullptr, nullptr, 0);
  errno = keep_errno;
}

inline void yield() noexcept { sched_yield(); }

template <class... Words>
long linux_call(long number, Words... words) noexcept {
  const int kept = errno;
  const long answer = syscall(number, words...);
  errno = kept;
  return answer;
}

namespace detail {

/// The number that the kernel keeps in the thread's own memory, for restartable sequences (Linux 4.18, glibc 2.35): a load in
/// place of a call. Below zero where it does not.
inline int cpu_by_rseq() noexcept {
#if defined(RSEQ_SIG) && __has_builtin(__builtin_thread_pointer)
  if (__rseq_size == 0) return -1;  // not registered
  const char* const thread = static_cast<const char*>(__builtin_thread_pointer());
  const auto* const area = static_cast<const struct ::rseq*>(static_cast<const void*>(thread + __rseq_offset));
  return static_cast<int>(__atomic_load_n(&area->cpu_id, __ATOMIC_RELAXED));
#else
  return -1;
#endif
}

}  // namespace detail

inline unsigned current_cpu() noexcept {
  int cpu = detail::cpu_by_rseq();
  if (cpu < 0) cpu = sched_getcpu();
  return cpu < 0 ? 0U : static_cast<unsigned>(cpu);
}

// What the library leaves with the system or with other threads leads to its code and data: calls at a thread's end, the
// table of domains. So a shared library that contains them stays loaded, whatever dlclose is asked.

namespace detail {

/// Weak: static programs have no dlopen, and need none.
static __typeof__(dlopen) dlopen_if_there __attribute__((weakref("dlopen")));

struct loaded_object {
  ElfW(Addr) inside;
  const char* name;
};

inline int is_object(dl_phdr_info* object, std::size_t /*size*/, void* p) noexcept {
  auto& wanted = *static_cast<loaded_object*>(p);
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || wanted.inside - object->dlpi_addr - part.p_vaddr >= part.p_memsz) continue;
    wanted.name = object->dlpi_name;
    return 1;
  }
  return 0;
}

}  // namespace detail

/// Keeps the object loaded that `inside` is a part of.
inline void keep_loaded(const void* inside) noexcept {
  detail::loaded_object object{reinterpret_cast<ElfW(Addr)>(inside), ""};
  const bool found = dl_iterate_phdr(detail::is_object, &object) != 0;
  const bool is_library = found && *object.name != 0;  // the program itself has no name
  if (is_library && detail::dlopen_if_there != nullptr)
    detail::dlopen_if_there(object.name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/// The library's only thread_local.
template <class T>
T& own() noexcept {
  static thread_local constinit T one{};
  return one;
}

/// A key's destructor runs after the C++ thread-exit destructors, and again while it is set anew (four times at most).
/// Meant for a handful of F in a process, each with one static `p` per thread. Constant-initialised and made without a
/// lock: a fork may come at any time.
template <void (*F)(void*)>
class thread_exit_hook {
 public:
  bool arm(void* p) noexcept {
    const std::uint32_t made = key_plus_one_.load(std::memory_order_relaxed);
    const std::uint32_t key_plus_one = made != 0 ? made : make();
    return key_plus_one != 0 && pthread_setspecific(key_plus_one - 1, p) == 0;
  }

 private:
  std::uint32_t make() noexcept {
    keep_loaded(reinterpret_cast<const void*>(F));
    pthread_key_t key{};
    if (pthread_key_create(&key, F) != 0) return 0;
    std::uint32_t seen = 0;
    if (key_plus_one_.compare_exchange_strong(seen, key + 1, std::memory_order_relaxed)) return key + 1;
    pthread_key_delete(key);
    return seen;
  }

  std::atomic<std::uint32_t> key_plus_one_{0};
};

namespace detail {
/// Each shared library's own: what pthread_atfork registers a call under, and unregisters it by when that is unloaded.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the compiler's name
extern "C" __attribute__((visibility("hidden"))) void* __dso_handle;
}  // namespace detail

/// Asked for by two threads at once, F may be called twice.
template <void (*F)()>
class fork_hook {
 public:
  void arm() noexcept {
    if (armed_.load(std::memory_order_acquire)) return;
    keep_loaded(reinterpret_cast<const void*>(F));
    keep_loaded(&detail::__dso_handle);  // F may be another library's
    if (pthread_atfork(nullptr, nullptr, F) == 0) armed_.store(true, std::memory_order_release);
  }

 private:
  std::atomic<bool> armed_{false};
};

}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
