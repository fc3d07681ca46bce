// What the experiments on transactional memory compare, by name. The bodies are on demand (framework/on_demand.hpp).

#ifndef SYNCHRO_EXPERIMENTS_STM_MEANS_HPP
#define SYNCHRO_EXPERIMENTS_STM_MEANS_HPP

#include <algorithm>
#include <cstdint>
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

/// What the transactions of an experiment work on.
struct workload {
  body bodies::*by;
  unsigned (*buckets)(std::int64_t elements);  ///< Lists that so many keys are spread over.
};
inline constexpr workload accounts{&bodies::bank, [](std::int64_t) { return 0U; }};
inline constexpr workload one_list{&bodies::set, [](std::int64_t) { return 1U; }};
inline constexpr workload lists_of_eight{
    &bodies::set, [](std::int64_t keys) { return static_cast<unsigned>(std::max<std::int64_t>(1, keys / 8)); }};

/// What the means of this name, which is here, does.
inline on_demand<bodies(const std::string&)> bodies_of_means;

// ---- in the part

/// The library's, as they are without any option.
[[nodiscard]] bodies stm_bodies();
/// GCC's own transactions; nothing without a compiler that has them.
[[nodiscard]] std::optional<bodies> libitm_bodies();

}  // namespace synchro::experiments::transactions

namespace synchro::experiments {

/// What a cell asks for.
[[nodiscard]] transactions::task stm_task_of(const setting& s, const coordinates& at, std::uint64_t seed,
                                             const transactions::workload& on);

/// What an outcome says that took so long.
[[nodiscard]] repetition record_stm(const transactions::outcome& o, double duration_ns);

}  // namespace synchro::experiments

#endif
