// The start of the interposer: which lock serves, whether every call reaches us, and what the C library's objects look like.
//
// It starts at the first call of any of its functions, for another library's constructor may lock before ours runs. All
// that may ask the system for something (symbols, memory, files, keys) is done then, and what that locks itself, on the
// same thread, is let pass: other threads wait for the start to end, so nothing is shared yet.

#ifndef SYNCHRO_PRELOAD_START_HPP
#define SYNCHRO_PRELOAD_START_HPP

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "preload/operations.hpp"

namespace synchro::preload {

/// What is fixed at the start, and the process's generation, which a fork changes.
struct settings {
  const mutex_operations* mutex = nullptr;
  const rwlock_operations* rwlock = nullptr;
  bool leaves_all = false;  ///< To the C library: nothing is replaced, only looked at.
  std::atomic<std::uint32_t> generation{0};
  std::atomic<mark::word> plain{mark::never};  ///< The mark of a plain mutex or rwlock that is adopted.
  std::uint32_t forker = 0;                    ///< The number that the only thread had before the last fork.
  unsigned flags_at = 0;                       ///< Which word of a pthread_cond_t has the flags, and what they are.
  std::uint32_t shared_flag = 0;
  std::uint32_t monotonic_flag = 0;
};
inline constinit settings chosen;

/// What lock and unlock of a plain mutex look at; `mark` is that of an object that needs nothing else.
struct alignas(64) fast_path {
  std::atomic<mark::word> ready{mark::never};
  int (*lock)(mutex_object&) = nullptr;
  int (*try_lock)(mutex_object&) = nullptr;
  int (*unlock)(mutex_object&) = nullptr;
  bool remembers = false;  ///< Whether unlock is spared a look at the mark (mutex.cpp).
};
inline constinit fast_path fast;

inline constinit std::atomic<bool> has_started{false};

/// Starts, or waits for the start. False if the calling thread is starting just now: its locks are let pass.
bool start_slowly() noexcept;
inline bool started() noexcept { return has_started.load(std::memory_order_acquire) || start_slowly(); }

/// At the first use of a mutex that is served here: says so in the file that interposer::seen_variable names, if there is one.
void note_use() noexcept;
/// At the first use of a readers-writers lock, and where a thread is made: says the same once there were both. Libraries lock
/// such (OpenSSL's lists) in programs of one thread, too, whose processes wait for each other by other means.
void note_read_use() noexcept;
void note_second_thread() noexcept;

/// Says one sentence on standard error, and ends the process.
[[noreturn]] void refuse(int status, const char* format, ...) noexcept __attribute__((format(printf, 2, 3)));

/// The calling thread's number, as the system knows it.
inline thread_local constinit std::uint32_t own_number = 0;
std::uint32_t ask_number() noexcept;
inline std::uint32_t this_thread() noexcept { return own_number != 0 ? own_number : ask_number(); }

/// In the child of a fork: the locks of the allocator, the spin table and the list of far locks are nobody's.
void reopen_memory() noexcept;
void reopen_spins() noexcept;
void reopen_far_locks() noexcept;
/// The child's first use of a mutex has to see that it is of an earlier generation.
void forget_newest_mutex() noexcept;
/// What the calling thread reads it reads still.
void keep_reads_of_forker() noexcept;

}  // namespace synchro::preload

#endif
