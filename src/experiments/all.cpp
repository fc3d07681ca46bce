#include "experiments/atomics/atomics.hpp"
#include "experiments/framework/experiment.hpp"
#if __has_include("experiments/coherence/coherence.hpp")
#include "experiments/coherence/coherence.hpp"
#define HAS_COHERENCE
#endif
#if __has_include("experiments/locks/locks.hpp")
#include "experiments/locks/locks.hpp"
#define HAS_LOCKS
#endif

namespace synchro::experiments {

const std::vector<experiment>& all_experiments() {
  static const std::vector<experiment> all{
#ifdef HAS_COHERENCE
      coherence_local(),    coherence_states(),  coherence_pairs(),
#endif
      atomics_throughput(),
#ifdef HAS_LOCKS
      locks_ticket(),       locks_uncontested(), locks_throughput(),
#endif
  };
  return all;
}

}  // namespace synchro::experiments
