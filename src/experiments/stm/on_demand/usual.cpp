// The library's transactions as they are without any option. A unit of its own: what is compared with them has one, too, and in
// a large one a compiler inlines less (inline-unit-growth).

#include "experiments/stm/bank.hpp"
#include "experiments/stm/means.hpp"
#include "experiments/stm/memories.hpp"
#include "experiments/stm/set.hpp"

namespace synchro::experiments::transactions {

bodies stm_bodies() { return {play<bank<by_stm<stm, true>>>, play<set<by_stm<stm, true>>>}; }

}  // namespace synchro::experiments::transactions
