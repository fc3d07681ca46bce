// The experiments on a real server, memcached, with its mutexes replaced by each lock.

#ifndef SYNCHRO_EXPERIMENTS_MEMCACHED_MEMCACHED_HPP
#define SYNCHRO_EXPERIMENTS_MEMCACHED_MEMCACHED_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

[[nodiscard]] experiment memcached_set();
[[nodiscard]] experiment memcached_get();

/// How their cells are shown; `request` is what the clients ask for, in words.
void present_memcached(experiment& e, const std::string& request);

namespace memcached {

/// The lock that excludes nobody.
inline constexpr const char* no_lock = "unsafe/none";

}  // namespace memcached
}  // namespace synchro::experiments

#endif
