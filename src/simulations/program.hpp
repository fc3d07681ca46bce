// The experiment program.throughput: a recorded program on a model, with as many threads and with whatever lock is asked for.

#ifndef SYNCHRO_SIMULATIONS_PROGRAM_HPP
#define SYNCHRO_SIMULATIONS_PROGRAM_HPP

#include <memory>
#include <string>
#include <vector>

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

/// How far a model is from a machine, as a factor, up and down. It is one of scaling, for the ratios are to the fewest threads; that
/// the level with these is right has not been checked.
struct model_error {
  double times = 2;
  std::string from =
      "nine of ten ratios between numbers of threads in published curves of locks that nothing was fitted to";
};

/// From 1 / `error` to `error`, a step more with each repetition; 1 in the middle.
[[nodiscard]] double costs_in(unsigned repetition, unsigned repetitions, double error);

/// What the repetitions of a cell, or of two that are compared, come to.
struct spread {
  double least = 0, middle = 0, most = 0;
};
[[nodiscard]] spread spread_of(const std::vector<double>& repetitions);
/// How many times as much one has as the other. The middle is of repetitions of one seed; the ends are of any that are up to two
/// thirds of all steps apart. Models are wrong about one lock without being as wrong about another, and a ratio of two errors that
/// do not depend on each other is the square root of two times as wide as one of them: both ends are two thirds of twice its
/// width. Both must have as many.
[[nodiscard]] spread spread_between(const std::vector<double>& its, const std::vector<double>& own);

/// Seven seeds a cell. With each all that the model knows costs a step more, from 1 / `error` to `error` times what it says;
/// in those beyond the middle work takes longer, too, up to what it took with the time off the processors that was left out
/// of it. So the interval of a cell has both in it, as far as they reach this program.
[[nodiscard]] experiments::experiment program_throughput(const model_ptr& m,
                                                         std::shared_ptr<const profile::closed_system> system,
                                                         double error = model_error{}.times);

}  // namespace synchro::simulations

#endif
