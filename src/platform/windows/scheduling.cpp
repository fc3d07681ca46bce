#include "platform/scheduling.hpp"

#include <fmt/format.h>
#include <windows.h>

#include "platform/windows/system.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

/// What the process and a thread had before it was raised.
struct standing {
  bool kept = false;
  DWORD of_class = NORMAL_PRIORITY_CLASS;
  int of_thread = THREAD_PRIORITY_NORMAL;
};
thread_local constinit standing before_raise;

void keep_standing() {
  if (before_raise.kept) return;
  before_raise.of_class = GetPriorityClass(GetCurrentProcess());
  before_raise.of_thread = GetThreadPriority(GetCurrentThread());
  before_raise.kept = true;
}

const char* class_name(DWORD of_class) {
  switch (of_class) {
    case REALTIME_PRIORITY_CLASS:
      return "realtime";
    case HIGH_PRIORITY_CLASS:
      return "high";
    case ABOVE_NORMAL_PRIORITY_CLASS:
      return "above_normal";
    default:
      return "normal";
  }
}

}  // namespace

/// The class is the whole process's, and one that is not permitted is granted as a lower one without a word.
priority_outcome raise_priority() {
  keep_standing();
  SetPriorityClass(GetCurrentProcess(), REALTIME_PRIORITY_CLASS);
  const DWORD got = GetPriorityClass(GetCurrentProcess());
  const bool highest = SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_TIME_CRITICAL) != 0;
  const std::string granted = fmt::format("{}:{}", class_name(got), highest ? "time_critical" : "normal");
  if (got == REALTIME_PRIORITY_CLASS && highest) return {granted, std::nullopt};
  return {granted, fmt::format("Threads run at priority {}, the highest that is permitted here: run as administrator.",
                               granted)};
}

priority_outcome raise_priority_slightly() {
  keep_standing();
  if (SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_HIGHEST) != 0)
    return {fmt::format("{}:highest", class_name(GetPriorityClass(GetCurrentProcess()))), std::nullopt};
  return {"default", fmt::format("Threads run at the default priority, for the system refused a higher one: {}.",
                                 windows::refusal())};
}

void restore_priority() {
  if (!before_raise.kept) return;
  before_raise.kept = false;
  SetPriorityClass(GetCurrentProcess(), before_raise.of_class);
  SetThreadPriority(GetCurrentThread(), before_raise.of_thread);
}

/// Windows counts a thread's switches, but tells them only of all threads at once, which is no reading between two stamps.
scheduler_counters own_usage() {
  scheduler_counters c;
  FILETIME created, ended, kernel, user;
  const auto units = [](const FILETIME& t) { return std::uint64_t{t.dwHighDateTime} << 32U | t.dwLowDateTime; };
  if (GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user) != 0)
    c.cpu_time_ns = (units(kernel) + units(user)) * 100;
  return c;
}

scheduler_counters thread_counters() { return own_usage(); }

std::optional<std::uint64_t> steal_ns(const std::vector<unsigned>&, const std::string&) { return std::nullopt; }

unsigned running_on() { return os::current_cpu(); }

energy_meter::energy_meter(const std::string&) : why_not_{"Windows shows programs no energy counters"} {}

std::optional<double> energy_meter::joules() { return std::nullopt; }

}  // namespace synchro::platform
