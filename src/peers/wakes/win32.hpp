// What Windows offers to wait with. Calls that not every Windows has are looked for when they are needed.

#ifndef SYNCHRO_PEERS_WAKES_WIN32_HPP
#define SYNCHRO_PEERS_WAKES_WIN32_HPP

#include <windows.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "peers/wakes/held_gate.hpp"
#include "peers/wakes/wake_peer.hpp"
#include "peers/win32.hpp"
#include "synchro/os.hpp"

namespace synchro::peers {

class win32_semaphore_once {
 public:
  static constexpr wake_traits traits{.judgement = "counts units; one call releases n",
                                      .citation = "Win32, ReleaseSemaphore and WaitForSingleObject"};

  explicit win32_semaphore_once(unsigned sleepers)
      : sleepers_{static_cast<LONG>(sleepers)},
        units_{CreateSemaphoreW(nullptr, 0, sleepers_ + 1, nullptr), "CreateSemaphore"} {}

  void wait(unsigned) { units_.wait(); }
  void trigger() { win32::demand(ReleaseSemaphore(units_.get(), sleepers_, nullptr), "ReleaseSemaphore"); }
  void trigger_each() {
    for (LONG i = 0; i != sleepers_; ++i) win32::demand(ReleaseSemaphore(units_.get(), 1, nullptr), "ReleaseSemaphore");
  }

 private:
  LONG sleepers_;
  win32::handle units_;
};

using win32_semaphore = by_turns<win32_semaphore_once>;

using win32_semaphore_each = split<win32_semaphore_once>;

/// Two events by turns: the one is reset while all wait for the other.
class win32_event {
 public:
  static constexpr wake_traits traits{.judgement = "one call wakes all who wait, and who comes later passes",
                                      .citation = "Win32, SetEvent of one manual-reset event"};

  explicit win32_event(unsigned sleepers)
      : events_{win32::handle{CreateEventW(nullptr, TRUE, FALSE, nullptr), "CreateEvent"},
                win32::handle{CreateEventW(nullptr, TRUE, FALSE, nullptr), "CreateEvent"}},
        rounds_{sleepers} {}

  void wait(unsigned i) { events_[rounds_.next(i) % 2].wait(); }
  void arm() { win32::demand(ResetEvent(events_[(triggers_ + 1) % 2].get()), "ResetEvent"); }
  void trigger() { win32::demand(SetEvent(events_[triggers_++ % 2].get()), "SetEvent"); }

 private:
  win32::handle events_[2];
  std::uint32_t triggers_ = 0;
  detail::own_rounds rounds_;
};

class win32_event_each {
 public:
  static constexpr wake_traits traits{.judgement = "wakes in an order that is chosen; a call for each",
                                      .one_call = false,
                                      .splittable = false,
                                      .citation = "Win32, SetEvent of an auto-reset event for each thread"};

  explicit win32_event_each(unsigned sleepers) {
    for (unsigned i = 0; i != sleepers; ++i)
      events_.emplace_back(CreateEventW(nullptr, FALSE, FALSE, nullptr), "CreateEvent");
  }

  void wait(unsigned i) { events_[i].wait(); }
  void trigger() {
    for (const win32::handle& event : events_) win32::demand(SetEvent(event.get()), "SetEvent");
  }

 private:
  std::vector<win32::handle> events_;
};

/// The same, and each thread waits for a second event besides, as one does that is to be told to stop.
class win32_wait_multiple {
 public:
  static constexpr wake_traits traits{.judgement = "to wait for one of several things; dearer than to wait for one",
                                      .one_call = false,
                                      .splittable = false,
                                      .citation = "Win32, WaitForMultipleObjects"};

  explicit win32_wait_multiple(unsigned sleepers) : never_{CreateEventW(nullptr, TRUE, FALSE, nullptr), "CreateEvent"} {
    for (unsigned i = 0; i != sleepers; ++i)
      events_.emplace_back(CreateEventW(nullptr, FALSE, FALSE, nullptr), "CreateEvent");
  }

