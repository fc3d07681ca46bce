// The pause of the protocol `paused` (SSYNC 5.4, 6.1.2): longer than any transfer of a cache line between the processors
// involved, so that whoever let a line go does not find it still its own.

#ifndef SYNCHRO_MEASURE_PAUSE_HPP
#define SYNCHRO_MEASURE_PAUSE_HPP

#include <functional>
#include <optional>
#include <vector>

#include "platform/topology.hpp"

namespace synchro::measure {

/// Of a transfer that takes so long: half as much again, rounded up to 100, 200, 400, ... ns. So repetitions in one mode
/// mostly pause alike, and their figures are comparable.
[[nodiscard]] double pause_for(double transfer_ns);

/// The pause of a team on these processors (empty: pinned nowhere): by the longest transfer from its first processor, one
/// for each distance; a team of one pauses like a team of two neighbours. Probed anew at each call (a millisecond or two),
/// for a hypervisor may have moved the processors since. Where nothing can be probed, 400 ns: longer than a transfer on
/// any machine that was published.
using pair_probe = std::function<std::optional<double>(unsigned, unsigned)>;
[[nodiscard]] double find_pause(const platform::topology& machine, const std::vector<unsigned>& team,
                                const pair_probe& probe);
[[nodiscard]] double find_pause(const platform::topology& machine, const std::vector<unsigned>& team);

}  // namespace synchro::measure

#endif
