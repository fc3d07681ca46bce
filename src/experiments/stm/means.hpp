// What the experiments on transactional memory compare, by name. The bodies are on demand (framework/on_demand.hpp).

#ifndef SYNCHRO_EXPERIMENTS_STM_MEANS_HPP
#define SYNCHRO_EXPERIMENTS_STM_MEANS_HPP

#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/on_demand.hpp"
#include "experiments/stm/team.hpp"

namespace synchro::experiments::transactions {

struct means {
  std::string name;
  bool is_quick;        ///< Measured at the quick level, too.
  bool is_here = true;  ///< False: this build does not have it.
};

[[nodiscard]] const std::vector<means>& all_means();
/// Throws std::invalid_argument for a name that is none.
[[nodiscard]] const means& means_of(const std::string& name);

using body = outcome (*)(const task&);
struct bodies {
  body bank;
  body set;
};

/// What the means of this name, which is here, does.
inline on_demand<bodies(const std::string&)> bodies_of_means;

// ---- in the part

/// The library's, as they are without any option.
[[nodiscard]] bodies stm_bodies();
/// GCC's own transactions; nothing without a compiler that has them.
[[nodiscard]] std::optional<bodies> libitm_bodies();

}  // namespace synchro::experiments::transactions

namespace synchro::experiments {

/// What an outcome says.
[[nodiscard]] repetition record_stm(const transactions::outcome& o);

}  // namespace synchro::experiments

#endif
