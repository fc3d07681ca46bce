#include "platform/system_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "cpu/this_cpu.hpp"
#include "platform/linux/files.hpp"

namespace synchro::platform {

namespace {

bool has_word(const std::string& words, const std::string& word) {
  const auto all = linux_files::split(words);
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// The kernel's names of the clock that is the processor's counter. kvm-clock and the Hyper-V page are the counter
/// with a scale applied by the hypervisor, which says nothing against the counter itself.
bool is_the_counter(const std::string& clocksource) {
  return clocksource == "tsc" || clocksource == "arch_sys_counter";
}

}  // namespace

const char* system_clock_name() noexcept { return "CLOCK_MONOTONIC_RAW"; }

std::uint64_t system_clock_ns() noexcept {
  std::timespec t{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
}

counter_opinion opinion_on_counter(const std::string& root) {
  counter_opinion opinion;
  if (const auto flags = linux_files::cpuinfo_field(root, "flags"))
    opinion.steady = has_word(*flags, "constant_tsc") && has_word(*flags, "nonstop_tsc");
  const std::string folder = "sys/devices/system/clocksource/clocksource0/";
  const auto current = linux_files::line(root, folder + "current_clocksource");
  const auto available = linux_files::line(root, folder + "available_clocksource");
  if (!current || !available) return opinion;
  opinion.keeps_time = is_the_counter(*current);
  const auto usable = linux_files::split(*available);
  // A counter that the kernel's watchdog found unsteady is no longer offered.
  if (!opinion.keeps_time && std::none_of(usable.begin(), usable.end(), is_the_counter))
    opinion.reject = fmt::format("the kernel keeps time by {} and does not offer the counter (clocksources: {})",
                                 *current, *available);
  return opinion;
}

}  // namespace synchro::platform
