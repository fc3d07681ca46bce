#include "platform/timer.hpp"

#include <fmt/format.h>
#include <windows.h>

#include "platform/windows/system.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

using period_call = UINT __stdcall(UINT);

/// The calling thread's timer; null before Windows 10, version 1803. It ends sleeps about half a millisecond late,
/// whatever period the system's clock has (CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, newer than some headers).
class fine_timer {
 public:
  static constexpr double late_ns = 0.5e6;

  fine_timer() : timer_{CreateWaitableTimerExW(nullptr, nullptr, high_resolution, TIMER_MODIFY_STATE | SYNCHRONIZE)} {}
  ~fine_timer() {
    if (timer_ != nullptr) CloseHandle(timer_);
  }
  fine_timer(const fine_timer&) = delete;
  fine_timer& operator=(const fine_timer&) = delete;

  [[nodiscard]] bool is_there() const { return timer_ != nullptr; }
  /// False if the system refuses.
  [[nodiscard]] bool sleep(double ns) const {
    constexpr double unit_ns = 100;
    LARGE_INTEGER due{};
    due.QuadPart = -static_cast<LONGLONG>(ns / unit_ns);  // from now on
    return SetWaitableTimer(timer_, &due, 0, nullptr, nullptr, FALSE) != 0 &&
           WaitForSingleObject(timer_, INFINITE) == WAIT_OBJECT_0;
  }

 private:
  static constexpr DWORD high_resolution = 2;
  HANDLE timer_;
};

/// Of the library of timers, which stays loaded.
period_call* call_named(const char* name) {
  static HMODULE const library = LoadLibraryExW(L"winmm.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
  return library == nullptr ? nullptr : os::detail::system_function<period_call>("winmm.dll", name);
}

}  // namespace

void sleep_about(double ns) {
  constexpr double ms = 1e6;
  const fine_timer timer;
  if (!timer.is_there() || !timer.sleep(ns)) Sleep(static_cast<DWORD>(ns / ms));
}

/// Without the finer timer, a step of the system's clock for the sleep, and one for what is under way in it.
double oversleep_ns() {
  static const bool fine = fine_timer{}.is_there();
  return fine ? fine_timer::late_ns : 2 * windows::clock_step_ns();
}

bool takes_timer_periods() { return call_named("timeBeginPeriod") != nullptr; }

timer_period::timer_period(unsigned ms) : ms_{ms} {
  if (ms_ == 0) return;
  auto* const begin = call_named("timeBeginPeriod");
  if (begin != nullptr && begin(ms_) == 0) return;
  refusal_ = begin == nullptr ? "this system has no timeBeginPeriod"
                              : fmt::format("the system grants no timer period of {} ms", ms_);
  ms_ = 0;
}

timer_period::~timer_period() {
  if (ms_ != 0) call_named("timeEndPeriod")(ms_);
}

}  // namespace synchro::platform
