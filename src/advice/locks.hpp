// Which lock, and how many.

#ifndef SYNCHRO_ADVICE_LOCKS_HPP
#define SYNCHRO_ADVICE_LOCKS_HPP

#include <string>

#include "advice/place.hpp"
#include "advice/recommendation.hpp"
#include "synchro/traits.hpp"

namespace synchro::advice {

/// What a lock of this program says of itself; null if there is none of that name.
[[nodiscard]] const lock_description* facts_of(const std::string& lock);

/// Whether the workload allows it: its waiters sleep if they have to, and none waits without bound if it has to be fair.
[[nodiscard]] bool admits(const workload& w, const std::string& lock);

/// It was seen: no lock that passes it on sooner, and no further one, saves more than that.
[[nodiscard]] bool is_hardly_waited_for(const workload& w);
/// "wanted by 0.02 threads at a time", or what was seen of that.
[[nodiscard]] std::string how_seldom(const workload& w);

/// Among the locks compared at the nearest place, the one that loses least against the best at the four nearest
/// places, nearer ones weighing more.
[[nodiscard]] recommendation lock_for(const workload& w, const known& k);

/// Whether to divide the data under more locks.
[[nodiscard]] recommendation sharding_for(const workload& w, const known& k);

}  // namespace synchro::advice

#endif
