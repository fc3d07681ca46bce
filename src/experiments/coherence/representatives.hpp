// A sample of processors for matrices that would be too large with all of them.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_REPRESENTATIVES_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_REPRESENTATIVES_HPP

#include <cstddef>
#include <vector>

#include "platform/topology.hpp"

namespace synchro::experiments::coherence {

/// At most `most` processors in topology order: all if there are no more; else a pair at every distance that occurs, and
/// the rest evenly over the machine.
[[nodiscard]] std::vector<unsigned> representatives(const platform::topology& machine, std::size_t most);

}  // namespace synchro::experiments::coherence

#endif
