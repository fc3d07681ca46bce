// Where a process's memory lies.
//
// Which addresses a process gets from its heap follows from all that it has taken and given back before, and stays so while it
// runs. What is measured depends on it (by up to a third, for locks whose nodes are on the heap), so that repetitions in one
// process agree with each other and not with the next process. This is known as measurement bias (Mytkowicz et al., ASPLOS
// 2009); to draw the layout at random makes it a part of the scatter that repetitions show (Curtsinger and Berger,
// STABILIZER, ASPLOS 2013).

#ifndef SYNCHRO_MEASURE_LAYOUT_HPP
#define SYNCHRO_MEASURE_LAYOUT_HPP

#include <cstdint>

namespace synchro::measure {

/// Takes pieces of memory of random sizes and gives half of them back, so that what this process makes from now on lies
/// elsewhere. The other half, less than half a megabyte, stays taken.
void vary_layout(std::uint64_t seed);

}  // namespace synchro::measure

#endif
