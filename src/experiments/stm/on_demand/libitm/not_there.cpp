// A compiler without -fgnu-tm.

#include "experiments/stm/means.hpp"

namespace synchro::experiments::transactions {

std::optional<bodies> libitm_bodies() { return std::nullopt; }

}  // namespace synchro::experiments::transactions
