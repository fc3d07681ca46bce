// Windows: the system's part of os.hpp.
//
// <windows.h> is not included: its macros would come to everybody. The calls that are used are declared here with the
// types they have there, so that both can stand in one unit. What not every Windows has is looked for when it is needed.

#ifndef SYNCHRO_OS_WINDOWS_HPP
#define SYNCHRO_OS_WINDOWS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "synchro/detail/chrono.hpp"
#include "synchro/os/parking_lot.hpp"
#include "synchro/version.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the system's names
struct HINSTANCE__;
struct _PROCESSOR_NUMBER;
struct _RTL_SRWLOCK;
struct _RTL_CONDITION_VARIABLE;
extern "C" const unsigned long _tls_used;  // the table of calls at a thread's end
// NOLINTEND(bugprone-reserved-identifier)

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {

using deadline = std::chrono::steady_clock::time_point;

namespace detail::win32 {
extern "C" {
using found_function = std::intptr_t(__stdcall*)();  // with a name, so that each convention is that of its function
__declspec(dllimport) unsigned long __stdcall GetLastError();
__declspec(dllimport) void __stdcall SetLastError(unsigned long);
__declspec(dllimport) HINSTANCE__* __stdcall GetModuleHandleA(const char*);
__declspec(dllimport) int __stdcall GetModuleHandleExA(unsigned long, const char*, HINSTANCE__**);
__declspec(dllimport) found_function __stdcall GetProcAddress(HINSTANCE__*, const char*);
__declspec(dllimport) int __stdcall SwitchToThread();
__declspec(dllimport) void __stdcall GetCurrentProcessorNumberEx(_PROCESSOR_NUMBER*);
__declspec(dllimport) unsigned long __stdcall TlsAlloc();
__declspec(dllimport) int __stdcall TlsFree(unsigned long);
__declspec(dllimport) void* __stdcall TlsGetValue(unsigned long);
__declspec(dllimport) int __stdcall TlsSetValue(unsigned long, void*);
__declspec(dllimport) void __stdcall AcquireSRWLockExclusive(_RTL_SRWLOCK*);
__declspec(dllimport) void __stdcall ReleaseSRWLockExclusive(_RTL_SRWLOCK*);
__declspec(dllimport) void __stdcall WakeAllConditionVariable(_RTL_CONDITION_VARIABLE*);
__declspec(dllimport) int __stdcall SleepConditionVariableSRW(_RTL_CONDITION_VARIABLE*, _RTL_SRWLOCK*, unsigned long,
                                                              unsigned long);
}
inline constexpr unsigned long infinite = 0xffff'ffff;
}  // namespace detail::win32

namespace detail {

/// A function of a library that every process has loaded; null where this Windows lacks it.
template <class F>
F* system_function(const char* library, const char* name) noexcept {
  HINSTANCE__* const loaded = win32::GetModuleHandleA(library);
  return loaded == nullptr ? nullptr
                           : reinterpret_cast<F*>(reinterpret_cast<void*>(win32::GetProcAddress(loaded, name)));
}

/// What a failed call has left for its caller to read stays.
class kept_error {
 public:
  kept_error() noexcept : before_{win32::GetLastError()} {}
  ~kept_error() { win32::SetLastError(before_); }
  kept_error(const kept_error&) = delete;
  kept_error& operator=(const kept_error&) = delete;

 private:
  unsigned long before_;
};

/// Sleeping on an address, as Windows 8 and later offer it.
struct address_calls {
  int(__stdcall* wait)(volatile const void*, const void*, std::size_t, unsigned long) = nullptr;
  void(__stdcall* wake_one)(const void*) = nullptr;
  void(__stdcall* wake_all)(const void*) = nullptr;
};

inline const address_calls& system_address_calls() noexcept {
  static const address_calls found = []() noexcept {
    constexpr const char* library = "kernelbase.dll";
    address_calls calls;
    calls.wake_one = system_function<void __stdcall(const void*)>(library, "WakeByAddressSingle");
    calls.wake_all = system_function<void __stdcall(const void*)>(library, "WakeByAddressAll");
    calls.wait = system_function<int __stdcall(volatile const void*, const void*, std::size_t, unsigned long)>(
        library, "WaitOnAddress");
    return calls;
  }();
  return found;
}

/// The same before Windows 8. Both words are a pointer to the system, null at first.
class parking_place {
 public:
  using limit = unsigned long;  // milliseconds
  void lock() noexcept { win32::AcquireSRWLockExclusive(lock_of()); }
  void unlock() noexcept { win32::ReleaseSRWLockExclusive(lock_of()); }
  void wait(unsigned long milliseconds) noexcept {
    win32::SleepConditionVariableSRW(woken(), lock_of(), milliseconds, 0);
  }
  void wake_all() noexcept { win32::WakeAllConditionVariable(woken()); }

 private:
  [[nodiscard]] _RTL_SRWLOCK* lock_of() noexcept { return reinterpret_cast<_RTL_SRWLOCK*>(&lock_word_); }
  [[nodiscard]] _RTL_CONDITION_VARIABLE* woken() noexcept {
    return reinterpret_cast<_RTL_CONDITION_VARIABLE*>(&woken_word_);
  }

  void* lock_word_ = nullptr;
  void* woken_word_ = nullptr;
};
using parking_lot = basic_parking_lot<parking_place>;
inline constinit parking_lot before_windows_8;

/// The time left in whole milliseconds, rounded up; what is longer than the system can count is cut.
inline unsigned long milliseconds_until(deadline until) noexcept {
  if (until == deadline::max()) return win32::infinite;
  const deadline now = std::chrono::steady_clock::now();
  if (until <= now) return 0;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now).count();
  constexpr unsigned long longest = win32::infinite - 1;
  return left < static_cast<long long>(longest) ? static_cast<unsigned long>(left) : longest;
}

}  // namespace detail

