// The statistics of the house. The repetition is the unit: samples inside one are correlated.

#ifndef SYNCHRO_RESULTS_STATISTICS_HPP
#define SYNCHRO_RESULTS_STATISTICS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace synchro::results {

/// Median; the mean of the middle two for an even count. Throws std::invalid_argument if empty or not finite.
[[nodiscard]] double median(std::span<const double> values);

/// The exact interval of the median by order statistics (sign test) whose coverage is at least `confidence`; nothing if
/// there are too few values for it (below 6 for 95 %).
[[nodiscard]] std::optional<std::pair<double, double>> median_interval(std::span<const double> values,
                                                                       double confidence = 0.95);

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

/// Intervals of the medians of two independent samples, and how sure it is that both medians lie inside theirs.
struct joint_intervals {
  std::pair<double, double> a, b;
  double confidence;
};
/// At least `confidence`, shared evenly; where a sample is too small for its share, the other takes what is left. Two
/// samples so small that even their extremes are less sure (6 and 6: 0.938) have the extremes. Nothing where a sample
/// has no interval of its own at this confidence.
[[nodiscard]] std::optional<joint_intervals> joint_median_intervals(std::span<const double> a,
                                                                    std::span<const double> b,
                                                                    double confidence = 0.95);

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
