#include "platform/timer.hpp"

#include <fmt/format.h>
#include <windows.h>

#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

using period_call = UINT __stdcall(UINT);

/// Of the library of timers, which stays loaded.
period_call* call_named(const char* name) {
  static HMODULE const library = LoadLibraryW(L"winmm.dll");
  return library == nullptr ? nullptr : os::detail::system_function<period_call>("winmm.dll", name);
}

}  // namespace

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
