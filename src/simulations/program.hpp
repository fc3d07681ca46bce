// The experiment program.throughput: a recorded program on a model, with as many threads and with whatever lock is asked for.

#ifndef SYNCHRO_SIMULATIONS_PROGRAM_HPP
#define SYNCHRO_SIMULATIONS_PROGRAM_HPP

#include <memory>
#include <string>

#include "experiments/framework/experiment.hpp"
#include "profile/closed_system.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulations {

namespace program {

inline constexpr const char* name = "program.throughput";
inline constexpr const char* rate = "throughput";
inline constexpr const char* waiting = "waiting";          ///< The share of the threads' time, all locks together.
inline constexpr const char* waiting_for = "waiting_for";  ///< The same of locks of one name,
inline constexpr const char* of = "of";                    ///< which is this coordinate.

}  // namespace program

/// The model is off by up to so many times, both ways: allowed_error of against.hpp, which docs/simulation.md holds it to.
[[nodiscard]] double costs_in(unsigned repetition, unsigned repetitions);

/// Seven seeds a cell, in which all that the model knows costs from 1 / 1.3 to 1.3 times as much, a step more with each: so
/// the interval of a cell has the model's own error in it, as far as it reaches this program.
[[nodiscard]] experiments::experiment program_throughput(const model_ptr& m,
                                                         std::shared_ptr<const profile::closed_system> system);

}  // namespace synchro::simulations

#endif
