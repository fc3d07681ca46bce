#include "platform/scheduling.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>

#include "platform/linux/files.hpp"
#include "platform/thread_watch.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

rlim_t limit_of(decltype(RLIMIT_NICE) what) {
  rlimit limit{};
  return getrlimit(what, &limit) == 0 ? limit.rlim_cur : 0;
}

/// The real-time priority granted; nothing, and errno, if none is.
std::optional<int> become_fifo() {
  const int highest = sched_get_priority_max(SCHED_FIFO);
  sched_param param{};
  param.sched_priority = highest;
  if (sched_setscheduler(0, SCHED_FIFO, &param) == 0) return highest;
  const int refusal = errno;
  param.sched_priority = static_cast<int>(std::min<rlim_t>(limit_of(RLIMIT_RTPRIO), static_cast<rlim_t>(highest)));
  if (param.sched_priority > 0 && sched_setscheduler(0, SCHED_FIFO, &param) == 0) return param.sched_priority;
  errno = refusal;
  return std::nullopt;
}

/// The nice value granted, if it is better than the present one.
std::optional<int> become_nice() {
  constexpr int best = -20;
  const int present = getpriority(PRIO_PROCESS, 0);
  const int permitted = 20 - static_cast<int>(std::min<rlim_t>(limit_of(RLIMIT_NICE), 40));
  for (const int value : {best, permitted})
    if (value < present && setpriority(PRIO_PROCESS, 0, value) == 0) return value;
  return std::nullopt;
}

constexpr const char* remedy =
    "allow it with \"ulimit -r 99\" as root, or with \"setcap cap_sys_nice+ep\" on the program";

priority_outcome raise_highest() {
  if (const auto priority = become_fifo()) {
    if (*priority == sched_get_priority_max(SCHED_FIFO)) return {fmt::format("fifo:{}", *priority), std::nullopt};
    return {fmt::format("fifo:{}", *priority),
            fmt::format("Threads run at real-time priority {}, the highest that is permitted here: {}.", *priority,
                        remedy)};
  }
  const std::string refusal = std::generic_category().message(errno);
  const auto value = become_nice();
  return {value ? fmt::format("nice:{}", *value) : "default",
          fmt::format("Threads run at {} priority, because the system refused a real-time priority ({}): {}.",
                      value ? fmt::format("nice {}", *value) : "the default", refusal, remedy)};
}

/// Lowers it by two steps, as a thread of the highest priority within its class has on systems with such steps.
priority_outcome raise_slightly() {
  constexpr int steps = 2;
  const int wanted = std::max(-20, getpriority(PRIO_PROCESS, 0) - steps);
  if (setpriority(PRIO_PROCESS, 0, wanted) == 0) return {fmt::format("nice:{}", wanted), std::nullopt};
  return {"default",
          fmt::format("Threads run at the default priority because the system refused nice {} ({}): allow it with "
                      "\"ulimit -e 40\" as root, or with \"setcap cap_sys_nice+ep\" on the program.",
                      wanted, std::generic_category().message(errno))};
}

}  // namespace

/// On Linux policy and nice value are the thread's own.
raised_priority::raised_priority(urgency how) {
  if (how == urgency::usual) return;
  sched_param param{};
  if (const int policy = sched_getscheduler(0); policy >= 0 && sched_getparam(0, &param) == 0)
    before_ = {this_thread_number(), policy, param.sched_priority, getpriority(PRIO_PROCESS, 0)};
  outcome_ = how == urgency::highest ? raise_highest() : raise_slightly();
}

raised_priority::~raised_priority() {
  if (!before_) return;
  sched_param param{};
  param.sched_priority = before_->priority;
  sched_setscheduler(static_cast<pid_t>(before_->thread), before_->policy, &param);
  setpriority(PRIO_PROCESS, static_cast<id_t>(before_->thread), before_->nice);
}

priority_outcome highest_priority_allowed() { return raised_priority{urgency::highest}.outcome(); }

scheduler_counters own_usage() {
  scheduler_counters c;
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) == 0) {
    c.involuntary_switches = static_cast<std::uint64_t>(usage.ru_nivcsw);
    c.voluntary_switches = static_cast<std::uint64_t>(usage.ru_nvcsw);
  }
  std::timespec t{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
    c.cpu_time_ns = static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
  return c;
}

double cpu_time_step_ns() { return 0; }

scheduler_counters thread_counters() {
  scheduler_counters c = own_usage();
  // "time on the processor, time waiting for it, time slices"
  if (const auto schedstat = linux_files::line("/", "proc/thread-self/schedstat"))
    if (const auto fields = linux_files::split(*schedstat); fields.size() >= 2)
      c.run_delay_ns = linux_files::to_number(fields[1]);
  return c;
}

std::optional<std::uint64_t> steal_ns(const std::vector<unsigned>& cpus, const std::string& root) {
  constexpr std::size_t steal_field = 8;  // cpuN user nice system idle iowait irq softirq steal
  const long ticks_a_second = sysconf(_SC_CLK_TCK);
  if (ticks_a_second <= 0) return std::nullopt;
  std::uint64_t ticks = 0;
  std::size_t found = 0;
  for (const std::string& text : linux_files::lines(root, "proc/stat")) {
    if (!text.starts_with("cpu")) continue;
    const auto fields = linux_files::split(text);
    const auto cpu = linux_files::to_number(fields[0].substr(3));  // the line of all together has none
    if (!cpu || std::find(cpus.begin(), cpus.end(), *cpu) == cpus.end() || fields.size() <= steal_field) continue;
    const auto steal = linux_files::to_number(fields[steal_field]);
    if (!steal) continue;
    ticks += *steal;
    ++found;
  }
  if (found != cpus.size()) return std::nullopt;
  return ticks * (1'000'000'000U / static_cast<std::uint64_t>(ticks_a_second));
}

unsigned running_on() { return os::current_cpu(); }

}  // namespace synchro::platform
