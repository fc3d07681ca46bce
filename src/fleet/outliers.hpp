// Which of many alike values is unlike the others: how likely a distance from the middle is where nobody is ill.
//
// Middle and scale are the median and the median absolute deviation (Hampel 1974): up to half of the values may be wild. How fast
// the tails fall is not assumed to be as the normal distribution's: Student's distribution is taken whose quantiles stand in the
// same ratio as those of the values, with fewer degrees of freedom the less the scale is known.

#ifndef SYNCHRO_FLEET_OUTLIERS_HPP
#define SYNCHRO_FLEET_OUTLIERS_HPP

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace synchro::fleet {

/// With fewer values nobody is called unlike: the scale of so few is hardly known.
inline constexpr std::size_t fewest_alike = 8;

/// Logarithms of alike hosts' values are taken to differ by this at least: values within a percent are equal.
inline constexpr double least_spread = 0.01;

/// What the values of alike hosts come to.
struct peers {
  double middle = 0;
  double spread = least_spread;  ///< The median absolute deviation, as it is: not scaled to a standard deviation.
  /// The distance that four of five on that side stay within, which are nine of ten of all; 0 where the values are too few to say. It
  /// shows a side that reaches farther than the middle half lets expect: skewness, or a state in which more than a tenth are.
  double above = 0, below = 0;
  std::size_t count = 0;
};

/// Takes at least one value, all finite.
[[nodiscard]] peers peers_of(std::span<const double> values);

/// The share of the normal distribution's efficiency that the median absolute deviation has (Rousseeuw and Croux 1993).
inline constexpr double efficiency_of_spread = 0.37;
/// Tails lighter than these are not believed.
inline constexpr double lightest_tails = 30;

/// Values farther away than so many spreads are those in question: they do not say how far values are to be expected. Of Student's
/// distribution with 3 degrees of freedom 1 in 100 is farther.
inline constexpr double farthest_that_counts = 8;

/// The degrees of freedom of the Student's distribution whose 95 % quantile of absolute values is this many times their median. The
/// distances are in units of their peers' spreads, so half of them are below 1. The quantile is taken to be larger by the
/// surplus, a share of it. From 1 to `lightest_tails`, rounded to heavier tails.
[[nodiscard]] double freedom_of(std::vector<double> distances, double surplus = 0);

/// Student's distribution as far as it is asked about here.
struct tails {
  double freedom;
  double half;     ///< Half of the absolute values are below.
  double nine_10;  ///< Nine of ten values are below, those below the middle among them.
};
/// For so many values whose own tails have this many degrees of freedom. A scale that is uncertain makes tails heavier, as an
/// estimated standard deviation makes Student's distribution of a normal one: the reciprocals are added, as variances are.
[[nodiscard]] tails tails_for(double freedom, std::size_t count);

/// How likely a value so far from the middle, or farther, would be if the true one were at most `allowed` from it; either side.
[[nodiscard]] double p_value(double value, const peers& likes, const tails& fall, double allowed);

/// The value at which half of the weight is reached. Weights are positive.
[[nodiscard]] double weighted_median(std::vector<std::pair<double, double>> values_and_weights);

}  // namespace synchro::fleet

#endif
