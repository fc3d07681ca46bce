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
  bound,       ///< B: beyond a bound of this project's to one side; the text has no number.
};

/// What a verdict comes from.
enum class origin : std::uint8_t {
  simulated,
  prices,           ///< The model's own prices: what comes out went in.
  fitted,           ///< A constant was chosen so that the model meets it.
  by_the_protocol,  ///< What threads do besides, as a pause that takes longer than the operation.
};

/// Of a claim that is `proved`: decided by numbers of named models.
struct proof {
  std::string_view id;
  std::string platform;
  kind what;
  std::string asked;  ///< Of what, with how many threads, by which bound.
  std::function<claims::finding(prover&)> check;
  origin from = origin::simulated;  ///< Unless nothing but prices is asked for.
};

struct score {
  std::string platform;
  char letter;  ///< T, P, R, B; J: by the catalog's judge; -: not at all.
  claims::finding found;
  std::string asked = "";
  origin from = origin::simulated;
  /// Cannot fail as long as the tables that went in are right.
  [[nodiscard]] bool given() const { return from == origin::prices || from == origin::fitted; }
};

/// The models that claims are put to.
[[nodiscard]] const std::vector<std::string>& machines_of_the_paper();

/// What the models say to a claim, by as many seeds as the prover takes. `surely`: only what is no chance of the seeds,
/// also where figures without intervals decide (settled.hpp); judges have intervals.
[[nodiscard]] score score_of(const claims::claim& c, prover& p, bool surely = false);

/// The simulated documents on which a claim is judged, by machine; none if it is not.
[[nodiscard]] std::vector<std::pair<std::string, results::document>> evidence_for(std::string_view id, prover& p);

}  // namespace synchro::simulations

#endif
