// The limits that control groups put on this process.

#ifndef SYNCHRO_PLATFORM_LINUX_CGROUP_HPP
#define SYNCHRO_PLATFORM_LINUX_CGROUP_HPP

#include <cstdint>
#include <optional>
#include <string>

namespace synchro::platform::linux_cgroup {

/// Processor time as a number of processors: the tightest limit of the group and those above it, in either version of
/// control groups. `known` is false if no group's file could be read; then nothing is known, else nothing means no limit.
struct quota {
  bool known = false;
  std::optional<double> cpus;
};
[[nodiscard]] quota cpu_quota(const std::string& root);

/// The processors that the group permits, as the kernel writes them; nothing if it does not tell.
[[nodiscard]] std::optional<std::string> cpuset(const std::string& root);

/// Bytes of memory that the group may take: the tightest limit of the group and those above it, in either version of control
/// groups (memory.max; memory.limit_in_bytes). Nothing if there is none, or none can be read.
[[nodiscard]] std::optional<std::uint64_t> memory_limit(const std::string& root);

}  // namespace synchro::platform::linux_cgroup

#endif
