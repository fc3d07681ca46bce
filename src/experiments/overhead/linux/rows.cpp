// The paper's thirteen rows on Linux.

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "experiments/overhead/linux/objects.hpp"
#include "experiments/overhead/row_makers.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::experiments::overhead {

namespace {

using own_mutex = pthread_mutex<PTHREAD_PROCESS_PRIVATE>;
using shared_mutex = pthread_mutex<PTHREAD_PROCESS_SHARED>;

void add_operations(std::vector<call_row>& rows, const char* call, direction which) {
  const bool there = which == direction::there;
  rows.push_back(lock_row<own_mutex>(
      call, which, "pthread/mutex",
      there ? "pthread_mutex_lock of a free mutex" : "pthread_mutex_unlock with no thread waiting"));
  rows.push_back(lock_row<synchro::mutex>(call, which, "mutex", "the library's mutex"));
}

void add_spins(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(
      lock_row<pthread_spin>(call, which, "pthread/spin",
                             which == direction::there ? "pthread_spin_lock of a free lock" : "pthread_spin_unlock"));
  rows.push_back(lock_row<synchro::ttas_lock>(call, which, "ttas", "the library's test-and-test-and-set lock"));
}

void add_interlocked(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(atomic_row(call, which, "std/atomic", "std::atomic, one instruction"));
}

void add_mutexes(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(
      mutex_row<own_mutex>(call, which, "pthread/mutex", "pthread_mutex_unlock and _lock, private to the process"));
  rows.push_back(mutex_row<shared_mutex>(call, which, "pthread/mutex_shared",
                                         "pthread_mutex_unlock and _lock, shared between processes"));
  rows.push_back(mutex_row<synchro::mutex>(call, which, "mutex", "the library's mutex"));
}

void add_semaphores(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(
      semaphore_row<posix_semaphore<0>>(call, which, "posix/sem", "sem_post and sem_wait, private to the process"));
  rows.push_back(semaphore_row<posix_semaphore<1>>(call, which, "posix/sem_shared",
                                                   "sem_post and sem_wait, shared between processes"));
}

std::optional<std::string> no_eventfd() {
  try {
    eventfd_event tried;
  } catch (const std::system_error& e) {
    return e.what();
  }
  return std::nullopt;
}

std::optional<std::string> no_pidfd() {
  const int file = pidfd_waiter::open_thread(platform::this_thread_number());
  if (file >= 0) {
    close(file);
    return std::nullopt;
  }
  return fmt::format("the system gives no pidfd of a thread ({}); Linux does from 6.9 on",
                     std::generic_category().message(errno));
}

void add_events(std::vector<call_row>& rows) {
  rows.push_back(event_row<built_event>("SetEvent", "pthread/cond_event",
                                        "the paper's own: mutex, condition variable and a flag"));
  rows.push_back(event_row<own_event>("SetEvent", "event", "the library's event, one word"));
  rows.push_back(event_row<eventfd_event>("SetEvent", "linux/eventfd", "the system's own: write and read", no_eventfd));
}

void add_endings(std::vector<call_row>& rows, const char* call, unsigned threads) {
  rows.push_back(ending_row<join_waiter>(call, threads, "pthread/join", "pthread_join"));
  rows.push_back(ending_row<pidfd_waiter>(call, threads, "linux/pidfd", "poll on a pidfd of each thread", no_pidfd));
}

std::vector<call_row> make_rows() {
  std::vector<call_row> rows;
  add_operations(rows, "EnterCriticalSection", direction::there);
  add_interlocked(rows, "Interlocked Decrement", direction::back);
  add_interlocked(rows, "Interlocked Increment", direction::there);
  add_operations(rows, "LeaveCriticalSection", direction::back);
  add_spins(rows, "Lock Spinlock", direction::there);
  add_mutexes(rows, "ReleaseMutex", direction::there);
  add_semaphores(rows, "ReleaseSemaphore", direction::there);
  add_events(rows);
  add_spins(rows, "Unlock Spinlock", direction::back);
  add_endings(rows, "WaitForMultipleObjects", crowd_size);
  add_endings(rows, "WaitForSingleObject", 1);
  add_mutexes(rows, "Waiting for Mutex", direction::back);
  add_semaphores(rows, "Waiting for Semaphore", direction::back);
  return rows;
}

}  // namespace

const std::vector<call_row>& call_rows() {
  static const std::vector<call_row> rows = make_rows();
  return rows;
}

}  // namespace synchro::experiments::overhead
