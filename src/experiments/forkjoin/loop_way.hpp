// Ways of starting in which shares are taken as threads come: what parallel loops do. One that comes late does fewer of
// them, or none, so a share is not a thread's.

#ifndef SYNCHRO_EXPERIMENTS_FORKJOIN_LOOP_WAY_HPP
#define SYNCHRO_EXPERIMENTS_FORKJOIN_LOOP_WAY_HPP

#include <memory>
#include <string>
#include <vector>

#include "experiments/forkjoin/way.hpp"

namespace synchro::experiments::forkjoin {

/// "fork_join_pool", and "tbb/parallel_for" if this build has that library.
[[nodiscard]] const std::vector<std::string>& loop_ways();

/// One of those. Throws std::system_error if the system does not give the threads.
[[nodiscard]] std::unique_ptr<way> make_loop_way(const std::string& name, unsigned threads,
                                                 const std::vector<unsigned>& cpus);

}  // namespace synchro::experiments::forkjoin

#endif
