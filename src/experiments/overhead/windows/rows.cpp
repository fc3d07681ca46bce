// The paper's thirteen rows on Windows, by the calls that it measured itself.

#include <windows.h>

#include <thread>

#include "experiments/overhead/row_makers.hpp"
#include "peers/win32.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::experiments::overhead {

namespace {

namespace win32 = peers::win32;

using section = win32::critical_section<win32::no_spin_count>;

/// Manual reset, as the paper has it.
class kernel_event {
 public:
  void signal() { SetEvent(event_.get()); }
  void wait() { event_.wait(); }
  void rearm() { ResetEvent(event_.get()); }

 private:
  win32::handle event_{CreateEventW(nullptr, TRUE, FALSE, nullptr), "CreateEvent"};
};

class kernel_semaphore {
 public:
  void post() { ReleaseSemaphore(units_.get(), 1, nullptr); }
  void wait() { units_.wait(); }

 private:
  static constexpr LONG most = 0x7fff'ffff;
  win32::handle units_{CreateSemaphoreW(nullptr, 0, most, nullptr), "CreateSemaphore"};
};

/// Waits for handles of the threads, one or several by one call.
class handle_waiter {
 public:
  explicit handle_waiter(unsigned threads) : handles_(threads) {}

  void begin(unsigned i) {
    handles_[i] = win32::this_thread();
    known_.fetch_add(1, std::memory_order_release);
  }
  void await(std::vector<std::thread>& threads, std::uint64_t& stamp) {
    while (known_.load(std::memory_order_acquire) != handles_.size()) std::this_thread::yield();
    std::vector<HANDLE> all;
    for (const win32::handle& h : handles_) all.push_back(h.get());
    const auto n = static_cast<DWORD>(all.size());
    const DWORD ended =
        n == 1 ? WaitForSingleObject(all.front(), INFINITE) : WaitForMultipleObjects(n, all.data(), TRUE, INFINITE);
    stamp = measure::host::now();
    const DWORD error = GetLastError();
    for (std::thread& t : threads) t.join();
    SetLastError(error);
    win32::demand(ended - WAIT_OBJECT_0 < n, "WaitForMultipleObjects");  // any of them stands for all
  }

 private:
  std::vector<win32::handle> handles_;
  std::atomic<std::size_t> known_{0};
};

/// The section is what the paper calls by that name; the lock of four bytes is what came after it.
void add_sections(std::vector<call_row>& rows, const char* call, direction which) {
  const bool there = which == direction::there;
  rows.push_back(lock_row<section>(
      call, which, "win32/critical_section",
      there ? "EnterCriticalSection of a free section" : "LeaveCriticalSection with no thread waiting"));
  rows.push_back(lock_row<win32::srw_lock>(call, which, "win32/srw",
                                           there ? "AcquireSRWLockExclusive" : "ReleaseSRWLockExclusive"));
  rows.push_back(lock_row<synchro::mutex>(call, which, "mutex", "the library's mutex"));
}

/// Windows offers programs no spin lock: a section that spins is what its handbook names.
void add_spins(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(lock_row<win32::critical_section<win32::spin_count>>(call, which, "win32/critical_section_spin",
                                                                      "a critical section with spin count 4000"));
  rows.push_back(lock_row<synchro::ttas_lock>(call, which, "ttas", "the library's test-and-test-and-set lock"));
}

void add_interlocked(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(atomic_row(call, which, "std/atomic",
                            which == direction::there ? "InterlockedIncrement: one instruction, as std::atomic's"
                                                      : "InterlockedDecrement: one instruction, as std::atomic's"));
}

void add_mutexes(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(mutex_row<win32::mutex>(call, which, "win32/mutex", "ReleaseMutex and WaitForSingleObject"));
  rows.push_back(mutex_row<synchro::mutex>(call, which, "mutex", "the library's mutex"));
}

void add_semaphores(std::vector<call_row>& rows, const char* call, direction which) {
  rows.push_back(
      semaphore_row<kernel_semaphore>(call, which, "win32/semaphore", "ReleaseSemaphore and WaitForSingleObject"));
}

void add_events(std::vector<call_row>& rows) {
  rows.push_back(event_row<kernel_event>("SetEvent", "win32/event", "SetEvent and WaitForSingleObject, manual reset"));
  rows.push_back(event_row<own_event>("SetEvent", "event", "the library's event, one word"));
}

std::vector<call_row> make_rows() {
  std::vector<call_row> rows;
  add_sections(rows, "EnterCriticalSection", direction::there);
  add_interlocked(rows, "Interlocked Decrement", direction::back);
  add_interlocked(rows, "Interlocked Increment", direction::there);
  add_sections(rows, "LeaveCriticalSection", direction::back);
  add_spins(rows, "Lock Spinlock", direction::there);
  add_mutexes(rows, "ReleaseMutex", direction::there);
  add_semaphores(rows, "ReleaseSemaphore", direction::there);
  add_events(rows);
  add_spins(rows, "Unlock Spinlock", direction::back);
  rows.push_back(ending_row<handle_waiter>("WaitForMultipleObjects", crowd_size, "win32/thread",
                                           "WaitForMultipleObjects on the threads"));
  rows.push_back(
      ending_row<handle_waiter>("WaitForSingleObject", 1, "win32/thread", "WaitForSingleObject on the thread"));
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