/// Times come in steps of the system's timer: 15.6 ms, unless a program has asked for finer ones.
inline bool park(const void* word, std::uint32_t expected, deadline until) noexcept {
  const detail::kept_error kept;
  const unsigned long limit = detail::milliseconds_until(until);
  if (const auto wait = detail::system_address_calls().wait; wait != nullptr)
    wait(word, &expected, sizeof expected, limit);
  else
    detail::before_windows_8.park(word, expected, limit);
  return until != deadline::max() && until <= std::chrono::steady_clock::now();
}

/// Some at a time one by one; more are woken all at once, which may be too many: sleepers look again.
inline void unpark(const void* word, std::uint32_t n) noexcept {
  constexpr std::uint32_t some = 16;
  const detail::kept_error kept;
  const detail::address_calls& calls = detail::system_address_calls();
  if (calls.wait == nullptr)
    detail::before_windows_8.unpark(word);
  else if (n > some)
    calls.wake_all(word);
  else
    for (; n != 0; --n) calls.wake_one(word);
}

inline void yield() noexcept { detail::win32::SwitchToThread(); }

template <class... Words>
long linux_call(long /*number*/, Words... /*words*/) noexcept {
  return -1;
}

/// 64 numbers for each processor group.
inline unsigned current_cpu() noexcept {
  struct {
    std::uint16_t group;
    std::uint8_t number;
    std::uint8_t reserved;
  } where{};
  detail::win32::GetCurrentProcessorNumberEx(reinterpret_cast<_PROCESSOR_NUMBER*>(&where));
  return where.group * 64U + where.number;
}

inline void keep_loaded(const void* inside) noexcept {
  constexpr unsigned long pinned = 1, by_address = 4;
  const detail::kept_error kept;
  HINSTANCE__* object = nullptr;
  detail::win32::GetModuleHandleExA(pinned | by_address, static_cast<const char*>(inside), &object);
}

// The things that belong to a thread: objects, and calls at its end. `thread_local` of GCC is gone for this system before its calls
// at a thread's end are made, so the objects hang on slots of the system.

namespace detail {

/// A pointer of each thread's own. Constant-initialised.
class thread_slot {
 public:
  /// Null if this thread has set none.
  [[nodiscard]] void* get() const noexcept {
    const unsigned long number = number_plus_one_.load(std::memory_order_relaxed);
    if (number == 0) return nullptr;
    const kept_error kept;
    return win32::TlsGetValue(number - 1);
  }
  bool set(void* p) noexcept {
    const unsigned long number = number_plus_one_.load(std::memory_order_relaxed);
    return win32::TlsSetValue((number != 0 ? number : make()) - 1, p) != 0;
  }

