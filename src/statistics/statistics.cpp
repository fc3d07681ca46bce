#include "statistics/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace synchro::results {

namespace {

/// A quantile may be told only where this many values are expected beyond it.
constexpr double tail_values = 10;

std::vector<double> sorted_finite(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("no values");
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    throw std::invalid_argument("a value is not finite");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// The middle of two values, without overflow.
double midpoint(double a, double b) { return a / 2 + b / 2; }

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : midpoint(sorted[half - 1], sorted[half]);
}

bool has_quantile(double n, double q) {
  const double beyond = n * std::min(q, 1 - q);
  return q == 0.5 || beyond >= tail_values * (1 - 1e-9);  // 100 * (1 - 0.9) is a little less than 10 in binary.
}

void check_quantile(double q) {
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument("a quantile lies between 0 and 1");
}

/// The largest k for which P(Binomial(n, 1/2) < k) <= tail: the interval from the k-th smallest to the k-th largest
/// value misses the median on either side with at most that probability. 0 if not even the extremes are far enough out.
std::size_t sign_test_rank(std::size_t n, double tail) {
  const auto count = static_cast<double>(n);
  double log_term = -count * std::log(2.0);  // ln P(X = 0); in logarithms because 2^-n underflows.
  double below = 0;
  std::size_t k = 0;
  while (2 * k < n) {
    below += std::exp(log_term);
    if (below > tail * (1 + 1e-12)) break;
    log_term += std::log((count - static_cast<double>(k)) / (static_cast<double>(k) + 1));
    ++k;
  }
  return k;
}

}  // namespace

double median(std::span<const double> values) { return median_of_sorted(sorted_finite(values)); }

double median_in_steps(std::span<const double> values, double step) {
  const std::vector<double> sorted = sorted_finite(values);
  const double usual = median_of_sorted(sorted);
  if (step <= 0) return usual;
  // The part of each value below a point grows over a step; that of all is half at the median.
  const auto below = [&](double point) {
    const auto whole = std::upper_bound(sorted.begin(), sorted.end(), point - step / 2);
    const auto none = std::lower_bound(whole, sorted.end(), point + step / 2);
    auto part = static_cast<double>(whole - sorted.begin());
    for (auto v = whole; v != none; ++v) part += (point - *v) / step + 0.5;
    return part / static_cast<double>(sorted.size());
  };
  double low = usual - step, high = usual + step, point = usual;
  constexpr int halvings = 30;
  for (int i = 0; i < halvings; ++i) {
    const double part = below(point);
    if (part == 0.5) break;
    (part < 0.5 ? low : high) = point;
    point = midpoint(low, high);
  }
  return point;
}

std::optional<std::pair<double, double>> median_interval(std::span<const double> values, double confidence) {
  if (!(confidence > 0 && confidence < 1)) throw std::invalid_argument("a confidence lies between 0 and 1");
  if (values.empty()) return std::nullopt;
  const std::vector<double> sorted = sorted_finite(values);
  const std::size_t k = sign_test_rank(sorted.size(), (1 - confidence) / 2);
  if (k == 0) return std::nullopt;
  return std::pair{sorted[k - 1], sorted[sorted.size() - k]};
}

std::optional<double> quantile(std::span<const double> values, double q) {
  check_quantile(q);
  if (values.empty() || !has_quantile(static_cast<double>(values.size()), q)) return std::nullopt;
  const std::vector<double> sorted = sorted_finite(values);
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = position - static_cast<double>(below);
  return sorted[below] * (1 - share) + sorted[above] * share;
}

namespace {

/// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  constexpr double exact = 1e-15;
  double c = 1;
  double d = 1 / std::max(tiny, 1 - (a + b) * x / (a + 1));
  double product = d;
  for (unsigned m = 1; m < 10'000; ++m) {
    const double n = m;
    double before = product;
    for (const double term : {n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n)),
                              -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1))}) {
      d = 1 + term * d;
      c = 1 + term / c;
      if (std::abs(d) < tiny) d = tiny;
      if (std::abs(c) < tiny) c = tiny;
      d = 1 / d;
      product *= d * c;
    }
    if (std::abs(product - before) < exact * std::abs(product)) break;
  }
  return product;
}

/// The regularized incomplete beta function.
double beta_share(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

struct trimmed {
  double mean, squared_error, freedom;
};

/// Mean without a fifth at each end, and its squared error from the values with these ends pulled in.
trimmed trimmed_mean(std::span<const double> values) {
  std::vector<double> sorted = sorted_finite(values);
  const std::size_t n = sorted.size();
  const std::size_t cut = n / 5;
  const auto kept = static_cast<double>(n - 2 * cut);
  double sum = 0;
  for (std::size_t i = cut; i < n - cut; ++i) sum += sorted[i];
  for (std::size_t i = 0; i < cut; ++i) sorted[i] = sorted[cut], sorted[n - 1 - i] = sorted[n - 1 - cut];
  double middle = 0;
  for (const double v : sorted) middle += v / static_cast<double>(n);
  double squares = 0;
  for (const double v : sorted) squares += (v - middle) * (v - middle);
  return {sum / kept, squares / (kept * (kept - 1)), kept - 1};
}

/// Degrees of freedom of the sum of two errors (Welch and Satterthwaite).
double joint_freedom(double squared_a, double freedom_a, double squared_b, double freedom_b) {
  const double sum = squared_a + squared_b;
  if (sum <= 0) return std::max(freedom_a, freedom_b);
  return sum * sum / (squared_a * squared_a / freedom_a + squared_b * squared_b / freedom_b);
}

}  // namespace

