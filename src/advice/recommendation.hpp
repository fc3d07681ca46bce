// A piece of advice, with all that it rests on.

#ifndef SYNCHRO_ADVICE_RECOMMENDATION_HPP
#define SYNCHRO_ADVICE_RECOMMENDATION_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "results/cell.hpp"

namespace synchro::advice {

/// How sure a recommendation is.
enum class confidence : std::uint8_t {
  high,    ///< Measured at such a place, and resolved.
  medium,  ///< Measured near such a place, or ahead by less than is resolved.
  low,     ///< Measured, but far from such a place or with uncertain figures.
  rule     ///< Not measured: what the literature or this documentation says.
};
/// No surer than the figures: low if that of the choice, the first, is uncertain, at most medium if another is.
[[nodiscard]] confidence no_surer_than(const std::vector<results::cell>& figures, confidence c);
/// "high", "medium", "low", "a rule".
[[nodiscard]] std::string to_string(confidence c);

struct recommendation {
  std::string topic;           ///< "lock", "waking", "group", "permits", "forking", "delegation", "sharding"
  std::string take;            ///< What to take: "mcs/park", "8 permits", "nothing".
  std::string because;         ///< Sentences: the figures, or that there are none and whose rule it is.
  std::string runner_up = {};  ///< The next best; empty if there is none.
  bool matters = true;         ///< False: no difference worth having was resolved.
  confidence sure = confidence::rule;
  std::string rule = {};  ///< Whose rule it follows, with the section; empty if it rests on figures alone.
  /// Of a lock: ", not distinguishable from clh and 2 more; with tas FIGURE" of those compared with it by its own figure.
  std::string beside = {};
  std::vector<results::cell> figures = {};  ///< The cells that it rests on, without their samples, the choice's first.
};

/// A cell as it is kept with the advice.
[[nodiscard]] results::cell without_samples(const results::cell& c);

}  // namespace synchro::advice

#endif
