// What the experiments on transactional memory compare, by name.

#ifndef SYNCHRO_EXPERIMENTS_STM_MEANS_HPP
#define SYNCHRO_EXPERIMENTS_STM_MEANS_HPP

#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/stm/team.hpp"

namespace synchro::experiments::transactions {

using body = outcome (*)(const task&);
struct bodies {
  body bank;
  body set;
};

struct means {
  std::string name;
  bool is_quick;              ///< Measured at the quick level, too.
  std::optional<bodies> run;  ///< Nothing: this build does not have it.
};

[[nodiscard]] const std::vector<means>& all_means();
/// Throws std::invalid_argument for a name that is none.
[[nodiscard]] const means& means_of(const std::string& name);

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
