// Locks on two of the paper's machines as another program measured them, beside what the models say. No constant of a
// model was set from these curves (claims/held_out.hpp).

#ifndef SYNCHRO_SIMULATIONS_LOCK_CURVES_HPP
#define SYNCHRO_SIMULATIONS_LOCK_CURVES_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "simulations/simulations.hpp"

namespace synchro::simulations {

/// All threads want one lock.
struct lock_point {
  std::string machine;
  std::string lock;
  unsigned threads;
  double measured;  ///< Acquisitions a second; of what a critical section does is not known enough to trust the level.
  double predicted = 0;
};

/// As published, those with a processor for each thread; nothing is predicted.
[[nodiscard]] const std::vector<lock_point>& published_curves();

/// By the models as they are, or changed.
[[nodiscard]] std::vector<lock_point> predicted_curves(std::uint64_t seed, const change& changed = {});

/// A measured ratio, and the same of what was predicted: of two locks with so many threads, or of a lock with more
/// threads and with the fewest.
struct lock_ratio {
  std::string what;
  double measured, predicted;
};
[[nodiscard]] std::vector<lock_ratio> between_locks(const std::vector<lock_point>& all);
[[nodiscard]] std::vector<lock_ratio> between_threads(const std::vector<lock_point>& all);

/// Measured ratios beyond this are a rank.
inline constexpr double differs = 1.2;

struct rank_score {
  std::size_t right = 0, all = 0;
};
/// Of those that differ, how many the prediction puts in the same order.
[[nodiscard]] rank_score ranked(const std::vector<lock_ratio>& ratios);
/// The median of how far a predicted ratio is from the measured one, as a part of it.
[[nodiscard]] double median_error_of(const std::vector<lock_ratio>& ratios);

/// Predicted over measured, in order.
[[nodiscard]] std::vector<double> levels_of(const std::vector<lock_point>& all);

/// A table of the points, and what they score.
[[nodiscard]] std::string lock_curves_in_words(const std::vector<lock_point>& all);

}  // namespace synchro::simulations

#endif
