#include "preload/crowd.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "platform/interposer.hpp"

namespace synchro::preload {

namespace {

constexpr unsigned one_in = 64;               // acquisitions of a thread, of which the first is timed
constexpr std::int64_t long_wait = 100;       // ms
constexpr unsigned many = 100, for_each = 4;  // threads that can run; for each processor

constinit mutex_operations watched{};
using lock_call = int (*)(mutex_object&);
constinit lock_call lock_unwatched = nullptr;
constinit const char* lock_name = "";
constinit std::atomic<bool> told{false};
thread_local constinit unsigned left = 1;

std::int64_t now_ms() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return t.tv_sec * std::int64_t{1000} + t.tv_nsec / 1'000'000;
}

/// Whether the thread whose folder in /proc/self/task this is runs or could.
bool can_run(int tasks, const char* thread) noexcept {
  char path[32], text[512];
  std::snprintf(path, sizeof path, "%.16s/stat", thread);
  const int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  text[bytes > 0 ? bytes : 0] = 0;
  const char* const state = std::strrchr(text, ')');
  return state != nullptr && std::strncmp(state, ") R", 3) == 0;
}

/// Without the program's malloc, which may lock what this thread has just locked.
unsigned threads_that_can_run() noexcept {
  const int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (tasks < 0) return 0;
  unsigned n = 0;
  alignas(dirent64) char entries[4096];
  for (ssize_t bytes = 0; (bytes = getdents64(tasks, entries, sizeof entries)) > 0;)
    for (ssize_t at = 0; at < bytes;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
      if (entry->d_name[0] != '.' && can_run(tasks, entry->d_name)) ++n;
      at += entry->d_reclen;
    }
  close(tasks);
  return n;
}

void look() noexcept {
  cpu_set_t own;
  const unsigned processors =
      sched_getaffinity(0, sizeof own, &own) == 0 ? static_cast<unsigned>(CPU_COUNT(&own)) : many;
  const unsigned n = threads_that_can_run();
  if (n < many || n < for_each * processors || told.exchange(true, std::memory_order_relaxed)) return;
  dprintf(
      STDERR_FILENO,
      "%s: in process %d %u threads can run, on %u processors, and those that wait for the lock '%s' spin: each keeps "
      "a processor from the one it waits for. Take a lock whose waiters sleep or yield, such as mutex or mcs/park\n",
      platform::interposer::file, static_cast<int>(getpid()), n, processors, lock_name);
}

/// What asks the system here is no place to be cancelled at, and the program sees no error of it.
void look_unseen() noexcept {
  const int keep_errno = errno;
  int state = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  look();
  pthread_setcancelstate(state, nullptr);
  errno = keep_errno;
}

[[gnu::noinline]] int lock_timed(mutex_object& o) {
  left = one_in;
  const std::int64_t asked = now_ms();
  const int error = lock_unwatched(o);
  if (now_ms() - asked >= long_wait && !told.load(std::memory_order_relaxed)) look_unseen();
  return error;
}

int lock(mutex_object& o) { return --left == 0 ? lock_timed(o) : lock_unwatched(o); }

}  // namespace

void watch_again() noexcept { told.store(false, std::memory_order_relaxed); }

const mutex_operations* watch_for_crowds(const mutex_operations& spinning, const char* name) noexcept {
  watched = spinning;
  lock_unwatched = spinning.lock;
  lock_name = name;
  watched.lock = lock;
  return &watched;
}

}  // namespace synchro::preload
