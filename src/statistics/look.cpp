#include "statistics/look.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "statistics/statistics.hpp"

namespace synchro::statistics {

double ratio_p_value(std::span<const double> ratios) {
  const auto n = static_cast<double>(ratios.size());
  std::vector<double> logs;
  double sum = 0;
  for (const double r : ratios) {
    if (!(r > 0 && std::isfinite(r))) throw std::invalid_argument("a ratio is a finite number above 0");
    sum += logs.emplace_back(std::log(r));
  }
  if (logs.size() < 2) return 1;
  double squares = 0;
  for (const double l : logs) squares += (l - sum / n) * (l - sum / n);
  return results::shift{sum / n, std::sqrt(squares / (n * (n - 1))), n - 1}.p_value();
}

bool resolved_among(std::span<const double> ratios, std::size_t k, double miss) {
  const auto usual = results::median_interval(ratios, 1 - miss);
  if (!usual || (usual->first <= 1 && usual->second >= 1)) return false;
  const double share = miss / pairs_among(k);
  if (const auto ci = results::median_interval(ratios, 1 - share)) return ci->first > 1 || ci->second < 1;
  return ratio_p_value(ratios) <= share;
}

}  // namespace synchro::statistics
