// The statistics of the house. The repetition is the unit: samples inside one are correlated.

#ifndef SYNCHRO_STATISTICS_STATISTICS_HPP
#define SYNCHRO_STATISTICS_STATISTICS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace synchro::results {

/// Processors whose distances, as probed, differ by this factor or more are in different modes.
inline constexpr double modes_apart = 1.6;

/// Median; the mean of the middle two for an even count. Throws std::invalid_argument if empty or not finite.
[[nodiscard]] double median(std::span<const double> values);

/// Median of values that are known in steps, each in truth anywhere within half a step of what is told: that of grouped data,
/// interpolated within the step. With steps of 0 the median. Throws as `median` does.
[[nodiscard]] double median_in_steps(std::span<const double> values, double step);

/// The exact interval of the median by order statistics (sign test) whose coverage is at least `confidence`; nothing if
/// there are too few values for it (below 6 for 95 %).
[[nodiscard]] std::optional<std::pair<double, double>> median_interval(std::span<const double> values,
                                                                       double confidence = 0.95);

/// How many locks are held in the mean if n threads always want one of k: the machine-repairman's bound.
[[nodiscard]] constexpr double busy_locks(double locks, double threads) {
  return locks * threads / (locks + threads - 1);
}

/// The same if each thread first does without a lock for as long as so many holds last, in the mean.
[[nodiscard]] constexpr double busy_locks(double locks, double threads, double between) {
  double busy = 0, at_locks = 0;
  for (double n = 1; n <= threads; ++n) {
    const double stay = 1 + at_locks / locks;
    busy = n / (between + stay);
    at_locks = busy * stay;
  }
  return busy;
}

/// From so many repetitions on the median has an interval of 95 %.
inline constexpr unsigned fewest_for_an_interval = 6;

/// Quantile by linear interpolation of the order statistics; nothing where n(1-q) < 10 (q > 0.5) or n q < 10 (q < 0.5).
[[nodiscard]] std::optional<double> quantile(std::span<const double> values, double q);

/// Ratio a/b of paired repetitions: median and interval.
struct ratio {
  double value;
  std::optional<std::pair<double, double>> ci;
  std::size_t n;
  /// The interval excludes 1.
  [[nodiscard]] bool resolved() const;
};
[[nodiscard]] ratio paired_ratio(std::span<const double> a, std::span<const double> b);

/// How far the values of one sample are above those of another, as far as it is known.
struct shift {
  double value;
  double error;    ///< Standard error of `value`.
  double freedom;  ///< Degrees of freedom of `error`.

  /// How likely a shift as large as this, either way, would be if the true one were at most `allowed`.
  [[nodiscard]] double p_value(double allowed = 0) const;
  /// Wider by `allowed` at either end.
  [[nodiscard]] std::pair<double, double> interval(double confidence, double allowed = 0) const;
};
/// From the trimmed means (a fifth of the values left out at each end) of two independent samples that may differ in
/// scatter (Yuen's and Welch's test). Nothing below four values.
[[nodiscard]] std::optional<shift> shift_between(std::span<const double> a, std::span<const double> b);

/// What is known of the scatter in two samples that are equally noisy: the squared distances from their means, summed,
/// and the degrees of freedom, by which that is divided to give a variance.
struct scatter {
  double squares = 0;
  double freedom = 0;
};
[[nodiscard]] scatter scatter_within(std::span<const double> a, std::span<const double> b);

/// From the means of two samples that are too small to show their scatter (after Smyth 2004, moderated t). Their variance is
/// the mean of their own and of the usual one, which many samples of the same kind show; so three values that happen to
/// be equal are no proof of a scatter of 0. It is known by 2 degrees of freedom more: few, for what the others of its kind
/// show is partly the same accident. Without a usual variance it is their own (Student's test). Nothing below two values
/// each, nor where all that is known is a scatter of 0.
[[nodiscard]] std::optional<shift> moderated_shift(std::span<const double> a, std::span<const double> b,
                                                   std::optional<double> usual_variance);

/// P(|T| >= t) of Student's distribution.
[[nodiscard]] double student_beyond(double t, double freedom);
/// The t that student_beyond() gives this probability for.
[[nodiscard]] double student_limit(double probability, double freedom);

/// Benjamini and Hochberg: of these p-values, those up to the returned one may be called resolved; of what is called so,
/// a share of `level` is false on average, and where nothing differs the chance of any is `level`. If none can be
/// called so, it is the limit for the first.
[[nodiscard]] double false_discovery_limit(std::vector<double> p_values, double level);

/// Jain's index of an allocation: 1 is equal shares, 1/n is everything to one.
[[nodiscard]] double jain_index(std::span<const double> shares);

/// Log-linear histogram of durations: 32 buckets for each power of two (3 % wide), constant size, no allocation when
/// recording. For tails inside a repetition.
class histogram {
 public:
  histogram();
  void record(std::uint64_t value) noexcept;
  void merge(const histogram& other);
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t max() const noexcept { return max_; }
  /// As quantile() above; the upper edge of the bucket.
  [[nodiscard]] std::optional<double> quantile(double q) const;
  /// p50, p90, p99, p99.9, p99.99: those that may be told.
  [[nodiscard]] std::map<std::string, double> summary() const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace synchro::results

#endif
