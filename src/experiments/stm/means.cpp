#include "experiments/stm/means.hpp"

#include <algorithm>
#include <stdexcept>

namespace synchro::experiments::transactions {

const std::vector<means>& all_means() {
  static const std::vector<means> all{
      {"stm", true},
      {"stm/back_off_retry", true},
      {"stm/greedy", false},
      {"stm/fair_commit", false},
      {"stm/wholly", false},
      {"stm/tas", false},
      {"stm/ticket", false},
      {"stm/mcs", false},
      {"stm/mutex", true},
      {"messages", true},
      {"messages/greedy", false},
      {"messages/fair_commit", false},
      {"messages/wholly", false},
      {"std/mutex", true},
      {"gcc/libitm", true, SYNCHRO_HAS_LIBITM},
  };
  return all;
}

const means& means_of(const std::string& name) {
  const auto it = std::find_if(all_means().begin(), all_means().end(), [&](const means& m) { return m.name == name; });
  if (it == all_means().end()) throw std::invalid_argument("there is no means '" + name + "'");
  return *it;
}

}  // namespace synchro::experiments::transactions
