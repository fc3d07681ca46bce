// A race: several contestants, measured in rounds, and a rule that drops those that are clearly behind while it runs.
//
// The problem. A person who looks at a comparison after every round, and stops when it happens to look clear, is wrong far more often
// than the test he uses says; and of many contestants one looks behind by chance.
//
// The rule. Contestants are compared in pairs, by the differences of the rounds that both ran: what a round has in common (a
// busy machine, a slow drift) cancels. The mean difference has an interval that may be looked at after every round, for it
// holds at all of them at once: anytime_mean(). A contestant is dropped as soon as its interval against another that is still
// in lies wholly on the worse side. Each pair is allowed to miss with a chance of `miss` over the number of the others, so
// that the best one is dropped with a chance of `miss` at most, however many rounds and contestants there are.
//
// The control. The yardstick runs twice in each round. What it differs by from itself is noise: every interval is wider by
// that at both ends, and no difference is taken to scatter less than the control's. Both make the rule more careful.
//
// What is assumed: rounds are independent, and differences have a normal distribution. Rare large values widen the intervals;
// tests/statistics/race_test.cpp tries normal, skewed and contaminated ones.

#ifndef SYNCHRO_STATISTICS_RACE_HPP
#define SYNCHRO_STATISTICS_RACE_HPP

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace synchro::statistics {

/// A mean, and how far the true one may lie from it, either way.
struct bounded_mean {
  double value = 0;
  double reach = std::numeric_limits<double>::infinity();
  std::size_t n = 0;

  [[nodiscard]] bool above_zero() const { return value - reach > 0; }
  [[nodiscard]] bool below_zero() const { return value + reach < 0; }
};

/// The mean of values that grow in number, with an interval for every moment: the chance that the true mean is ever outside
/// is `miss` at most. It is all means whose mixture of likelihood ratios stays below 1 / miss: a martingale, scale-invariant,
/// over effects of a normal distribution (Robbins 1970; Lai 1976; Wang and Ramdas 2025, "Anytime-valid t-tests"). The
/// standard deviation counts as `least_scatter` at least. Unbounded while there are too few values.
[[nodiscard]] bounded_mean anytime_mean(std::span<const double> values, double miss, double least_scatter = 0);

/// What each contestant came to in a round, as a logarithm, less is better; nothing if it did not run.
using round_of_race = std::vector<std::optional<double>>;

class race {
 public:
  /// Contestant number 0 is the yardstick. Throws std::invalid_argument if there are none.
  explicit race(std::size_t contestants, double miss = 0.05);

  /// Takes a round, with the yardstick's second run as the control, and drops who is clearly behind. Throws
  /// std::invalid_argument unless it has a value for the yardstick and a place for each.
  void add(const round_of_race& round, double control);
  /// Out, for another reason than its values. It is compared with nobody any more.
  void disqualify(std::size_t i);

  /// Neither dropped nor disqualified.
  [[nodiscard]] bool in(std::size_t i) const { return !disqualified_[i] && !beaten_[i]; }
  /// Whether the next round needs it: the yardstick runs even when it is beaten.
  [[nodiscard]] bool runs(std::size_t i) const { return in(i) || i == 0; }
  /// One is left at most: nothing more is to be found out.
  [[nodiscard]] bool over() const;
  [[nodiscard]] std::size_t rounds() const { return rounds_.size(); }

  struct defeat {
    std::size_t round, by;  ///< After this round, counted from 1; behind this one.
  };
  [[nodiscard]] const std::optional<defeat>& beaten(std::size_t i) const { return beaten_[i]; }

  /// How far a's logarithm is above b's, the noise included: below zero is a better than b.
  [[nodiscard]] bounded_mean difference(std::size_t a, std::size_t b) const;
  /// The second runs of the yardstick against its first.
  [[nodiscard]] bounded_mean control() const;

 private:
  [[nodiscard]] std::vector<double> differences(std::size_t a, std::size_t b) const;
  void drop_those_behind();

  std::size_t contestants_;
  double miss_;  ///< One comparison's.
  std::vector<round_of_race> rounds_;
  std::vector<double> controls_;
  std::vector<std::optional<defeat>> beaten_;
  std::vector<bool> disqualified_;
};

}  // namespace synchro::statistics

#endif
