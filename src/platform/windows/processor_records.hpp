// What GetLogicalProcessorInformationEx says of a machine, and the topology that this describes: apart from the call, so that
// machines can be described that are not here.

#ifndef SYNCHRO_PLATFORM_WINDOWS_PROCESSOR_RECORDS_HPP
#define SYNCHRO_PLATFORM_WINDOWS_PROCESSOR_RECORDS_HPP

#include <windows.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "platform/topology.hpp"

namespace synchro::platform::windows {

/// Processors have the number 64 * group + number in that group, whatever the groups' sizes.
inline constexpr unsigned group_size = 64;

/// One object of the machine, with its processors.
struct part {
  LOGICAL_PROCESSOR_RELATIONSHIP kind;
  std::set<unsigned> cpus;
  unsigned efficiency_class = 0;  // of a core; the highest is the fastest
  unsigned node = 0;              // of a NUMA node, its number
  CACHE_RELATIONSHIP cache = {};
};

/// `nodes` are the records of a second call, for nodes with all of their groups; they take the place of those that tell of
/// each node's primary group alone. Empty where a system does not know that call (before Windows 11 and Server 2022).
[[nodiscard]] std::vector<part> parts_of(std::span<const std::byte> records, std::span<const std::byte> nodes = {});

/// All processors that some core has.
[[nodiscard]] std::vector<unsigned> all_cpus(const std::vector<part>& parts);
/// The same where it is known how many each group has.
[[nodiscard]] std::vector<unsigned> numbers_of(const std::vector<unsigned>& processors_of_groups);

/// The processors that a process may use whose thread has this affinity. A thread that may use its whole group has made no
/// choice, and may be sent to any other group, though before Windows 11 it runs in its own until it is.
[[nodiscard]] std::vector<unsigned> usable_cpus(const std::vector<unsigned>& all, const GROUP_AFFINITY& of_thread);

/// What comes nearest to running on these processors: one group's, of the group in which the thread is if any of them are there.
[[nodiscard]] GROUP_AFFINITY affinity_in_one_group(const std::vector<unsigned>& cpus, unsigned present_group);

/// The number of a processor where groups are counted without gaps, as the registry does.
[[nodiscard]] unsigned dense_number(unsigned cpu, const std::vector<unsigned>& processors_of_groups);

/// Without its memory.
[[nodiscard]] topology described_by(const std::vector<part>& parts, const std::vector<unsigned>& cpus);

}  // namespace synchro::platform::windows

#endif
