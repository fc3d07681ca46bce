#include "platform/scheduling.hpp"

#include <fmt/format.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cpu/this_cpu.hpp"
#include "platform/system_clock.hpp"
#include "platform/thread_watch.hpp"
#include "platform/windows/raised_process.hpp"
#include "platform/windows/system.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

std::string own_class() {
  switch (GetPriorityClass(GetCurrentProcess())) {
    case REALTIME_PRIORITY_CLASS:
      return "realtime";
    case HIGH_PRIORITY_CLASS:
      return "high";
    case ABOVE_NORMAL_PRIORITY_CLASS:
      return "above_normal";
    case BELOW_NORMAL_PRIORITY_CLASS:
      return "below_normal";
    case IDLE_PRIORITY_CLASS:
      return "idle";
    default:
      return "normal";
  }
}

bool is_real_time() { return GetPriorityClass(GetCurrentProcess()) == REALTIME_PRIORITY_CLASS; }

priority_outcome raise_to(int priority, const char* name) {
  if (SetThreadPriority(GetCurrentThread(), priority) != 0) return {own_class() + ":" + name, std::nullopt};
  return {"default", fmt::format("Threads run at the default priority, because the system refused a higher one: {}.",
                                 windows::refusal())};
}

priority_outcome raise_highest() {
  priority_outcome o = raise_to(THREAD_PRIORITY_TIME_CRITICAL, "time_critical");
  if (!o.warning && !is_real_time())
    o.warning = fmt::format(
        "Threads run at priority {}, the highest within the class of their process: that class is not raised, because "
        "all other threads would be raised, too.",
        o.granted);
  return o;
}

}  // namespace

raised_priority::raised_priority(urgency how) {
  if (how == urgency::usual) return;
  before_ = {this_thread_number(), 0, GetThreadPriority(GetCurrentThread()), 0};
  outcome_ = how == urgency::highest ? raise_highest() : raise_to(THREAD_PRIORITY_HIGHEST, "highest");
}

raised_priority::~raised_priority() {
  if (!before_) return;
  HANDLE const thread = OpenThread(THREAD_SET_INFORMATION, FALSE, static_cast<DWORD>(before_->thread));
  if (thread == nullptr) return;
  SetThreadPriority(thread, before_->priority);
  CloseHandle(thread);
}

priority_outcome highest_priority_allowed() {
  const windows::raised_process process;
  return process.explained(raised_priority{urgency::highest}.outcome());
}

namespace windows {

/// A class that is not permitted is granted as a lower one without a word. Where there are several groups of processors, the
/// affinity of a process is that within one of them, which need not be the processor's.
raised_process::raised_process(std::optional<unsigned> cpu) : class_before_{GetPriorityClass(GetCurrentProcess())} {
  SetPriorityClass(GetCurrentProcess(), REALTIME_PRIORITY_CLASS);
  if (!cpu) return;
  DWORD_PTR own = 0, all = 0;
  if (GetActiveProcessorGroupCount() == 1 && GetProcessAffinityMask(GetCurrentProcess(), &own, &all) != 0 &&
      SetProcessAffinityMask(GetCurrentProcess(), DWORD_PTR{1} << *cpu) != 0)
    processors_before_ = own;
  else
    refused_ = cpu;
}

raised_process::~raised_process() {
  if (processors_before_ != 0) SetProcessAffinityMask(GetCurrentProcess(), processors_before_);
  SetPriorityClass(GetCurrentProcess(), class_before_);
}

priority_outcome raised_process::explained(priority_outcome of_thread) const {
  if (of_thread.granted != "default" && !is_real_time())
    of_thread.warning = fmt::format(
        "Threads run at priority {}, the highest that is permitted here: run as administrator.", of_thread.granted);
  if (refused_)
    of_thread.warning =
        of_thread.warning.value_or("") + (of_thread.warning ? " " : "") +
        fmt::format("Only the threads that are measured, not their process, are bound to processor {}.", *refused_);
  return of_thread;
}

}  // namespace windows

namespace {

/// The cycles that the calling thread has had; nothing where the system counts none, as Wine.
std::optional<std::uint64_t> own_cycles() {
  ULONG64 cycles = 0;
  return QueryThreadCycleTime(GetCurrentThread(), &cycles) != 0 && cycles != 0 ? std::optional{cycles} : std::nullopt;
}

/// Windows promises no rate. Only where the cycles are those of a time-stamp counter that the processor says is invariant
/// do they come at one: ARM's are cycles of the core, whose clock changes.
bool cycles_have_a_rate() {
  return std::string_view{this_cpu::counter_name} == "tsc" && this_cpu::counter_is_invariant() && own_cycles();
}

/// What a millisecond adds to them: the median of some, for in one this thread may be interrupted, which takes cycles away,
/// or between the two readings, which adds some.
std::optional<double> measured_cycles_per_ns() {
  if (!cycles_have_a_rate()) return std::nullopt;
  constexpr std::uint64_t long_enough = 1'000'000;
  std::array<double, 9> rates{};
  for (double& rate : rates) {
    const std::uint64_t began = system_clock_ns(), before = *own_cycles();
    std::uint64_t now = began;
    while (now - began < long_enough) now = system_clock_ns();
    rate = static_cast<double>(*own_cycles() - before) / static_cast<double>(now - began);
  }
  std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
  const double median = rates[rates.size() / 2];
  return median > 0 ? std::optional{median} : std::nullopt;
}

/// Found out once.
const std::optional<double>& cycles_per_ns() {
  static const std::optional<double> rate = measured_cycles_per_ns();
  return rate;
}

std::optional<std::uint64_t> ns_of_cycles() {
  const auto rate = cycles_per_ns();
  const auto cycles = rate ? own_cycles() : std::nullopt;
  return cycles ? std::optional{static_cast<std::uint64_t>(static_cast<double>(*cycles) / *rate)} : std::nullopt;
}

/// In steps of the system's clock: whoever runs when it ticks has run since the last tick.
std::optional<std::uint64_t> ns_of_ticks() {
  FILETIME created, ended, kernel, user;
  const auto units = [](const FILETIME& t) { return std::uint64_t{t.dwHighDateTime} << 32U | t.dwLowDateTime; };
  if (GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user) == 0) return std::nullopt;
  return (units(kernel) + units(user)) * 100;
}

}  // namespace

/// Windows counts a thread's switches, but tells them only of all threads at once, which is no reading between two stamps.
scheduler_counters own_usage() {
  scheduler_counters c;
  c.cpu_time_ns = cycles_per_ns() ? ns_of_cycles() : ns_of_ticks();
  return c;
}

double cpu_time_step_ns() { return cycles_per_ns() ? 0 : windows::clock_step_ns(); }

scheduler_counters thread_counters() { return own_usage(); }

std::optional<std::uint64_t> steal_ns(const std::vector<unsigned>&, const std::string&) { return std::nullopt; }

unsigned running_on() { return os::current_cpu(); }

energy_meter::energy_meter(const std::string&) : why_not_{"Windows shows programs no energy counters"} {}

std::optional<double> energy_meter::joules() { return std::nullopt; }

}  // namespace synchro::platform
