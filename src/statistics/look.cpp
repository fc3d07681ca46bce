#include "statistics/look.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "statistics/statistics.hpp"

namespace synchro::statistics {

namespace {

/// How far the mean of these logarithms is from 0; of one value there is no scatter to say it by.
results::shift mean_log(std::span<const double> ratios) {
  const auto n = static_cast<double>(ratios.size());
  std::vector<double> logs;
  double sum = 0;
  for (const double r : ratios) {
    if (!(r > 0 && std::isfinite(r))) throw std::invalid_argument("a ratio is a finite number above 0");
    sum += logs.emplace_back(std::log(r));
  }
  double squares = 0;
  for (const double l : logs) squares += (l - sum / n) * (l - sum / n);
  return {sum / n, std::sqrt(squares / (n * (n - 1))), n - 1};
}

bool excludes_1(const std::pair<double, double>& ci) { return ci.first > 1 || ci.second < 1; }

}  // namespace

std::size_t fewest_with_pairs(double pairs) {
  auto k = static_cast<std::size_t>(std::max(2.0, std::floor(std::sqrt(2 * pairs))));
  while (pairs_among(k) < pairs) ++k;
  return k;
}

double ratio_p_value(std::span<const double> ratios) {
  const results::shift mean = mean_log(ratios);
  return ratios.size() < 2 ? 1 : mean.p_value();
}

std::optional<std::pair<double, double>> interval_among(std::span<const double> ratios, std::size_t k, double miss) {
  const auto usual = results::median_interval(ratios, 1 - miss);
  if (!usual) return std::nullopt;
  const double confidence = 1 - miss / pairs_among(k);
  if (const auto surer = results::median_interval(ratios, confidence)) return surer;
  const auto [low, high] = mean_log(ratios).interval(confidence);
  return std::pair{std::min(usual->first, std::exp(low)), std::max(usual->second, std::exp(high))};
}

bool resolved_among(std::span<const double> ratios, std::size_t k, double miss) {
  const auto usual = results::median_interval(ratios, 1 - miss);
  if (!usual || !excludes_1(*usual)) return false;
  const double share = miss / pairs_among(k);
  if (const auto surer = results::median_interval(ratios, 1 - share)) return excludes_1(*surer);
  return ratio_p_value(ratios) <= share;  // its interval excludes 1, and is not looked for
}

}  // namespace synchro::statistics
