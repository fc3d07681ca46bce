#include "experiments/atomics/atomics.hpp"
#include "experiments/coherence/coherence.hpp"
#include "experiments/forkjoin/forkjoin.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/locks/locks.hpp"
#include "experiments/overhead/overhead.hpp"
#include "experiments/throttle/throttle.hpp"
#include "experiments/wakes/wakes.hpp"

namespace synchro::experiments {

const std::vector<experiment>& all_experiments() {
  static const std::vector<experiment> all{
      coherence_local(),   coherence_states(), coherence_pairs(),   atomics_throughput(), locks_ticket(),
      locks_uncontested(), locks_throughput(), wake_broadcast(),    wake_groups(),        wake_idle(),
      overhead_calls(),    throttle_sum(),     forkjoin_timeline(), forkjoin_breakeven(), forkjoin_balance(),
  };
  return all;
}

}  // namespace synchro::experiments
