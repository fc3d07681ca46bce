// How much memory a chain of loads goes through so that it finds its lines where it should.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_WORKING_SET_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_WORKING_SET_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "platform/topology.hpp"

namespace synchro::experiments::coherence {

struct working_set {
  std::uint64_t bytes;
  std::optional<std::string> unavailable;  ///< Why there is none, in one sentence.
};

/// Of "l1" and "l2": half of that cache. Of "llc": four times the second level, at least an eighth of the last and at
/// most half of it. Of "ram": four times the last level, 64 to 128 MiB.
[[nodiscard]] working_set working_set_of(const platform::topology& machine, const std::string& level);

}  // namespace synchro::experiments::coherence

#endif
