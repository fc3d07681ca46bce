// An interval that is to hold more than the repetitions of a cell show.

#ifndef SYNCHRO_RESULTS_WIDENED_HPP
#define SYNCHRO_RESULTS_WIDENED_HPP

#include "results/cell.hpp"

namespace synchro::results {

/// The interval becomes so many times wider, down and up; the flag follows.
void widen(cell& c, double times);

}  // namespace synchro::results

#endif
