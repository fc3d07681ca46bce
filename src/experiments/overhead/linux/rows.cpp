// The paper's thirteen rows on Linux.

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "experiments/overhead/call_marks.hpp"
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
  const auto act = []<class L>(std::in_place_type_t<L>, const call_task& task, direction d) {
    return operations<L>(
        task, d, [](L& l) { l.lock(); }, [](L& l) { l.unlock(); });
  };
  return [=](const call_task& task) {
    return task.marked ? act(std::in_place_type<marked<Lock>>, task, which)
                       : act(std::in_place_type<Lock>, task, which);
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
                       there ? "pthread_mutex_lock of a free mutex" : "pthread_mutex_unlock with no thread waiting",
                       locking<own_mutex>(which)));
  rows.push_back(plain(call, "mutex", "the library's mutex", locking<synchro::mutex>(which)));
}

void add_spins(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(plain(call, "pthread/spin",
                       which == direction::there ? "pthread_spin_lock of a free lock" : "pthread_spin_unlock",
                       locking<pthread_spin>(which)));
  rows.push_back(plain(call, "ttas", "the library's test-and-test-and-set lock", locking<synchro::ttas_lock>(which)));
}

void add_interlocked(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(plain(call, "std/atomic", "std::atomic, one instruction", [which](const call_task& t) {
    using word = std::atomic<std::uint32_t>;
    return operations<word>(
        t, which, [](word& w) { w.fetch_add(1, std::memory_order_seq_cst); },
        [](word& w) { w.fetch_sub(1, std::memory_order_seq_cst); });
  }));
}

void add_mutexes(std::vector<call_row>& rows, const char* call, direction which) {
  const auto flow = [&]<class Mutex>(std::in_place_type_t<Mutex>, const char* name, const char* by) {
    rows.push_back(handover(call, name, by, 2, [which](const call_task& t) {
      return t.marked ? ownership<marked<Mutex>>(t, which) : ownership<Mutex>(t, which);
    }));
  };
  flow(std::in_place_type<own_mutex>, "pthread/mutex", "pthread_mutex_unlock and _lock, private to the process");
  flow(std::in_place_type<shared_mutex>, "pthread/mutex_shared",
       "pthread_mutex_unlock and _lock, shared between processes");
  flow(std::in_place_type<synchro::mutex>, "mutex", "the library's mutex");
}

void add_semaphores(std::vector<call_row>& rows, const char* call, direction which) {
  const auto flow = [&]<class Semaphore>(std::in_place_type_t<Semaphore>, const char* name, const char* by) {
    rows.push_back(handover(call, name, by, 2 * crowd_size, [which](const call_task& t) {
      return t.marked ? crowd<marked<Semaphore>>{t}.run(which) : crowd<Semaphore>{t}.run(which);
    }));
  };
  flow(std::in_place_type<posix_semaphore<0>>, "posix/sem", "sem_post and sem_wait, private to the process");
  flow(std::in_place_type<posix_semaphore<1>>, "posix/sem_shared", "sem_post and sem_wait, shared between processes");
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
  const auto flow = [&]<class Event>(std::in_place_type_t<Event>, const char* name, const char* by, auto obstacle) {
    rows.push_back(handover("SetEvent", name, by, 2, [](const call_task& t) {
      return t.marked ? turns<marked<Event>>(t, direction::both) : turns<Event>(t, direction::both);
    }));
    rows.back().obstacle = obstacle;
  };
  flow(std::in_place_type<built_event>, "pthread/cond_event", "the paper's own: mutex, condition variable and a flag",
       no_obstacle);
  flow(std::in_place_type<own_event>, "event", "the library's event, one word", no_obstacle);
  flow(std::in_place_type<eventfd_event>, "linux/eventfd", "the system's own: write and read", no_eventfd);
}

void add_endings(std::vector<call_row>& rows, const char* call, unsigned threads) {
  const auto flow = [&]<class Waiter>(std::in_place_type_t<Waiter>, const char* name, const char* by, auto obstacle) {
    rows.push_back({call, name, by, endings, threads * ending_seconds,
                    [threads](const call_task& t) {
                      return t.marked ? ending<marked<Waiter>>(t, threads) : ending<Waiter>(t, threads);
                    },
                    obstacle});
  };
  flow(std::in_place_type<join_waiter>, "pthread/join", "pthread_join", no_obstacle);
  flow(std::in_place_type<pidfd_waiter>, "linux/pidfd", "poll on a pidfd of each thread", no_pidfd);
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
