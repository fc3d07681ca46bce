// The body of coherence.local and of the event load_from_mem_size: dependent loads all over a working set.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_LOCAL_BODY_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_LOCAL_BODY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

#include "experiments/coherence/access.hpp"
#include "experiments/coherence/lines.hpp"
#include "measure/laboratory.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments::coherence {

using measure::batches;
using measure::usual_empty_region;

/// Links the lines on the measured processor, so that they are touched first where they are read, visits each once,
/// then times `batch_count` batches of loads along the links.
template <measure::laboratory L>
[[nodiscard]] batches chase_trial(std::span<line<typename L::machine>> lines, unsigned processor, unsigned batch_count,
                                  std::uint64_t seed) {
  constexpr std::size_t loads = 4096;
  batches result;
  result.team = L::team({processor}, 1, [&](unsigned) {
    std::mt19937_64 random{seed};
    const std::size_t first = link(lines, random).front();
    const double empty_ns = usual_empty_region<L>();
    line<typename L::machine>* at = chase(&lines[first], std::max(lines.size(), 4 * loads));
    for (unsigned batch = 0; batch < batch_count; ++batch) {
      const std::uint64_t start = L::now();
      at = chase(at, loads);
      const std::uint64_t stop = L::now();
      result.add(L::to_ns(stop - start), empty_ns, loads);
      // Uses the last load's value, which also keeps the compiler from dropping the loads.
      if (at == nullptr) ++result.unexpected;
    }
  });
  return result;
}

}  // namespace synchro::experiments::coherence

#endif
