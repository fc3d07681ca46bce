// What each assumed constant does by itself: the models with it alone at an end of its range, in all models that have it at
// once, and what becomes of claims there.

#ifndef SYNCHRO_SIMULATIONS_SENSITIVITY_HPP
#define SYNCHRO_SIMULATIONS_SENSITIVITY_HPP

#include <map>
#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "simulations/claims.hpp"

namespace synchro::simulations {

/// A claim with what the models say to it as they are.
struct said {
  const claims::claim& about;
  score nominal;
};

struct effect {
  std::string constant;
  bool most;                                     ///< Which end.
  std::vector<std::string> lost, gained, other;  ///< Claims that hold no more, that hold now, that changed else.
  std::vector<claims::deviation> off_as_it_is, off_now;  ///< Of the claims that have both.
};

/// The assumed constants of these models that have a range, by their places, each with the models that have it and its range
/// there: "opteron 3 (1 to 6)".
[[nodiscard]] std::map<std::string, std::vector<std::string>> constants_with_a_range(
    const std::vector<std::string>& machines);

[[nodiscard]] effect effect_of(const std::string& constant, bool most, const std::vector<said>& of, std::uint64_t seed);

/// A row of a table, and its head.
[[nodiscard]] std::string in_words(const effect& e, const std::vector<std::string>& machines);
[[nodiscard]] std::string head_of_effects();

}  // namespace synchro::simulations

#endif
