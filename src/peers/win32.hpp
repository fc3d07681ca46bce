// Objects of Windows as classes: what its adapters are made of. What the system refuses is thrown, as std::system_error.

#ifndef SYNCHRO_PEERS_WIN32_HPP
#define SYNCHRO_PEERS_WIN32_HPP

#include <windows.h>

#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "synchro/os.hpp"

namespace synchro::peers::win32 {

/// The system's words in UTF-8: the standard's category has them in the account's code page, or not at all.
class error_words final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "win32"; }
  [[nodiscard]] std::string message(int code) const override {
    wchar_t wide[512];
    DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr,
                                  static_cast<DWORD>(code), 0, wide, static_cast<DWORD>(std::size(wide)), nullptr);
    while (length > 0 && (wide[length - 1] <= L' ' || wide[length - 1] == L'.')) --length;
    char words[3 * std::size(wide)];
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide, static_cast<int>(length), words,
                                          static_cast<int>(std::size(words)), nullptr, nullptr);
    return bytes > 0 ? std::string(words, static_cast<std::size_t>(bytes)) : "error " + std::to_string(code);
  }
};

inline void demand(bool granted, const char* call) {
  static const error_words words;
  if (!granted) throw std::system_error{static_cast<int>(GetLastError()), words, call};
}
inline void demand(BOOL granted, const char* call) { demand(granted != FALSE, call); }

/// Of a call of the kernel's own interface, which leaves no last error but returns its status.
inline void demand_status(LONG status, const char* call) {
  static auto* const error_of =
      os::detail::system_function<ULONG __stdcall(LONG)>("ntdll.dll", "RtlNtStatusToDosError");
  if (status < 0 && error_of != nullptr) SetLastError(error_of(status));
  demand(status >= 0, call);
}

class handle {
 public:
  handle() = default;
  /// Throws if there is none.
  handle(HANDLE made, const char* call) : handle_{made} { demand(made != nullptr, call); }
  ~handle() {
    if (handle_ != nullptr) CloseHandle(handle_);
  }
  handle(handle&& other) noexcept : handle_{std::exchange(other.handle_, nullptr)} {}
  handle& operator=(handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  [[nodiscard]] HANDLE get() const noexcept { return handle_; }
  void wait() const { demand(WaitForSingleObject(handle_, INFINITE) == WAIT_OBJECT_0, "WaitForSingleObject"); }

 private:
  HANDLE handle_ = nullptr;
};

/// A handle of the calling thread that others can use.
inline handle this_thread() {
  HANDLE made = nullptr;
  demand(DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &made, 0, FALSE,
                         DUPLICATE_SAME_ACCESS),
         "DuplicateHandle");
  return {made, "DuplicateHandle"};
}

/// What the system's own heap uses.
inline constexpr DWORD spin_count = 4000;

/// How the system makes a section that no spin count is given for: how long it looks then is its own choice, and not that of a
/// count of 0.
inline constexpr DWORD no_spin_count = 0;

template <DWORD Spins>
class critical_section {
 public:
  critical_section() {
    if constexpr (Spins == no_spin_count)
      InitializeCriticalSection(&section_);
    else
      demand(InitializeCriticalSectionAndSpinCount(&section_, Spins), "InitializeCriticalSectionAndSpinCount");
  }
  ~critical_section() { DeleteCriticalSection(&section_); }
  critical_section(const critical_section&) = delete;
  critical_section& operator=(const critical_section&) = delete;

  void lock() { EnterCriticalSection(&section_); }
  bool try_lock() { return TryEnterCriticalSection(&section_) != FALSE; }
  void unlock() { LeaveCriticalSection(&section_); }
  void sleep(CONDITION_VARIABLE& on) { SleepConditionVariableCS(&on, &section_, INFINITE); }

 private:
  CRITICAL_SECTION section_;
};

class srw_lock {
 public:
  void lock() { AcquireSRWLockExclusive(&lock_); }
  bool try_lock() { return TryAcquireSRWLockExclusive(&lock_) != FALSE; }
  void unlock() { ReleaseSRWLockExclusive(&lock_); }
  void sleep(CONDITION_VARIABLE& on) { SleepConditionVariableSRW(&on, &lock_, INFINITE, 0); }

 private:
  SRWLOCK lock_ = SRWLOCK_INIT;
};

/// The kernel's, which several processes may share.
class mutex {
 public:
  void lock() { owner_.wait(); }
  void unlock() { demand(ReleaseMutex(owner_.get()), "ReleaseMutex"); }

 private:
  handle owner_{CreateMutexW(nullptr, FALSE, nullptr), "CreateMutex"};
};

}  // namespace synchro::peers::win32

#endif
