// What a document of simulated cells says of where they are from.

#ifndef SYNCHRO_SIMULATE_ORIGIN_HPP
#define SYNCHRO_SIMULATE_ORIGIN_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/record.hpp"
#include "results/document.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulate {

/// Without cells. `request`: all that says what was asked for.
[[nodiscard]] results::document origin_of(const cli::recording& how, std::uint64_t seed, nlohmann::ordered_json request,
                                          const std::vector<simulations::model_ptr>& models);

/// A model in a request: its name, or the whole of one that is no part of the program, for its file may change.
[[nodiscard]] nlohmann::ordered_json kept(const simulator::model& m);

}  // namespace synchro::simulate

#endif
