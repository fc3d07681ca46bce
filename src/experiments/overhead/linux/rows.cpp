// The paper's thirteen rows on Linux.

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "experiments/overhead/call_rows.hpp"
#include "experiments/overhead/flows.hpp"
#include "experiments/overhead/linux/objects.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/wakes/event.hpp"

namespace synchro::experiments::overhead {

namespace {

using own_mutex = pthread_mutex<PTHREAD_PROCESS_PRIVATE>;
using shared_mutex = pthread_mutex<PTHREAD_PROCESS_SHARED>;

/// The library's.
struct own_event {
  void signal() { event.set(); }
  void wait() { event.wait(); }
  void rearm() { event.reset(); }
  synchro::event event;
};

constexpr unsigned batches = 200;
constexpr double batch_seconds = 3e-6;
constexpr unsigned handovers = 200;
constexpr double handover_seconds = 40e-6;
constexpr unsigned endings = 60;
constexpr double ending_seconds = 100e-6;

std::optional<std::string> no_obstacle() { return std::nullopt; }

template <class Lock>
std::function<call_result(const call_task&)> locking(direction which) {
  return [which](const call_task& task) {
    return operations<Lock>(
        task, which, [](Lock& l) { l.lock(); }, [](Lock& l) { l.unlock(); });
  };
}

call_row plain(std::string call, std::string primitive, std::string by,
               std::function<call_result(const call_task&)> measure) {
  return {std::move(call), std::move(primitive), std::move(by), batches,
          batch_seconds,   std::move(measure),   no_obstacle};
}

call_row handover(std::string call, std::string primitive, std::string by, double threads,
                  std::function<call_result(const call_task&)> measure) {
  return {std::move(call),    std::move(primitive), std::move(by), handovers, threads * handover_seconds,
          std::move(measure), no_obstacle};
}

void add_operations(std::vector<call_row>& rows, const char* call, direction which) {
  const bool there = which == direction::there;
  rows.push_back(plain(call, "pthread/mutex",
                       there ? "pthread_mutex_lock of a free mutex: no system call"
                             : "pthread_mutex_unlock with nobody waiting: no system call",
                       locking<own_mutex>(which)));
  rows.push_back(plain(call, "mutex", "the library's mutex: no system call", locking<synchro::mutex>(which)));
}

void add_spins(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(plain(call, "pthread/spin",
                       which == direction::there ? "pthread_spin_lock of a free lock: no system call"
                                                 : "pthread_spin_unlock: no system call",
                       locking<pthread_spin>(which)));
  rows.push_back(plain(call, "ttas", "the library's test-and-test-and-set lock: no system call",
                       locking<synchro::ttas_lock>(which)));
}

void add_interlocked(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(plain(call, "std/atomic", "std::atomic, one instruction: no system call", [which](const call_task& t) {
    using word = std::atomic<std::uint32_t>;
    return operations<word>(
        t, which, [](word& w) { w.fetch_add(1, std::memory_order_seq_cst); },
        [](word& w) { w.fetch_sub(1, std::memory_order_seq_cst); });
  }));
}

void add_mutexes(std::vector<call_row>& rows, const char* call, direction which) {
  const auto flow = [&]<class Mutex>(std::in_place_type_t<Mutex>, const char* name, const char* by) {
    rows.push_back(handover(call, name, by, 2, [which](const call_task& t) { return ownership<Mutex>(t, which); }));
  };
  flow(std::in_place_type<own_mutex>, "pthread/mutex",
       "pthread_mutex_unlock and _lock, private to the process: futex(FUTEX_WAKE_PRIVATE), futex(FUTEX_WAIT_PRIVATE), "
       "sched_yield");
  flow(std::in_place_type<shared_mutex>, "pthread/mutex_shared",
       "the same, shared between processes: futex(FUTEX_WAKE), futex(FUTEX_WAIT), sched_yield");
  flow(std::in_place_type<synchro::mutex>, "mutex",
       "the library's mutex: futex(FUTEX_WAKE_PRIVATE), futex(FUTEX_WAIT_PRIVATE), sched_yield");
}

void add_semaphores(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(handover(call, "posix/sem",
                          "sem_post and sem_wait, private to the process: futex(FUTEX_WAKE_PRIVATE), "
                          "futex(FUTEX_WAIT_BITSET_PRIVATE)",
                          2 * crowd_size,
                          [which](const call_task& t) { return crowd<posix_semaphore<0>>{t}.run(which); }));
  rows.push_back(handover(
      call, "posix/sem_shared", "the same, shared between processes: futex(FUTEX_WAKE), futex(FUTEX_WAIT_BITSET)",
      2 * crowd_size, [which](const call_task& t) { return crowd<posix_semaphore<1>>{t}.run(which); }));
}

void add_events(std::vector<call_row>& rows) {
  const auto flow = [&]<class Event>(std::in_place_type_t<Event>, const char* name, const char* by) {
    rows.push_back(
        handover("SetEvent", name, by, 2, [](const call_task& t) { return turns<Event>(t, direction::both); }));
  };
  flow(std::in_place_type<built_event>, "pthread/cond_event",
       "the paper's own: mutex, condition variable and a flag: futex(FUTEX_WAKE_PRIVATE), "
       "futex(FUTEX_WAIT_BITSET_PRIVATE)");
  flow(std::in_place_type<own_event>, "event",
       "the library's event, one word: futex(FUTEX_WAKE_PRIVATE), futex(FUTEX_WAIT_PRIVATE)");
  flow(std::in_place_type<eventfd_event>, "linux/eventfd", "the system's own: write, read");
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

void add_endings(std::vector<call_row>& rows, const char* call, unsigned threads) {
  rows.push_back({call, "pthread/join",
                  "pthread_join: futex(FUTEX_WAIT_BITSET), woken by the kernel at the thread's end", endings,
                  threads * ending_seconds, [threads](const call_task& t) { return ending<join_waiter>(t, threads); },
                  no_obstacle});
  rows.push_back({call, "linux/pidfd", "poll on a pidfd of each thread", endings, threads * ending_seconds,
                  [threads](const call_task& t) { return ending<pidfd_waiter>(t, threads); }, no_pidfd});
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
