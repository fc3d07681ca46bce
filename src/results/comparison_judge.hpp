// What a comparison resolves: a test for each cell, what runs of one program differ by, and a level for all cells together.
//
// A run is one sample of what the program does. Memory lies elsewhere in the next one, the processors are others, and some
// cells come out 10 or 100 % apart while they are steady inside each run. How this is dealt with depends on what there is:
//
// * One run of each side. Repetitions are the sample, and what the runs differ by is a limit and no error with a
//   distribution: one pair of runs cannot show the distribution. A difference is resolved where it is larger than the limit,
//   by the repetitions' scatter. The limit is found from cells of the same kind where there are enough of them, and is
//   assumed where there are not.
// * Several runs of each side. The run is the sample. Its few values are helped by those of other cells of the same kind.
//
// A kind is an experiment, a metric, and whether one processor took part or several.

#ifndef SYNCHRO_RESULTS_COMPARISON_JUDGE_HPP
#define SYNCHRO_RESULTS_COMPARISON_JUDGE_HPP

#include "results/comparison.hpp"

namespace synchro::results {

/// Fills in what is resolved of every cell, and the confidence. The cells' samples are what `c.of` says.
void judge(comparison& c);

}  // namespace synchro::results

#endif