  void wait(unsigned i) {
    const HANDLE either[] = {events_[i].get(), never_.get()};
    win32::demand(WaitForMultipleObjects(2, either, FALSE, INFINITE) == WAIT_OBJECT_0, "WaitForMultipleObjects");
  }
  void trigger() {
    for (const win32::handle& event : events_) win32::demand(SetEvent(event.get()), "SetEvent");
  }

 private:
  win32::handle never_;
  std::vector<win32::handle> events_;
};

namespace detail {

/// A condition variable, a lock of one of the kinds, and a count.
template <class Lock>
class win32_condition_with {
 public:
  explicit win32_condition_with(unsigned sleepers) : rounds_{sleepers} {}

  void wait(unsigned i) {
    const std::uint32_t seen = rounds_.next(i);
    lock_.lock();
    while (triggers_ == seen) lock_.sleep(condition_);
    lock_.unlock();
  }
  void trigger() {
    count();
    WakeAllConditionVariable(&condition_);
  }
  void trigger_each() {
    count();
    for (unsigned i = 0; i != rounds_.sleepers(); ++i) WakeConditionVariable(&condition_);
  }

 private:
  void count() {
    lock_.lock();
    ++triggers_;
    lock_.unlock();
  }

  Lock lock_;
  CONDITION_VARIABLE condition_ = CONDITION_VARIABLE_INIT;
  std::uint32_t triggers_ = 0;
  own_rounds rounds_;
};

}  // namespace detail

struct win32_condition_cs : detail::win32_condition_with<win32::critical_section<win32::no_spin_count>> {
  static constexpr wake_traits traits{.judgement = "waits for any condition; the woken queue for the section",
                                      .citation = "Win32, SleepConditionVariableCS"};
  using win32_condition_with::win32_condition_with;
};

struct win32_condition_cs_spin : detail::win32_condition_with<win32::critical_section<win32::spin_count>> {
  static constexpr wake_traits traits{.judgement = "the same, and those who queue for the section spin first",
                                      .citation = "Win32, InitializeCriticalSectionAndSpinCount, 4000"};
  using win32_condition_with::win32_condition_with;
};

struct win32_condition_srw : detail::win32_condition_with<win32::srw_lock> {
  static constexpr wake_traits traits{.judgement = "waits for any condition; the lock is one word",
                                      .citation = "Win32, SleepConditionVariableSRW"};
  using win32_condition_with::win32_condition_with;
};

namespace detail {
inline constexpr std::string_view passes_one_by_one =
    "not to be chosen: a lock held to keep others asleep passes them one by one";
}

struct win32_critical_section_flag : held_gate<win32::critical_section<win32::no_spin_count>> {
  static constexpr wake_traits traits{.judgement = detail::passes_one_by_one,
                                      .citation = "Win32, EnterCriticalSection, with a volatile flag"};
  using held_gate::held_gate;
};

struct win32_critical_section_flag_spin : held_gate<win32::critical_section<win32::spin_count>> {
  static constexpr wake_traits traits{
      .judgement = detail::passes_one_by_one,
      .citation = "Win32, a critical section with spin count 4000, and a volatile flag"};
  using held_gate::held_gate;
};

struct win32_srw_flag : held_gate<win32::srw_lock> {
  static constexpr wake_traits traits{.judgement = detail::passes_one_by_one,
                                      .citation =
                                          "Win32, AcquireSRWLockExclusive (std::mutex of Microsoft's library), with "
                                          "a volatile flag"};
  using held_gate::held_gate;
};

struct win32_mutex_flag : held_gate<win32::mutex> {
  static constexpr wake_traits traits{.judgement = detail::passes_one_by_one,
                                      .citation = "Win32, ReleaseMutex, with a volatile flag"};
  using held_gate::held_gate;
};

class win32_wait_on_address {
 public:
  static constexpr wake_traits traits{.judgement = "one word and no object; spins a little, then sleeps",
                                      .citation = "Win32, WaitOnAddress and WakeByAddressAll, Windows 8 and later"};

  explicit win32_wait_on_address(unsigned sleepers) : rounds_{sleepers} {}

