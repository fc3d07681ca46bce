// By how many seeds a claim is judged: by as many as it takes until chance does not decide its verdict.
//
// The problem. A figure of a few seeds that lies near the end of what is claimed is on the other side of it by others.
//
// The rule. A claim is judged by six seeds, and again by twice as many until the verdict is the same two times one
// after the other and is resolved; after the most seeds it is not resolved. At each look a judge resolves what its
// interval does. Where figures have none, as many seeds are drawn with replacement a few hundred times (Efron's
// bootstrap, 1979), and a verdict is resolved if no more than one draw in a hundred says otherwise. No bound and no
// tolerance moves. What no repetition would resolve is not repeated.

#ifndef SYNCHRO_SIMULATIONS_SETTLED_HPP
#define SYNCHRO_SIMULATIONS_SETTLED_HPP

#include <array>
#include <functional>

#include "simulations/claims.hpp"

namespace synchro::simulations {

inline constexpr std::array looks{6U, 12U, 24U};

struct settled_score {
  score is;
  unsigned seeds;  ///< At the last look.
};

/// `judged`: what so many seeds say.
[[nodiscard]] settled_score settled(const std::function<score(unsigned seeds)>& judged);
[[nodiscard]] settled_score settled(const claims::claim& c, prover& p);

/// What a proof finds; not resolved if other draws from the prover's seeds find something else too often.
[[nodiscard]] claims::finding sure_finding(const std::function<claims::finding(prover&)>& check, prover& p);

}  // namespace synchro::simulations

#endif