double student_beyond(double t, double freedom) {
  if (std::isinf(t)) return 0;
  return beta_share(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_limit(double probability, double freedom) {
  double low = 0;
  double high = 1;
  while (student_beyond(high, freedom) > probability && high < 1e100) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = midpoint(low, high);
    (student_beyond(middle, freedom) > probability ? low : high) = middle;
  }
  return high;
}

double shift::p_value(double allowed) const {
  const double beyond = std::abs(value) - allowed;
  if (beyond <= 0) return 1;
  return error > 0 ? student_beyond(beyond / error, freedom) : 0;
}

std::pair<double, double> shift::interval(double confidence, double allowed) const {
  const double reach = allowed + (error > 0 ? error * student_limit(1 - confidence, freedom) : 0);
  return {value - reach, value + reach};
}

std::optional<shift> shift_between(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t fewest = 4;
  if (a.size() < fewest || b.size() < fewest) return std::nullopt;
  const trimmed x = trimmed_mean(a);
  const trimmed y = trimmed_mean(b);
  return shift{y.mean - x.mean, std::sqrt(x.squared_error + y.squared_error),
               joint_freedom(x.squared_error, x.freedom, y.squared_error, y.freedom)};
}

namespace {

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

}  // namespace

scatter scatter_within(std::span<const double> a, std::span<const double> b) {
  scatter found;
  for (const std::span<const double> values : {a, b}) {
    if (values.empty()) continue;
    const double middle = mean(values);
    for (const double v : values) found.squares += (v - middle) * (v - middle);
    found.freedom += static_cast<double>(values.size()) - 1;
  }
  return found;
}

std::optional<shift> moderated_shift(std::span<const double> a, std::span<const double> b,
                                     std::optional<double> usual_variance) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  const double gained = usual_variance ? 2 : 0;
  const scatter own = scatter_within(a, b);
  const double variance =
      usual_variance ? midpoint(own.squares / own.freedom, *usual_variance) : own.squares / own.freedom;
  if (variance == 0 && !usual_variance) return std::nullopt;
  const double per_mean = 1 / static_cast<double>(a.size()) + 1 / static_cast<double>(b.size());
  return shift{mean(b) - mean(a), std::sqrt(variance * per_mean), own.freedom + gained};
}

double false_discovery_limit(std::vector<double> p_values, double level) {
  std::sort(p_values.begin(), p_values.end());
  const auto all = static_cast<double>(p_values.size());
  for (std::size_t k = p_values.size(); k > 0; --k) {
    const double limit = level * static_cast<double>(k) / all;
    if (p_values[k - 1] <= limit) return limit;
  }
  return p_values.empty() ? level : level / all;
}

bool ratio::resolved() const { return ci && (ci->first > 1 || ci->second < 1); }

ratio paired_ratio(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) throw std::invalid_argument("paired values must be equally many");
  std::vector<double> ratios;
  ratios.reserve(a.size());
  std::transform(a.begin(), a.end(), b.begin(), std::back_inserter(ratios), [](double x, double y) { return x / y; });
  return {median(ratios), median_interval(ratios), ratios.size()};
}

double jain_index(std::span<const double> shares) {
  if (shares.empty()) throw std::invalid_argument("no shares");
  const double largest = *std::max_element(shares.begin(), shares.end());
  double sum = 0;
  double squares = 0;
  for (const double share : shares) {
    if (!(share >= 0 && std::isfinite(share))) throw std::invalid_argument("a share is a finite number, not negative");
    const double scaled = largest > 0 ? share / largest : 1;  // Nothing for everyone is equal, too.
    sum += scaled;
    squares += scaled * scaled;
  }
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

namespace {

constexpr unsigned sub_bits = 5;
constexpr std::uint64_t sub_buckets = 1U << sub_bits;
constexpr std::size_t bucket_count = (64 - sub_bits + 1) * sub_buckets;

/// Values below 32 have a bucket each; above, a bucket is 1/32 of its power of two wide.
std::size_t bucket_of(std::uint64_t value) noexcept {
  if (value < sub_buckets) return static_cast<std::size_t>(value);
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - sub_bits;
  return static_cast<std::size_t>((shift + 1) * sub_buckets + ((value >> shift) - sub_buckets));
}

/// The largest value that falls into a bucket.
std::uint64_t upper_edge(std::size_t bucket) noexcept {
  if (bucket < sub_buckets) return bucket;
  const auto shift = static_cast<unsigned>(bucket / sub_buckets) - 1;
  const std::uint64_t lower = (sub_buckets + bucket % sub_buckets) << shift;
  return lower + ((std::uint64_t{1} << shift) - 1);
}

}  // namespace

histogram::histogram() : buckets_(bucket_count) {}

void histogram::record(std::uint64_t value) noexcept {
  ++buckets_[bucket_of(value)];
  ++count_;
  max_ = std::max(max_, value);
}

void histogram::merge(const histogram& other) {
  for (std::size_t i = 0; i < bucket_count; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

std::optional<double> histogram::quantile(double q) const {
  check_quantile(q);
  const auto n = static_cast<double>(count_);
  if (count_ == 0 || !has_quantile(n, q)) return std::nullopt;
  // The value of rank ceil(q n). The product of a decimal q may come out a little too large.
  const double rank = std::max(1.0, std::ceil(q * n * (1 - 1e-12)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < bucket_count; ++i) {
    seen += buckets_[i];
    if (static_cast<double>(seen) >= rank) return static_cast<double>(std::min(upper_edge(i), max_));
  }
  return static_cast<double>(max_);
}

std::map<std::string, double> histogram::summary() const {
  static const std::pair<const char*, double> all[] = {
      {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}};
  std::map<std::string, double> found;
  for (const auto& [name, q] : all)
    if (const auto value = quantile(q)) found.emplace(name, *value);
  return found;
}

}  // namespace synchro::results