  static std::optional<std::string> unavailable() {
    if (calls().wait != nullptr) return std::nullopt;
    return "this system has no WaitOnAddress; Windows has it from version 8 on";
  }
  void wait(unsigned i) {
    const std::uint32_t seen = rounds_.next(i);
    while (triggers_.load(std::memory_order_acquire) == seen) calls().wait(&triggers_, &seen, sizeof seen, INFINITE);
  }
  void trigger() {
    triggers_.fetch_add(1, std::memory_order_release);
    calls().wake_all(&triggers_);
  }
  void trigger_each() {
    triggers_.fetch_add(1, std::memory_order_release);
    for (unsigned i = 0; i != rounds_.sleepers(); ++i) calls().wake_one(&triggers_);
  }

 private:
  static const os::detail::address_calls& calls() { return os::detail::system_address_calls(); }

  alignas(2 * cpu::cache_line) std::atomic<std::uint32_t> triggers_{0};
  detail::own_rounds rounds_;
};

using win32_wait_on_address_each = split<win32_wait_on_address>;

/// Wine 8 has no such thing, nor has Windows before version 8.
class win32_barrier {
 public:
  static constexpr wake_traits traits{
      .judgement = "phases in which all wait for all; the last to come releases the rest",
      .citation = "Win32, EnterSynchronizationBarrier, Windows 8 and later"};

  explicit win32_barrier(unsigned sleepers) {
    constexpr LONG no_spinning = 0;
    win32::demand(calls().make(object_, static_cast<LONG>(sleepers + 1), no_spinning),
                  "InitializeSynchronizationBarrier");
  }
  ~win32_barrier() { calls().destroy(object_); }
  win32_barrier(const win32_barrier&) = delete;
  win32_barrier& operator=(const win32_barrier&) = delete;

  static std::optional<std::string> unavailable() {
    const functions& found = calls();
    if (found.make != nullptr && found.enter != nullptr && found.destroy != nullptr) return std::nullopt;
    return "this system has no EnterSynchronizationBarrier; Windows has it from version 8 on";
  }
  void wait(unsigned) { calls().enter(object_, never_spin); }
  void trigger() { calls().enter(object_, never_spin); }

 private:
  static constexpr DWORD never_spin = 2;  // SYNCHRONIZATION_BARRIER_FLAGS_BLOCK_ONLY

  struct functions {
    BOOL(__stdcall* make)(void*, LONG, LONG);
    BOOL(__stdcall* enter)(void*, DWORD);
    BOOL(__stdcall* destroy)(void*);
  };
  static const functions& calls() {
    using os::detail::system_function;
    constexpr const char* library = "kernelbase.dll";  // the API set synch-l1-2; not every kernel32 passes it on
    static const functions found{
        system_function<BOOL __stdcall(void*, LONG, LONG)>(library, "InitializeSynchronizationBarrier"),
        system_function<BOOL __stdcall(void*, DWORD)>(library, "EnterSynchronizationBarrier"),
        system_function<BOOL __stdcall(void*)>(library, "DeleteSynchronizationBarrier")};
    return found;
  }

  alignas(8) unsigned char object_[64];  // the system's, of 32 bytes
};

/// A call that the other thread makes when it next waits alertably.
class win32_apc {
 public:
  static constexpr wake_traits traits{.judgement = "to hand a thread something to do; it must wait alertably",
                                      .one_call = false,
                                      .splittable = false,
                                      .citation = "Win32, QueueUserAPC and SleepEx"};

  explicit win32_apc(unsigned sleepers) : seats_(sleepers), rounds_{sleepers} {}

  void wait(unsigned i) {
    seat& mine = seats_[i];
    if (!mine.known.load(std::memory_order_relaxed)) {
      mine.thread = win32::this_thread();
      mine.known.store(true, std::memory_order_release);
    }
    const std::uint32_t seen = rounds_.next(i);
    while (mine.arrived == seen) SleepEx(INFINITE, TRUE);
  }
  void trigger() {
    for (seat& s : seats_) {
      while (!s.known.load(std::memory_order_acquire)) std::this_thread::yield();
      win32::demand(QueueUserAPC(arrive, s.thread.get(), reinterpret_cast<ULONG_PTR>(&s)) != 0, "QueueUserAPC");
    }
  }

