// Every quantitative claim of the paper whose machines are modelled, each with its score.

#ifndef SYNCHRO_SIMULATIONS_CLAIMS_HPP
#define SYNCHRO_SIMULATIONS_CLAIMS_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulations/prover.hpp"

namespace synchro::simulations {

enum class kind : std::uint8_t {
  identity,      ///< T: follows from the tables; exact, or as exact as the text rounds.
  prediction,    ///< P: within 30 %.
  rank,          ///< R: sign, rank or shape.
  out_of_scope,  ///< X: of something the simulator does not have.
  set_up,        ///< Describes an experiment, claims nothing.
};
[[nodiscard]] char letter(kind k);

enum class verdict : std::uint8_t { holds, fails, pending, out_of_scope, set_up };
[[nodiscard]] std::string to_string(verdict v);

struct score {
  verdict is;
  std::string found;  ///< What the simulation says, or why it says nothing.
};

struct claim {
  unsigned number;
  std::string section;
  std::string platform;
  std::string text;
  kind what;
  std::function<score(prover&)> check;
};

/// All, in the order of the paper.
[[nodiscard]] const std::vector<claim>& claims();

}  // namespace synchro::simulations

#endif
