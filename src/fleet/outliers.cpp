#include "fleet/outliers.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/statistics.hpp"

namespace synchro::fleet {

namespace {

/// With fewer on one side, a fifth would be a single host.
constexpr std::size_t fewest_on_a_side = 10;

double at_share(std::vector<double>& values, double share) {
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

double reach_of(std::vector<double>& distances) {
  return distances.size() < fewest_on_a_side ? 0 : at_share(distances, 0.8);
}

struct known_tails {
  tails of;
  double ratio;  ///< The ratio of the 95 % quantile of absolute values to their median.
};

known_tails tails_at(double freedom) {
  const double half = results::student_limit(0.5, freedom);
  return {{freedom, half, results::student_limit(0.2, freedom)}, results::student_limit(0.05, freedom) / half};
}

/// From the heaviest on, in steps of a quarter; made once, for it takes longer than all else here.
const std::vector<known_tails>& all_known() {
  static const std::vector<known_tails> all = [] {
    std::vector<known_tails> made;
    for (double freedom = 1; freedom <= lightest_tails; freedom += 0.25) made.push_back(tails_at(freedom));
    return made;
  }();
  return all;
}

}  // namespace

peers peers_of(std::span<const double> values) {
  peers p;
  p.count = values.size();
  p.middle = results::median(values);
  std::vector<double> all, up, down;
  for (const double v : values) {
    all.push_back(std::abs(v - p.middle));
    if (v != p.middle) (v > p.middle ? up : down).push_back(all.back());
  }
  static const double least = least_spread * results::student_limit(0.5, lightest_tails);
  p.spread = std::max(least, results::median(all));
  p.above = reach_of(up);
  p.below = reach_of(down);
  return p;
}

double freedom_of(std::vector<double> distances, double surplus) {
  std::erase_if(distances, [](double d) { return d > farthest_that_counts; });
  if (distances.size() < fewest_on_a_side) return 1;
  const double ratio = at_share(distances, 0.95) * (1 + surplus);
  for (auto at = all_known().rbegin(); at != all_known().rend(); ++at)
    if (at->ratio >= ratio) return at->of.freedom;
  return 1;
}

tails tails_for(double freedom, std::size_t count) {
  const double of_spread = efficiency_of_spread * static_cast<double>(count - 1);
  const double taken = 1 / (1 / freedom + 1 / of_spread);
  const auto above = std::find_if(all_known().begin() + 1, all_known().end(),
                                  [&](const known_tails& t) { return t.of.freedom > taken; });
  return (above - 1)->of;
}

double p_value(double value, const peers& likes, const tails& fall, double allowed) {
  const double distance = std::abs(value - likes.middle) - allowed;
  const double side = value > likes.middle ? likes.above : likes.below;
  const double scale = std::max(likes.spread / fall.half, side / fall.nine_10);
  return distance <= 2 * scale ? 1 : results::student_beyond(distance / scale, fall.freedom);
}

double weighted_median(std::vector<std::pair<double, double>> all) {
  std::sort(all.begin(), all.end());
  double total = 0, below = 0;
  for (const auto& [value, weight] : all) total += weight;
  for (const auto& [value, weight] : all)
    if ((below += weight) >= total / 2) return value;
  return all.back().first;
}

}  // namespace synchro::fleet
