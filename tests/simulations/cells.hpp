// Simulated cells, for the tests.

#ifndef SYNCHRO_TESTS_SIMULATIONS_CELLS_HPP
#define SYNCHRO_TESTS_SIMULATIONS_CELLS_HPP

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulations/simulations.hpp"

namespace synchro::tests {

using axes = std::map<std::string, std::vector<experiments::coordinate>>;

inline simulations::model_ptr model_of(const nlohmann::ordered_json& document) {
  return std::make_shared<const simulator::model>(document);
}
inline simulations::model_ptr built_in(const std::string& name) {
  return std::make_shared<const simulator::model>(simulator::load_model(name));
}

inline std::vector<results::cell> cells_of(const simulations::model_ptr& m, const std::string& experiment,
                                           const axes& chosen, std::uint64_t seed = 1) {
  experiments::setting s = simulations::setting_of(*m, experiments::level::quick, seed);
  s.chosen = chosen;
  for (const experiments::experiment& e : simulations::experiments_on(m))
    if (e.name == experiment) {
      const experiments::plan p = experiments::make_plan(s, {&e});
      return simulations::simulate(p, s, [](const experiments::planned_cell&) {});
    }
  return {};
}

}  // namespace synchro::tests

#endif
