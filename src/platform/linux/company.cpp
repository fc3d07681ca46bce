#include "platform/company.hpp"

#include <unistd.h>

#include <algorithm>

#include "platform/linux/files.hpp"

namespace synchro::platform {

namespace {

using linux_files::to_number;

/// Ticks of a processor in which it neither idled nor waited for a disk; also those that a hypervisor gave to others.
double busy_ticks(const std::vector<unsigned>& cpus, const std::string& root) {
  constexpr std::size_t idle_field = 4, waiting_field = 5, last_field = 8;  // cpuN user nice system idle iowait irq ...
  double ticks = 0;
  for (const std::string& text : linux_files::lines(root, "proc/stat")) {
    if (!text.starts_with("cpu")) continue;
    const auto fields = linux_files::split(text);
    const auto cpu = to_number(fields[0].substr(3));  // the line of all together has none
    if (!cpu || std::find(cpus.begin(), cpus.end(), *cpu) == cpus.end()) continue;
    for (std::size_t i = 1; i < fields.size() && i <= last_field; ++i)
      if (i != idle_field && i != waiting_field) ticks += static_cast<double>(to_number(fields[i]).value_or(0));
  }
  return ticks;
}

/// "12 (name) R 1 ...": the name may hold blanks and brackets.
std::optional<used_time::program> program_in(const std::string& stat, double ticks_a_second) {
  constexpr std::size_t user_field = 11, system_field = 12;  // behind the name
  const std::size_t open = stat.find('('), close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  const auto fields = linux_files::split(stat.substr(close + 1));
  if (fields.size() <= system_field) return std::nullopt;
  const auto user = to_number(fields[user_field]), system = to_number(fields[system_field]);
  if (!user || !system) return std::nullopt;
  return used_time::program{stat.substr(open + 1, close - open - 1),
                            static_cast<double>(*user + *system) / ticks_a_second};
}

}  // namespace

std::optional<used_time> time_used_so_far(const std::vector<unsigned>& cpus, const std::string& root) {
  const auto ticks_a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  if (ticks_a_second <= 0 || !linux_files::line(root, "proc/stat")) return std::nullopt;
  used_time used;
  used.busy = busy_ticks(cpus, root) / ticks_a_second;
  for (const std::string& name : linux_files::names(root, "proc")) {
    const auto process = to_number(name);
    if (!process || static_cast<pid_t>(*process) == getpid()) continue;
    const auto stat = linux_files::line(root, "proc/" + name + "/stat");
    if (auto program = stat ? program_in(*stat, ticks_a_second) : std::nullopt)
      used.programs.emplace(static_cast<long>(*process), std::move(*program));
  }
  return used;
}

}  // namespace synchro::platform
