// Advice: from the results of a machine and a workload to what to take, with the figures it rests on.

#ifndef SYNCHRO_ADVICE_ADVISE_HPP
#define SYNCHRO_ADVICE_ADVISE_HPP

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "advice/recommendation.hpp"
#include "advice/workload.hpp"
#include "results/document.hpp"

namespace synchro::advice {

struct counsel {
  workload of;                         ///< With the number of threads that it was given for.
  std::int64_t processors = 0;         ///< The machine's.
  std::optional<std::string> doubt;    ///< Why the advice rests on no measurement, where no value is sure.
  std::vector<recommendation> advice;  ///< Lock, sharding, delegation, waking, group, permits, forking.
};

/// What the results say of such a workload, and rules where they say nothing. Throws std::runtime_error with one sentence
/// if the results do not say how many processors they are of.
[[nodiscard]] counsel advise(const results::document& d, workload w);

/// As docs/advise.md describes it.
[[nodiscard]] nlohmann::ordered_json to_json(const counsel& c, const results::document& of);

/// Paragraphs of at most `width` columns.
[[nodiscard]] std::string in_words(const counsel& c, std::size_t width);

}  // namespace synchro::advice

#endif
