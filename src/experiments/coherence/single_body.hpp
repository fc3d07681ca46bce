// The bodies for what needs no line: single instructions, and the empty region.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_SINGLE_BODY_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_SINGLE_BODY_HPP

#include <cstddef>
#include <cstdint>

#include "measure/laboratory.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments::coherence {

using measure::batches;
using measure::empty_region;
using measure::usual_empty_region;

/// Ten times `tens` in a row between two stamps.
template <measure::laboratory L, class Instruction>
[[nodiscard]] batches instruction_trial(unsigned processor, unsigned batch_count, std::size_t tens, Instruction one) {
  batches result;
  result.team = L::team({processor}, 1, [&](unsigned) {
    const double empty_ns = usual_empty_region<L>();
    for (unsigned batch = 0; batch < batch_count; ++batch) {
      const std::uint64_t start = L::now();
      for (std::size_t i = 0; i < tens; ++i) one(), one(), one(), one(), one(), one(), one(), one(), one(), one();
      const std::uint64_t stop = L::now();
      result.add(L::to_ns(stop - start), empty_ns, 10 * tens);
    }
  });
  return result;
}

/// The mean of a thousand empty regions, nothing subtracted.
template <measure::laboratory L>
[[nodiscard]] batches empty_trial(unsigned processor, unsigned batch_count) {
  constexpr std::size_t pairs = 1000;
  batches result;
  result.team = L::team({processor}, 1, [&](unsigned) {
    for (unsigned batch = 0; batch < batch_count; ++batch)
      result.add(empty_region<L>(pairs) * static_cast<double>(pairs), 0, pairs);
  });
  return result;
}

}  // namespace synchro::experiments::coherence

#endif