 private:
  struct alignas(2 * cpu::cache_line) seat {
    win32::handle thread;
    std::atomic<bool> known{false};
    std::uint32_t arrived = 0;  // by its own thread
  };
  static void __stdcall arrive(ULONG_PTR to) { ++reinterpret_cast<seat*>(to)->arrived; }

  std::vector<seat> seats_;
  detail::own_rounds rounds_;
};

/// Undocumented: what slept below critical sections before Windows 8. A release waits for its sleeper.
class win32_keyed_event_once {
 public:
  static constexpr wake_traits traits{
      .judgement = "one object for any number of places to wait; a call for each sleeper",
      .one_call = false,
      .citation = "Windows NT, NtWaitForKeyedEvent and NtReleaseKeyedEvent"};

  explicit win32_keyed_event_once(unsigned sleepers) : sleepers_{sleepers} {
    constexpr ACCESS_MASK all = GENERIC_READ | GENERIC_WRITE;
    HANDLE made = nullptr;
    win32::demand_status(calls().make(&made, all, nullptr, 0), "NtCreateKeyedEvent");
    event_ = win32::handle{made, "NtCreateKeyedEvent"};
  }

  static std::optional<std::string> unavailable() {
    const functions& found = calls();
    if (found.make != nullptr && found.wait != nullptr && found.release != nullptr) return std::nullopt;
    return "this system has no keyed events";
  }
  void wait(unsigned) {
    win32::demand_status(calls().wait(event_.get(), &key_, FALSE, nullptr), "NtWaitForKeyedEvent");
  }
  void trigger() {
    for (unsigned i = 0; i != sleepers_; ++i)
      win32::demand_status(calls().release(event_.get(), &key_, FALSE, nullptr), "NtReleaseKeyedEvent");
  }

 private:
  struct functions {
    LONG(__stdcall* make)(HANDLE*, ACCESS_MASK, void*, ULONG);
    LONG(__stdcall* wait)(HANDLE, const void*, BOOLEAN, LARGE_INTEGER*);
    LONG(__stdcall* release)(HANDLE, const void*, BOOLEAN, LARGE_INTEGER*);
  };
  static const functions& calls() {
    using os::detail::system_function;
    using meet = LONG __stdcall(HANDLE, const void*, BOOLEAN, LARGE_INTEGER*);
    static const functions found{
        system_function<LONG __stdcall(HANDLE*, ACCESS_MASK, void*, ULONG)>("ntdll.dll", "NtCreateKeyedEvent"),
        system_function<meet>("ntdll.dll", "NtWaitForKeyedEvent"),
        system_function<meet>("ntdll.dll", "NtReleaseKeyedEvent")};
    return found;
  }

  unsigned sleepers_;
  win32::handle event_;
  alignas(8) std::uint64_t key_ = 0;  // its address is the key
};

class win32_keyed_event : public by_turns<win32_keyed_event_once> {
 public:
  using by_turns::by_turns;
  static std::optional<std::string> unavailable() { return win32_keyed_event_once::unavailable(); }
};

class win32_completion_port_once {
 public:
  static constexpr wake_traits traits{
      .judgement = "work for a pool: the one who slept last wakes first; a call for each",
      .one_call = false,
      .citation = "Win32, PostQueuedCompletionStatus and GetQueuedCompletionStatus"};

  explicit win32_completion_port_once(unsigned sleepers)
      : sleepers_{sleepers},
        port_{CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, sleepers), "CreateIoCompletionPort"} {}

  void wait(unsigned) {
    DWORD bytes = 0;
    ULONG_PTR key = 0;
    OVERLAPPED* what = nullptr;
    win32::demand(GetQueuedCompletionStatus(port_.get(), &bytes, &key, &what, INFINITE), "GetQueuedCompletionStatus");
  }
  void trigger() {
    for (unsigned i = 0; i != sleepers_; ++i)
      win32::demand(PostQueuedCompletionStatus(port_.get(), 0, 0, nullptr), "PostQueuedCompletionStatus");
  }

 private:
  unsigned sleepers_;
  win32::handle port_;
};

using win32_completion_port = by_turns<win32_completion_port_once>;

}  // namespace synchro::peers

#endif
