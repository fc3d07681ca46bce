// Two contestants that were chosen by looking at all of them.
//
// The problem. Of 20 that do not differ, the one that happens to look least and the one that happens to look most lie far
// apart. Whoever picks these two and compares them as if they had been named beforehand finds a difference far too often.
//
// The rule. To choose two of k by looking is to have compared all k(k-1)/2 pairs, and each may be wrong with that share of the
// chance only (Bonferroni's bound; Dunn 1961). It holds whatever pairs have in common.
//
// The interval. That of the median ratio by order statistics assumes nothing, but reaches a chance of 2^(1-n) at best with n
// repetitions. Where that is not small enough, it is that of the mean of the ratios' logarithms by Student's t (1908): of two
// that do not differ, they are symmetric about 0. The number of repetitions decides which it is, and nothing else; it is never
// narrower than the usual one of the median.

#ifndef SYNCHRO_STATISTICS_LOOK_HPP
#define SYNCHRO_STATISTICS_LOOK_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace synchro::statistics {

/// How many pairs there are among k.
[[nodiscard]] constexpr double pairs_among(std::size_t k) {
  return k < 2 ? 1 : static_cast<double>(k) * static_cast<double>(k - 1) / 2;
}

/// The fewest contestants that have so many pairs: as such a contest each of several is judged of which all is told, with the
/// pairs of all of them.
[[nodiscard]] std::size_t fewest_with_pairs(double pairs);

/// How likely a mean logarithm of ratios as far from 0 as theirs, either way, would be if the true one were 0. 1 below two
/// ratios. Throws std::invalid_argument unless all are positive and finite.
[[nodiscard]] double ratio_p_value(std::span<const double> ratios);

/// The interval of the ratio of two of k contestants, from their ratios repetition by repetition: the chance that that of any
/// two of k misses their true ratio is `miss` at most. Nothing where there are too few for the usual interval of the median.
/// Throws std::invalid_argument unless all are positive and finite.
[[nodiscard]] std::optional<std::pair<double, double>> interval_among(std::span<const double> ratios, std::size_t k,
                                                                      double miss = 0.05);

/// Whether it excludes 1: whoever chose these two by looking at all may tell them apart.
[[nodiscard]] bool resolved_among(std::span<const double> ratios, std::size_t k, double miss = 0.05);

}  // namespace synchro::statistics

#endif
