// A machine model out of what was measured on a machine, and of a larger one made of several like it.

#ifndef SYNCHRO_SIMULATOR_FROM_RESULTS_HPP
#define SYNCHRO_SIMULATOR_FROM_RESULTS_HPP

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::simulator {

/// Takes the cells of single accesses and of loads by level, and the costs of waking if there are any. What was not
/// measured and can be replaced stands under "assumptions". Throws std::runtime_error with one sentence that names what is
/// missing.
///
/// Where a hypervisor moved the processors about, cells were measured in several modes: taken are those of `mode`, or
/// unless it is given those of the mode in which most were measured.
[[nodiscard]] nlohmann::ordered_json model_from_results(const results::document& d,
                                                        const std::optional<std::string>& mode = std::nullopt);

/// Whether such a cell sets a constant of the model that is made of its file: what the model says of it is no prediction.
[[nodiscard]] bool sets_a_constant(const results::cell& c);

/// `times` packages like those of the model. If it has one package only, how far apart packages are is not known: a
/// transfer between them is taken to cost `across` times that between the farthest processors of one.
[[nodiscard]] nlohmann::ordered_json stretched(nlohmann::ordered_json model, unsigned times, double across);

}  // namespace synchro::simulator

#endif
