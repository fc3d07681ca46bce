#include "platform/company.hpp"

#include <windows.h>

#include <cstdint>

namespace synchro::platform {

namespace {

double seconds_of(const FILETIME& t) {
  constexpr double second = 1e7;  // in units of 100 ns
  return static_cast<double>(std::uint64_t{t.dwHighDateTime} << 32U | t.dwLowDateTime) / second;
}

}  // namespace

/// Counts all processors together, whichever are asked for: the system counts no more without rights. Where there are several groups
/// it counts that of the calling thread, which may change.
std::optional<used_time> time_used_so_far(const std::vector<unsigned>&, const std::string&) {
  FILETIME idle{}, kernel{}, user{};  // that of the kernel holds the idle time
  if (GetActiveProcessorGroupCount() > 1 || GetSystemTimes(&idle, &kernel, &user) == 0) return std::nullopt;
  return used_time{seconds_of(kernel) - seconds_of(idle) + seconds_of(user), {}};
}

}  // namespace synchro::platform
