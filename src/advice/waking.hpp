// How to start threads, how many at a time, and from when on it is worth it.

#ifndef SYNCHRO_ADVICE_WAKING_HPP
#define SYNCHRO_ADVICE_WAKING_HPP

#include "advice/known.hpp"
#include "advice/recommendation.hpp"
#include "advice/workload.hpp"

namespace synchro::advice {

/// The means by which one thread starts all others earliest.
[[nodiscard]] recommendation waking_for(const workload& w, const known& k);
/// How many sleepers should share an object.
[[nodiscard]] recommendation group_for(const workload& w, const known& k);
/// How many threads to let run at a time.
[[nodiscard]] recommendation permits_for(const workload& w, const known& k);
/// The smallest job that is worth dividing.
[[nodiscard]] recommendation forking_for(const workload& w, const known& k);
/// Whether to have sections run by a combiner or a server, and not under a lock.
[[nodiscard]] recommendation delegation_for(const workload& w, const known& k);

}  // namespace synchro::advice

#endif
