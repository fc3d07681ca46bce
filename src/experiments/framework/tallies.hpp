// What the threads of a team counted, each for itself.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_TALLIES_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_TALLIES_HPP

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace synchro::experiments {

/// Of a Tally for each thread, which has `begin` and `end` in ticks.
template <class Tally>
struct tallies {
  std::vector<Tally> threads;

  [[nodiscard]] std::uint64_t sum(std::uint64_t Tally::*what) const {
    std::uint64_t all = 0;
    for (const Tally& t : threads) all += t.*what;
    return all;
  }
  /// From the first start to the last end, in ticks.
  [[nodiscard]] std::uint64_t duration() const {
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), end = 0;
    for (const Tally& t : threads) begin = std::min(begin, t.begin), end = std::max(end, t.end);
    return end - begin;
  }
};

}  // namespace synchro::experiments

#endif
