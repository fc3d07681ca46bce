// CPU sets: each processor once more, with what the system does with it just now (Windows 10 and later).

#ifndef SYNCHRO_PLATFORM_WINDOWS_CPU_SETS_HPP
#define SYNCHRO_PLATFORM_WINDOWS_CPU_SETS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace synchro::platform::windows {

struct cpu_set {
  std::uint32_t id;
  bool parked;     ///< Nobody runs there, to save power, or for heat.
  bool allocated;  ///< To one process alone:
  bool to_us;      ///< to this one.

  [[nodiscard]] bool of_others() const { return allocated && !to_us; }
};

/// Sets by the processor's number. Records of another kind are skipped.
[[nodiscard]] std::map<unsigned, cpu_set> cpu_sets_of(std::span<const std::byte> records);
/// The sets of this system; none if it has no such sets.
[[nodiscard]] std::map<unsigned, cpu_set> cpu_sets();
/// How many of them this process has chosen for its threads, or another for it; 0: it takes what it gets.
[[nodiscard]] unsigned cpu_sets_chosen();

}  // namespace synchro::platform::windows

#endif