 private:
  unsigned long make() noexcept {
    keep_loaded(this);
    const unsigned long fresh = win32::TlsAlloc() + 1;
    if (fresh == 0) std::abort();  // more than a thousand are in use
    unsigned long seen = 0;
    if (number_plus_one_.compare_exchange_strong(seen, fresh, std::memory_order_relaxed)) return fresh;
    win32::TlsFree(fresh - 1);
    return seen;
  }

  std::atomic<unsigned long> number_plus_one_{0};
};

/// The things that a thread has to be rid of at its end.
class thread_end {
 public:
  struct owned {
    owned* next;
    thread_slot* slot;
    void (*destroy)(owned*);
  };

  /// The calling thread's; null without memory.
  static thread_end* mine() noexcept {
    void* const known = slot_.get();
    if (known != nullptr) return static_cast<thread_end*>(known);
    auto* const fresh = new (std::nothrow) thread_end;
    if (fresh != nullptr) slot_.set(fresh);
    return fresh;
  }

  void keep(owned* object) noexcept {
    object->next = objects_;
    objects_ = object;
  }

  /// One call for each function; false if there are too many.
  bool call_at_end(void (*function)(void*), void* argument) noexcept {
    for (call& c : calls_) {
      if (c.function != nullptr && c.function != function) continue;
      c = {function, argument};
      return true;
    }
    return false;
  }

  /// The end of the calling thread. What the calls arm anew is called again, four times at most.
  static void come() noexcept {
    auto* const ending = static_cast<thread_end*>(slot_.get());
    if (ending == nullptr) return;
    for (int round = 0; round != 4; ++round)
      for (call& c : ending->calls_) {
        const call now = c;
        c.function = nullptr;
        if (now.function != nullptr) now.function(now.argument);
      }
    while (owned* const object = ending->objects_) {
      ending->objects_ = object->next;
      object->slot->set(nullptr);
      object->destroy(object);
    }
    slot_.set(nullptr);
    delete ending;
  }

 private:
  struct call {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
  };

  static inline constinit thread_slot slot_;
  call calls_[16];
  owned* objects_ = nullptr;
};

inline void __stdcall at_detach(void* /*module*/, unsigned long reason, void* /*reserved*/) noexcept {
  constexpr unsigned long thread_ends = 3;
  if (reason == thread_ends) thread_end::come();
}

// The linker gathers this section into the table of calls; Y comes behind the C++ destructors' letter.
#if defined(_MSC_VER)
#pragma section(".CRT$XLY", long, read)
__declspec(allocate(".CRT$XLY")) __declspec(selectany) extern void(__stdcall* const detach_entry)(void*, unsigned long,
                                                                                                  void*) = at_detach;
#else
[[gnu::section(".CRT$XLY"), gnu::used]] inline void(__stdcall* const detach_entry)(void*, unsigned long,
                                                                                   void*) = at_detach;
#endif

/// So that no linker leaves the entry or the table out.
inline void want_detach_call() noexcept {
  static_cast<void>(*static_cast<void(__stdcall* const volatile*)(void*, unsigned long, void*)>(&detach_entry));
  static_cast<void>(*static_cast<const volatile unsigned long*>(&_tls_used));
}

template <class T>
struct owned_object : thread_end::owned {
  T object{};
};

template <class T>
[[gnu::noinline]] T& make_own(thread_slot& slot) noexcept {
  want_detach_call();
  auto* const made = new owned_object<T>;  // without memory the program ends, as with thread_local
  made->slot = &slot;
  made->destroy = [](thread_end::owned* p) { delete static_cast<owned_object<T>*>(p); };
  if (thread_end* const end = thread_end::mine()) end->keep(made);
  slot.set(made);
  return made->object;
}

}  // namespace detail

template <class T>
T& own() noexcept {
  static constinit detail::thread_slot slot;
  void* const known = slot.get();
  if (known == nullptr) [[unlikely]]
    return detail::make_own<T>(slot);
  return static_cast<detail::owned_object<T>*>(known)->object;
}

template <void (*F)(void*)>
class thread_exit_hook {
 public:
  bool arm(void* p) noexcept {
    detail::want_detach_call();
    detail::thread_end* const end = detail::thread_end::mine();
    return end != nullptr && end->call_at_end(F, p);
  }
};

/// Processes are not copied here.
template <void (*F)()>
class fork_hook {
 public:
  void arm() noexcept {}
};

}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
