#include "experiments/framework/on_demand.hpp"
#include "experiments/locks/lock_table.hpp"

namespace synchro::experiments {

namespace {

const bool completed = (complete_locks(add_other_bodies), bodies_are_here = true);

}  // namespace

}  // namespace synchro::experiments
