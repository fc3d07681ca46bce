// What tells modes apart, for those who sort samples and those who compare files.

#ifndef SYNCHRO_RESULTS_MODES_HPP
#define SYNCHRO_RESULTS_MODES_HPP

namespace synchro::results {

/// Processors whose distances, as probed, differ by this factor or more are in different modes.
inline constexpr double modes_apart = 1.6;

}  // namespace synchro::results

#endif
