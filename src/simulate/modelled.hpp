// Results for advice about a machine that is only a model: the few cells that the workload asks for are simulated.

#ifndef SYNCHRO_SIMULATE_MODELLED_HPP
#define SYNCHRO_SIMULATE_MODELLED_HPP

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "advice/workload.hpp"
#include "results/document.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulate {

/// Axis to values, as for `synchroscope simulate`.
using axes = std::map<std::string, std::vector<experiments::coordinate>>;

/// The facts of a model, without cells.
[[nodiscard]] results::document facts_of(const simulator::model& m);

/// The cells of an experiment on a model, six seeds each.
[[nodiscard]] std::vector<results::cell> simulated_cells(const simulations::model_ptr& m, const std::string& experiment,
                                                         const axes& chosen, std::uint64_t seed);

/// Locks at this very place and with more locks (or, if threads work too long for that, free ones), and the means of waking so many threads.
[[nodiscard]] results::document simulated_for(const advice::workload& w, const simulations::model_ptr& m,
                                              std::uint64_t seed = 1);

}  // namespace synchro::simulate

#endif
