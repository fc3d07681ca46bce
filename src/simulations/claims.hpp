// The paper's claims on models of its machines: the judges of the catalog on simulated cells, and proofs of what only
// those machines can show.

#ifndef SYNCHRO_SIMULATIONS_CLAIMS_HPP
#define SYNCHRO_SIMULATIONS_CLAIMS_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "claims/claim.hpp"
#include "simulations/prover.hpp"

namespace synchro::simulations {

enum class kind : std::uint8_t {
  identity,    ///< T: follows from the tables; exact, or as exact as the text rounds.
  prediction,  ///< P: within 30 %.
  rank,        ///< R: sign, rank or shape.
};

/// Of a claim that is `proved`: decided by numbers of named models.
struct proof {
  std::string_view id;
  std::string platform;
  kind what;
  std::function<claims::finding(prover&)> check;
};

struct score {
  std::string platform;
  char letter;  ///< T, P, R; J: by the catalog's judge; -: not at all.
  claims::finding found;
  bool given = false;  ///< Decided by the model's own prices: what comes out went in.
};

/// What the models say to a claim, by as many seeds as the prover takes. `surely`: only what is no chance of the seeds,
/// also where figures without intervals decide (settled.hpp); judges have intervals.
[[nodiscard]] score score_of(const claims::claim& c, prover& p, bool surely = false);

/// The simulated documents on which a claim is judged, by machine; none if it is not.
[[nodiscard]] std::vector<std::pair<std::string, results::document>> evidence_for(std::string_view id, prover& p);

}  // namespace synchro::simulations

#endif
