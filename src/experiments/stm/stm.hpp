// The experiments on transactional memory.

#ifndef SYNCHRO_EXPERIMENTS_STM_STM_HPP
#define SYNCHRO_EXPERIMENTS_STM_STM_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

/// Transfers between accounts, and audits of all of them.
[[nodiscard]] experiment stm_bank();
/// A sorted list.
[[nodiscard]] experiment stm_list();
/// Many short sorted lists.
[[nodiscard]] experiment stm_hashtable();

// How their cells are shown.
void present_stm_bank(experiment& e);
void present_stm_list(experiment& e);
void present_stm_hashtable(experiment& e);

}  // namespace synchro::experiments

#endif
